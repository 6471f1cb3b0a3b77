import { memo, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import type { Column } from './table.tsx'
import table from './table.module.css'
import classes from './virtual-table.module.css'

/** Pixels of a row; also in the style sheet. */
const ROW_PX = 40

/** Rows beyond the edges of what is seen, so that scrolling meets rows and not gaps. */
const MARGIN_ROWS = 12

/** How near to the end, in rows, the next ones are asked for. */
const NEAR_END_ROWS = 60

const classesOf = (own: string | undefined, isExtra: boolean | undefined): string =>
  [own, isExtra === true ? classes['extra'] : undefined].filter((one) => one !== undefined).join(' ')

type VirtualColumn<Item> = Column<Item> & {
  width?: string
  head?: ReactNode
  /** A phone does not show it. */
  isExtra?: boolean
}

/** The rows that are seen, and some around them. */
function useWindow(count: number) {
  const place = useRef<HTMLDivElement>(null)
  // No more than the window can show: the rows around them come after these are drawn.
  const [seen, setSeen] = useState(() => ({ first: 0, last: Math.ceil(innerHeight / ROW_PX) }))
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const measure = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / ROW_PX) - MARGIN_ROWS)
      const last = Math.ceil((element.scrollTop + element.clientHeight) / ROW_PX) + MARGIN_ROWS
      setSeen((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  return { place, first: Math.min(seen.first, count), last: Math.min(seen.last, count) }
}

/**
 * A table of very many records: it scrolls within itself, and only the rows that are seen are on the page. Rows have one height; what is
 * longer is cut.
 */
export function VirtualTable<Item>({
  label,
  columns,
  rows,
  total,
  keyOf,
  onNearEnd,
}: {
  label: string
  columns: readonly VirtualColumn<Item>[]
  /** Those that were read so far. */
  rows: readonly Item[]
  /** How many there are. */
  total: number
  keyOf: (row: Item) => string
  /** More rows are needed soon. */
  onNearEnd: () => void
}) {
  const { place, first, last } = useWindow(rows.length)
  const isNearEnd = last > rows.length - NEAR_END_ROWS
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  }, [isNearEnd, onNearEnd, rows.length])
  return (
    <div
      ref={place}
      className={[table['scroll'], classes['scroll']].join(' ')}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table
        className={[table['table'], classes['table']].join(' ')}
        aria-rowcount={total + 1}
        aria-label={label}
      >
        <colgroup>
          {columns.map(({ name, width, isExtra }) => (
            <col
              key={name}
              data-width={width}
              className={classesOf(width === undefined ? undefined : classes[width], isExtra)}
            />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ name, head, isNumber, isExtra }) => (
              <th
                key={name}
                scope="col"
                className={classesOf(isNumber === true ? table['number'] : undefined, isExtra)}
              >
                {head ?? name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacers rows={first} columns={columns.length} />
          {rows.slice(first, last).map((row, at) => (
            <Row key={keyOf(row)} row={row} columns={columns} index={first + at + 2} />
          ))}
          <Spacers rows={rows.length - last} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

interface RowProps<Item> {
  row: Item
  columns: readonly VirtualColumn<Item>[]
  index: number
}

function PlainRow<Item>({ row, columns, index }: RowProps<Item>) {
  return (
    <tr aria-rowindex={index}>
      {columns.map(({ name, of, isNumber, isExtra }) => (
        <td key={name} className={classesOf(isNumber === true ? table['number'] : undefined, isExtra)}>
          {of(row)}
        </td>
      ))}
    </tr>
  )
}

/** While a table scrolls, only the rows that come into sight are rendered. */
const Row = memo(PlainRow) as typeof PlainRow

/** Rows of one spacer: browsers limit the height of an element, and a million pixels are far below each of these limits. */
const SPACER_ROWS = 1_000_000 / ROW_PX

/** The place of rows that are not on the page, whatever their number. */
function Spacers({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: Math.ceil(rows / SPACER_ROWS) }, (_, at) => (
    <Spacer key={at} rows={Math.min(SPACER_ROWS, rows - at * SPACER_ROWS)} columns={columns} />
  ))
}

function Spacer({ rows, columns }: { rows: number; columns: number }) {
  const cell = useRef<HTMLTableCellElement>(null)
  // By a property and not by an attribute, which the content security policy forbids.
  useLayoutEffect(() => {
    if (cell.current !== null) cell.current.style.height = `${rows * ROW_PX}px`
  }, [rows])
  return (
    <tr aria-hidden="true">
      <td ref={cell} colSpan={columns} className={classes['spacer']} />
    </tr>
  )
}
