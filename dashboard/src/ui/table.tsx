import type { ReactNode } from 'react'
import classes from './table.module.css'

export interface Column<Row> {
  name: string
  of: (row: Row) => ReactNode
  /** Numbers stand right-aligned, with digits of one width. */
  isNumber?: boolean
}

/**
 * A table of records. Where the screen is narrow, each record is a block with the names of its columns; the roles keep it a table for
 * assistive technology.
 */
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
      <table className={classes['table']} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, isNumber }) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                className={isNumber === true ? classes['number'] : undefined}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ name, of, isNumber }) => (
                <td
                  key={name}
                  role="cell"
                  data-column={name}
                  className={isNumber === true ? classes['number'] : undefined}
                >
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
