import { attribute, elementsOf, findElement, hasClass, type HtmlElement } from './html-tree.ts'

/** Maximum columns or rows that a cell spans, whatever its `colspan` says. */
const MAX_SPAN = 50

/** The cells of a table with spans filled in: a cell that spans several rows is repeated in each. */
export interface TableGrid {
  caption: HtmlElement | undefined
  header: HtmlElement[]
  rows: (HtmlElement | undefined)[][]
}

export function readTable(table: HtmlElement): TableGrid {
  const rows = rowsOf(table)
  const inHead = rows.filter((row) => row.isHead)
  const first = rows[0]
  const headRow = inHead.at(-1) ?? (first !== undefined && isHeaderRow(first.row) ? first : undefined)
  const body = rows.filter((row) => row !== headRow && !row.isHead)
  const grid = fillSpans((headRow === undefined ? body : [headRow, ...body]).map(({ row }) => row))
  const header = headRow === undefined ? [] : (grid.shift() ?? [])
  return {
    caption: elementsOf(table).find((child) => child.tagName === 'caption'),
    header: header.filter((cell) => cell !== undefined),
    rows: grid,
  }
}

function rowsOf(table: HtmlElement): { row: HtmlElement; isHead: boolean }[] {
  return elementsOf(table).flatMap((part) => {
    if (part.tagName === 'tr') return [{ row: part, isHead: false }]
    if (!['thead', 'tbody', 'tfoot'].includes(part.tagName)) return []
    const isHead = part.tagName === 'thead'
    return elementsOf(part).flatMap((row) => (row.tagName === 'tr' ? [{ row, isHead }] : []))
  })
}

function cellsOf(row: HtmlElement): HtmlElement[] {
  return elementsOf(row).filter((cell) => cell.tagName === 'td' || cell.tagName === 'th')
}

function isHeaderRow(row: HtmlElement): boolean {
  const cells = cellsOf(row)
  return cells.length > 1 && cells.every((cell) => cell.tagName === 'th')
}

function span(cell: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const count = Number.parseInt(attribute(cell, name) ?? '1', 10)
  return count >= 1 ? Math.min(count, MAX_SPAN) : 1
}

/** A cell that spans columns is put in the first of them, one that spans rows in all of them. */
function fillSpans(rows: HtmlElement[]): (HtmlElement | undefined)[][] {
  const spannedCells = new Map<number, { cell: HtmlElement; rowsLeft: number }>()
  const grid = rows.map((row) => {
    const line: (HtmlElement | undefined)[] = []
    const fillSpannedCells = () => {
      for (
        let above = spannedCells.get(line.length);
        above !== undefined;
        above = spannedCells.get(line.length)
      ) {
        if (above.rowsLeft <= 1) spannedCells.delete(line.length)
        else spannedCells.set(line.length, { ...above, rowsLeft: above.rowsLeft - 1 })
        line.push(above.cell)
      }
    }
    for (const cell of cellsOf(row)) {
      fillSpannedCells()
      const rowSpan = span(cell, 'rowspan')
      if (rowSpan > 1) spannedCells.set(line.length, { cell, rowsLeft: rowSpan - 1 })
      line.push(cell, ...Array.from({ length: span(cell, 'colspan') - 1 }, () => undefined))
    }
    fillSpannedCells()
    return line
  })
  const width = grid.reduce((widest, line) => Math.max(widest, line.length), 0)
  return grid.map((line) => [...line, ...Array.from({ length: width - line.length }, () => undefined)])
}

const LAID_OUT = new Set(['table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'section', 'article', 'dl', 'form'])

/** Whether a table is only used for layout: the contents of its cells are then read in order, as text. */
export function isLayout(table: HtmlElement, grid: TableGrid): boolean {
  const role = attribute(table, 'role')
  if (role === 'presentation' || role === 'none') return true
  if (grid.header.length > 0 && grid.rows.length > 0) return false
  const hasBlocks = findElement(table, (child) => LAID_OUT.has(child.tagName)) !== undefined
  if (hasBlocks) return true
  const width = grid.rows[0]?.length ?? 0
  if (width <= 1) return true
  const hasHeaderCell = grid.rows.some((row) => row.some((cell) => cell?.tagName === 'th'))
  if (hasHeaderCell) return false
  return findElement(table, (child) => ['pre', 'ul', 'ol'].includes(child.tagName)) !== undefined
}

/** The `<pre>` of a table that only puts line numbers beside code. */
export function numberedCode(table: HtmlElement): HtmlElement | undefined {
  const isNumbered =
    hasClass(table, 'highlighttable', 'codehilitetable', 'rouge-table', 'lntable', 'syntaxhighlighter') ||
    findElement(
      table,
      (child) => child.tagName === 'td' && hasClass(child, 'linenos', 'gutter', 'rouge-gutter'),
    ) !== undefined
  if (!isNumbered) return undefined
  let last: HtmlElement | undefined
  findElement(table, (child) => {
    if (child.tagName === 'pre') last = child
    return false
  })
  return last
}
