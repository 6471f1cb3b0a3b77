import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Asks before something that cannot be taken back, and says what it does. */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  action,
  onConfirm,
  children,
}: {
  isOpen: boolean
  onClose: () => void
  title: string
  /** A verb and its object. */
  action: string
  onConfirm: () => void
  children: ReactNode
}) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      {children}
      <p>
        <Button
          look="danger"
          onClick={() => {
            onConfirm()
            onClose()
          }}
        >
          {action}
        </Button>
      </p>
    </Dialog>
  )
}
