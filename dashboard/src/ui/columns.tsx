import type { ReactNode } from 'react'
import classes from './columns.module.css'

/** Two parts side by side, where there is room. The second stays in view while the first is scrolled. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={classes['columns']}>{children}</div>
)
