import classes from './count-bar.module.css'
import type { Column } from './table.tsx'
import { count } from './time.tsx'

/** A number of a list, with a bar that compares it with the greatest of the list. */
function CountBar({ value, most }: { value: number; most: number }) {
  return (
    <span className={classes['cell']}>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className={classes['bar']}>
        <rect className={classes['ground']} width={100} height={8} />
        <rect className={classes['share']} width={most === 0 ? 0 : (value / most) * 100} height={8} />
      </svg>
      {count(value)}
    </span>
  )
}

/** A column of numbers that people compare, each with its bar. */
export function countBars<Row>(
  name: string,
  rows: readonly Row[],
  countOf: (row: Row) => number,
): Column<Row> {
  const most = Math.max(0, ...rows.map(countOf))
  return { name, isNumber: true, of: (row) => <CountBar value={countOf(row)} most={most} /> }
}
