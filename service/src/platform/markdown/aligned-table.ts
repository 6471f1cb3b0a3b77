import type { Nodes, Table } from 'mdast'
import { isParent } from './markdown-tree.ts'

/** Characters of a cell that are shown. */
const MAX_CELL = 40

/** The words of a node, without what is around them. */
export const textIn = (node: Nodes): string => {
  if ('value' in node) return node.value
  return isParent(node) ? node.children.map(textIn).join('') : ''
}

/** A table as aligned text, for platforms that have none. */
export function alignedTable({ children }: Table): string {
  const rows = children.map(({ children: cells }) =>
    cells.map((cell) => {
      const text = textIn(cell).replaceAll(/\s+/g, ' ').trim()
      return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text
    }),
  )
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
