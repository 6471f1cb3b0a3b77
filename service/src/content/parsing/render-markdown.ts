import { joinLines } from './join-lines.ts'
import type { Block } from './parsing-blocks.ts'

/** Renders blocks as Markdown, separated by blank lines. */
export function renderBlocks(blocks: readonly Block[]): string {
  return blocks
    .map(renderBlock)
    .filter((text) => text !== '')
    .join('\n\n')
}

export function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(Math.min(Math.max(block.depth, 1), 6))} ${block.text}`
    case 'paragraph':
      return block.markdown
    case 'list':
      return block.items.map((item, index) => renderItem(item, listMarker(block, index))).join('\n')
    case 'table':
      return [...renderTableHead(block), ...block.rows.map(renderRow)].join('\n')
    case 'code':
      return renderCode(block.code, block.language)
    case 'entry':
      return `${renderTerm(block.term)}\n\n${renderBlocks(block.blocks)}`.trim()
    case 'anchor':
      return ''
  }
}

export function renderTerm(term: string): string {
  return `**${term.replaceAll('**', '')}**`
}

/** `- ` or the item's number. */
export function listMarker(
  { isOrdered, start = 1 }: { isOrdered: boolean; start?: number | undefined },
  index: number,
): string {
  return isOrdered ? `${start + index}. ` : '- '
}

/** One item with its marker; further lines are indented to belong to it. */
export function renderItem(item: string, marker: string): string {
  const indent = ' '.repeat(marker.length)
  return `${marker}${item.replaceAll(/\n(?=[^\n])/g, `\n${indent}`)}`
}

/** The header row of a table and its delimiter row. Markdown requires a header, so it may be empty. */
export function renderTableHead(table: { header: string[]; rows: string[][] }): string[] {
  const width = Math.max(table.header.length, table.rows[0]?.length ?? 0)
  const header = Array.from({ length: width }, (_, column) => table.header[column] ?? '')
  return [renderRow(header), `|${' --- |'.repeat(width)}`]
}

export function renderRow(cells: readonly string[]): string {
  return `| ${cells.map(renderCell).join(' | ')} |`
}

function renderCell(cell: string): string {
  return joinLines(cell.replaceAll(/\\?\|/g, String.raw`\|`), '<br>')
}

/** A fenced block; the fence is longer than any run of backticks within. */
export function renderCode(code: string, language: string | undefined): string {
  const runs = code.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return `${fence}${language ?? ''}\n${code}\n${fence}`
}
