import type { ReactNode } from 'react'
import classes from './figures.module.css'

export interface Figure {
  name: string
  value: ReactNode
  note?: ReactNode
}

/** Figures side by side, each with its name. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes['figures']}>
      {figures.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note !== undefined && <dd className={classes['note']}>{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
