import type { ReactNode } from 'react'
import classes from './row-actions.module.css'

/** The actions of a record, side by side. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <div className={classes['actions']}>{children}</div>
)
