import type { ReactNode } from 'react'
import classes from './filters.module.css'

/** What a list is limited to: fields in one line, or below each other where the screen is narrow. */
export const Filters = ({ children }: { children: ReactNode }) => (
  <div className={classes['filters']}>{children}</div>
)

/** Buttons in one line. */
export const Actions = ({ children }: { children: ReactNode }) => (
  <div className={classes['actions']}>{children}</div>
)
