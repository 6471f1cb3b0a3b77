import { useBlocker } from '@tanstack/react-router'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { RowActions } from './row-actions.tsx'

/** Asks before a screen is left with changes that were not saved. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <Dialog
      isOpen={leaving.status === 'blocked'}
      onClose={() => leaving.reset?.()}
      title="Leave without saving?"
    >
      <p>What you changed on this screen is not saved.</p>
      <RowActions>
        <Button onClick={() => leaving.reset?.()}>Stay here</Button>
        <Button look="danger" onClick={() => leaving.proceed?.()}>
          Leave without saving
        </Button>
      </RowActions>
    </Dialog>
  )
}
