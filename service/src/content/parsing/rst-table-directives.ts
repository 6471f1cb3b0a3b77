import { inlineHtml } from './rst-inline.ts'
import { tableHtml, type RstReading, type Writer } from './rst-reading.ts'
import { csvRows } from './rst-tables.ts'

export const csvTable: Writer = ({ argument, options, content }, reading) => {
  const delimiter = { tab: '\t', space: ' ' }[options.get('delim') ?? ''] ?? (options.get('delim') || ',')
  const own = csvRows([options.get('header') ?? ''], delimiter)
  const rows = csvRows(content, delimiter)
  const headerRows = Number(options.get('header-rows') ?? 0)
  const cells = (row: string[]) => row.map((text) => text.split('\n'))
  const table = {
    header: [...own, ...rows.slice(0, headerRows)].map(cells),
    rows: rows.slice(headerRows).map(cells),
  }
  return caption(argument, reading) + tableHtml(table, reading)
}

/** A list of lists: each inner list is a row. */
export const listTable: Writer = ({ argument, options, content }, reading) => {
  const rows: string[][][] = []
  for (const line of content) {
    if (/^[*-]\s+[*-](?:\s|$)/.test(line)) rows.push([[line.replace(/^[*-]\s+[*-]\s*/, '')]])
    else if (/^\s{2}[*-](?:\s|$)/.test(line)) rows.at(-1)?.push([line.replace(/^\s+[*-]\s*/, '')])
    else
      rows
        .at(-1)
        ?.at(-1)
        ?.push(line.replace(/^ {1,4}/, ''))
  }
  const headerRows = Number(options.get('header-rows') ?? 0)
  return (
    caption(argument, reading) +
    tableHtml({ header: rows.slice(0, headerRows), rows: rows.slice(headerRows) }, reading)
  )
}

function caption(text: string, reading: RstReading): string {
  return text === '' ? '' : `<p><strong>${inlineHtml(text, reading.names)}</strong></p>`
}
