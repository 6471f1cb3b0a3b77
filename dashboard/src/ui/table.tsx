import type { ReactNode } from 'react'
import classes from './table.module.css'

export interface Column<Row> {
  name: string
  of: (row: Row) => ReactNode
  /** Numbers stand right-aligned, with digits of one width. */
  isNumber?: boolean
}

/** A table of records. It scrolls within itself where the screen is narrow. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}) {
  return (
    <div className={classes['scroll']} role="region" aria-label={label} tabIndex={0}>
      <table className={classes['table']}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={isNumber === true ? classes['number'] : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, of, isNumber }) => (
                <td key={name} className={isNumber === true ? classes['number'] : undefined}>
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
