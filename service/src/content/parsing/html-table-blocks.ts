import type { Block } from './parsing-blocks.ts'
import type { BlockReading } from './html-reading.ts'
import { admonitionOf } from './html-admonitions.ts'
import { codeOf, languageOf } from './html-code.ts'
import { inlineMarkdown, labelMarkdown } from './html-inline.ts'
import { isLayout, numberedCode, readTable } from './html-tables.ts'
import { childrenOf, findElement, type HtmlElement } from './html-tree.ts'
import { codeSpan, escapeText } from './inline-markdown.ts'
import { joinLines } from './join-lines.ts'
import { listMarker } from './render-markdown.ts'

const NEEDS_BLOCKS = new Set(['p', 'div', 'ul', 'ol', 'dl', 'pre', 'table', 'blockquote'])

/** Reads `<table>`: data as a table, code beside line numbers as code, everything else as the contents of its cells. */
export function createTableReader(reading: BlockReading) {
  return function readTableInto(blocks: Block[], table: HtmlElement) {
    const pre = numberedCode(table)
    if (pre !== undefined) {
      const code = codeOf(pre)
      if (code !== '') blocks.push({ kind: 'code', language: languageOf(pre), code })
      return
    }
    const grid = readTable(table)
    const admonition = admonitionOf(table, grid)
    if (admonition !== undefined) {
      const { label, content } = admonition
      blocks.push({ kind: 'paragraph', markdown: `**${escapeText(label).replaceAll('**', '')}**` })
      blocks.push(...reading.readNodes(childrenOf(content)))
      return
    }
    if (isLayout(table, grid)) {
      const cells = new Set([grid.header, ...grid.rows].flat())
      for (const cell of cells) if (cell !== undefined) blocks.push(...reading.readNodes(childrenOf(cell)))
      return
    }
    reading.takeAnchor()
    const cell = createCellReader(reading)
    const header = grid.header.map(cell)
    const rows = grid.rows.map((row) => row.map(cell)).filter((row) => row.some((text) => text !== ''))
    const caption = grid.caption === undefined ? '' : labelMarkdown(childrenOf(grid.caption), reading)
    if (caption !== '') blocks.push({ kind: 'paragraph', markdown: `**${caption.replaceAll('**', '')}**` })
    const [only, ...others] = rows
    if (only !== undefined && others.length === 0 && header.length === 0) blocks.push(labelRow(only))
    else if (rows.length > 0 || header.some((text) => text !== ''))
      blocks.push({ kind: 'table', header, rows })
  }
}

/** A table of one row labels what follows: an option with its type and default. */
function labelRow(cells: readonly string[]): Block {
  const [first = '', ...others] = cells.filter((text) => text !== '')
  return { kind: 'paragraph', markdown: [`**${first.replaceAll('**', '')}**`, ...others].join(' | ') }
}

/** A cell that spans rows is read once, however many rows it covers. */
function createCellReader(reading: BlockReading) {
  const read = new Map<HtmlElement, string>()
  return (cell: HtmlElement | undefined): string => {
    if (cell === undefined) return ''
    const known = read.get(cell)
    if (known !== undefined) return known
    const isSimple = findElement(cell, (child) => NEEDS_BLOCKS.has(child.tagName)) === undefined
    const text = isSimple
      ? inlineMarkdown(childrenOf(cell), reading).replaceAll('\n', '<br>')
      : reading.readNodes(childrenOf(cell)).map(cellLine).filter(Boolean).join('<br>')
    read.set(cell, text)
    return text
  }
}

/** A block on one line. */
function cellLine(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `**${block.text}**`
    case 'paragraph':
      return joinLines(block.markdown, '<br>')
    case 'list':
      return block.items
        .map((item, place) => `${listMarker(block, place)}${joinLines(item, ' ')}`)
        .join('<br>')
    case 'table':
      return [block.header, ...block.rows].map((row) => row.filter(Boolean).join(' ')).join('<br>')
    case 'code':
      return block.code
        .split('\n')
        .map((line) => codeSpan(line).trim())
        .filter(Boolean)
        .join('<br>')
    case 'entry':
      return [`**${block.term}**`, ...block.blocks.map(cellLine)].join('<br>')
    case 'anchor':
      return ''
  }
}
