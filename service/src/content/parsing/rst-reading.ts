import { dedent } from './rst-lines.ts'
import type { RstTable } from './rst-tables.ts'
import { escapeHtml, type RstNames } from './rst-text.ts'

/** State while a document is read. */
export interface RstReading {
  names: RstNames
  /** Styles of section titles, in the order of their first use. */
  titleStyles: string[]
  /** Language of code blocks that do not specify one (`.. highlight::`). */
  language: string
  /** Prefix of the names of described objects: module, then class. */
  scope: string[]
  /** Reads lines separately, e.g. an item's. */
  blocksHtml: (lines: readonly string[]) => string
}

/** A parsed directive: its argument, its `:options:`, its content. */
export interface ReadDirective {
  argument: string
  options: Map<string, string>
  content: string[]
}

export type Writer = (directive: ReadDirective, reading: RstReading) => string

export function tableHtml({ header, rows }: RstTable, reading: RstReading): string {
  const row = (tag: string) => (cells: string[][]) =>
    `<tr>${cells.map((cell) => `<${tag}>${reading.blocksHtml(dedent(cell))}</${tag}>`).join('')}</tr>`
  const head = header.length > 0 ? `<thead>${header.map(row('th')).join('')}</thead>` : ''
  return `<table>${head}<tbody>${rows.map(row('td')).join('')}</tbody></table>`
}

export function codeHtml(lines: readonly string[], language: string): string {
  const name = /^[\w+#.-]+$/.test(language) ? ` class="language-${language}"` : ''
  return lines.length === 0 ? '' : `<pre><code${name}>\n${escapeHtml(lines.join('\n'))}</code></pre>`
}
