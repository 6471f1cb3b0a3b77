import GithubSlugger from 'github-slugger'
import { decodeText } from './charset.ts'
import { textLengthOf, withoutTitle } from './document-text.ts'
import { readFragment } from './html.ts'
import { lastSegment } from './last-segment.ts'
import { leftOutOf } from './left-out.ts'
import { markdownHtml } from './markdown-html.ts'
import { ParseFailure } from './parse-failure.ts'
import type { Block, ParsedPage, ParseInput } from './parsing-blocks.ts'
import { plainText } from './plain-text.ts'
import { listIn, recordIn, textIn, type Json } from './json-reading.ts'
import { parseJson } from '../../kernel/json.ts'

/** A longer output is data rather than text: only its beginning is kept. */
const MAX_OUTPUT_LINES = 50
const MAX_OUTPUT_CHARACTERS = 5_000
/** HTML of a table that is read as one; of a longer one its plain text is. */
const MAX_TABLE_CHARACTERS = 50_000
const CUT = `Of the output of one cell the first ${MAX_OUTPUT_LINES} lines are read, and ${MAX_OUTPUT_CHARACTERS.toLocaleString('en')} characters.`

/** Reads a Jupyter notebook (format 3 or 4): its Markdown, its code, and the beginning of the code's outputs. */
export function parseNotebook(input: ParseInput): ParsedPage {
  const notebook = recordIn(parseJson(decodeText(input.bytes, { charset: 'utf-8', mayDeclare: false })))
  const sheet = recordIn(listIn(notebook['worksheets'])[0])
  const cells = listIn(notebook['cells'] ?? sheet['cells'])
  if (notebook['cells'] === undefined && sheet['cells'] === undefined)
    throw new ParseFailure('The file is not a Jupyter notebook: it is broken JSON or has no cells.')
  const metadata = recordIn(notebook['metadata'])
  const language =
    textIn(recordIn(metadata['language_info'])['name']) ??
    textIn(recordIn(metadata['kernelspec'])['language']) ??
    'python'
  const slugger = new GithubSlugger()
  let heading: string | undefined
  const told = new Set<string>()
  const read = cells.flatMap((value): Block[] => {
    const cell = recordIn(value)
    const source = textIn(cell['source'] ?? cell['input']) ?? ''
    if (source.trim() === '') return []
    if (cell['cell_type'] === 'code')
      return [{ kind: 'code', language, code: source.trimEnd() }, ...outputsOf(cell, input.url, told)]
    if (cell['cell_type'] !== 'markdown' && cell['cell_type'] !== 'heading') return []
    const depth = Number(cell['level'] ?? 1)
    const markdown = cell['cell_type'] === 'heading' ? `${'#'.repeat(depth)} ${source}` : source
    const piece = markdownHtml(markdown, slugger)
    heading ??= piece.heading
    return readFragment(piece.html, input.url)
  })
  const title = plainText(heading ?? textIn(metadata['title']) ?? '') || lastSegment(input.url)
  const blocks = withoutTitle(read, title)
  return {
    document: { title, language: undefined, blocks, ...leftOutOf(told) },
    textLength: textLengthOf(blocks),
    page: undefined,
  }
}

function outputsOf(cell: Json, url: string, told: Set<string>): Block[] {
  return listIn(cell['outputs']).flatMap((value): Block[] => {
    const output = recordIn(value)
    const shown = recordIn(output['data'] ?? output)
    const html = textIn(shown['text/html'])
    // Data frames and the like; other HTML outputs are drawings.
    if (html?.includes('<table') && html.length < MAX_TABLE_CHARACTERS) {
      const tables = readFragment(html, url).filter((block) => block.kind === 'table')
      if (tables.some(({ rows }) => rows.length > MAX_OUTPUT_LINES)) told.add(CUT)
      return tables.map((table) => ({ ...table, rows: table.rows.slice(0, MAX_OUTPUT_LINES) }))
    }
    const text = textIn(output['text']) ?? textIn(shown['text/plain'])
    const code = text === undefined ? '' : beginning(text, told)
    return code === '' ? [] : [{ kind: 'code', language: undefined, code }]
  })
}

// Terminal colours.
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001B\[[\d;]*[A-Za-z]/g

function beginning(output: string, told: Set<string>): string {
  const whole = output.replaceAll(ESCAPES, '').trimEnd()
  const kept = whole.split('\n').slice(0, MAX_OUTPUT_LINES).join('\n').slice(0, MAX_OUTPUT_CHARACTERS)
  if (kept.length === whole.length) return kept
  told.add(CUT)
  return `${kept}\n…`
}
