import * as Ariakit from '@ariakit/react'
import { useMemo, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import classes from './dialog.module.css'
import { RowActions } from './row-actions.tsx'
import { UnsavedContext } from './unsaved.ts'

/** Messages that can be read and pressed while a dialog is open. */
const reachable = () => document.querySelectorAll('[data-stays-reachable]')

/** Asks before a dialog is closed with something typed in it. */
function CloseGuard({ onStay, onClose }: { onStay: () => void; onClose: () => void }) {
  return (
    <div role="alert" className={classes['guard']}>
      <p>What you typed is not saved.</p>
      <RowActions>
        <Button autoFocus onClick={onStay}>
          Keep editing
        </Button>
        <Button look="danger" onClick={onClose}>
          Close without saving
        </Button>
      </RowActions>
    </div>
  )
}

/**
 * A dialog over the screen. Escape and its close button end it; the focus returns to where it was. With something typed in a `Form` that was
 * not sent, it asks first.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  isShownOnce = false,
  children,
}: {
  isOpen: boolean
  onClose: () => void
  title: string
  /** It has something that is never shown again: a press beside it does not close it. */
  isShownOnce?: boolean
  children: ReactNode
}) {
  const [unsaved] = useState(() => new Set<string>())
  const [isAsking, setAsking] = useState(false)
  // What was typed may be sent in place of an answer: the next time the dialog opens, nothing is asked.
  if (isAsking && !isOpen) setAsking(false)
  const forms = useMemo(
    () => ({
      report: (form: string, isUnsaved: boolean) => {
        if (isUnsaved) unsaved.add(form)
        else unsaved.delete(form)
      },
    }),
    [unsaved],
  )
  function close(): void {
    setAsking(false)
    onClose()
  }
  return (
    <Ariakit.Dialog
      open={isOpen}
      onClose={(event) => {
        if (unsaved.size === 0) return close()
        event.preventDefault()
        setAsking(true)
      }}
      unmountOnHide
      hideOnInteractOutside={!isShownOnce}
      getPersistentElements={reachable}
      className={classes['dialog']}
      backdrop={<div className={classes['backdrop']} />}
    >
      <div className={classes['head']}>
        <Ariakit.DialogHeading className={classes['title']}>{title}</Ariakit.DialogHeading>
        <Ariakit.DialogDismiss className={classes['close']} aria-label="Close">
          ✕
        </Ariakit.DialogDismiss>
      </div>
      {isAsking && <CloseGuard onStay={() => setAsking(false)} onClose={close} />}
      <UnsavedContext value={forms}>
        <div className={classes['body']}>{children}</div>
      </UnsavedContext>
    </Ariakit.Dialog>
  )
}
