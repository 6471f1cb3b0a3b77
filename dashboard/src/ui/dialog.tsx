import * as Ariakit from '@ariakit/react'
import type { ReactNode } from 'react'
import classes from './dialog.module.css'

/** Messages that can be read and pressed while a dialog is open. */
const reachable = () => document.querySelectorAll('[data-stays-reachable]')

/** A dialog over the screen. Escape and its close button end it; the focus returns to where it was. */
export function Dialog({
  isOpen,
  onClose,
  title,
  children,
}: {
  isOpen: boolean
  onClose: () => void
  title: string
  children: ReactNode
}) {
  return (
    <Ariakit.Dialog
      open={isOpen}
      onClose={onClose}
      unmountOnHide
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
      {children}
    </Ariakit.Dialog>
  )
}
