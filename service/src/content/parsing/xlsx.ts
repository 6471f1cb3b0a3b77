import readExcelFile, { type CellValue, type Sheet } from 'read-excel-file/node'
import { checkedZip } from './checked-zip.ts'
import { textLengthOf } from './document-text.ts'
import { escapeText } from './inline-markdown.ts'
import { lastSegment } from './last-segment.ts'
import { leftOutOf } from './left-out.ts'
import { ParseFailure } from './parse-failure.ts'
import type { Block, ParsedPage, ParseInput } from './parsing-blocks.ts'
import { sheetBlocks } from './sheet-blocks.ts'

const MAX_SHEETS = 50
const MANY_SHEETS = `Of a spreadsheet the first ${MAX_SHEETS} sheets are read.`

/** Reads a spreadsheet: each sheet that has anything in it as a table, with the results of its formulas. */
export async function parseXlsx(input: ParseInput): Promise<ParsedPage> {
  const sheets = await sheetsOf(checkedZip(input.bytes, (name) => /\.(?:xml|rels)$/i.test(name)))
  const told = new Set<string>()
  if (sheets.length > MAX_SHEETS) told.add(MANY_SHEETS)
  const filled = sheets
    .slice(0, MAX_SHEETS)
    .map(({ sheet, data }) => ({
      name: sheet,
      blocks: sheetBlocks(
        data.map((row) => row.map(textOf)),
        told,
      ),
    }))
    .filter(({ blocks }) => blocks.length > 0)
  const blocks = filled.flatMap(({ name, blocks: own }) =>
    filled.length === 1 ? own : [headingOf(name), ...own],
  )
  return {
    document: { title: lastSegment(input.url), language: undefined, blocks, ...leftOutOf(told) },
    textLength: textLengthOf(blocks),
    page: undefined,
  }
}

async function sheetsOf(buffer: Buffer): Promise<Sheet[]> {
  try {
    return await readExcelFile(buffer)
  } catch (error) {
    throw new ParseFailure('The file is not a spreadsheet (.xlsx), or it is broken.', { cause: error })
  }
}

const headingOf = (name: string): Block => ({
  kind: 'heading',
  depth: 2,
  text: escapeText(name.replaceAll(/[\p{C}\s]+/gu, ' ').trim()),
  anchor: undefined,
})

/** Excel counts days from here: what is before the year 1900 is a time of day. */
const FIRST_DAY = Date.UTC(1900, 0, 1)
/** Excel shows 15 digits; the file has those that a computer adds, such as 0.30000000000000004. */
const DIGITS = 15

/** The value of a cell as text: a date as 2026-05-31, with the time if it has one. A sheet has no time zone. */
function textOf(value: CellValue | null): string {
  const given: unknown = value
  if (typeof given === 'number') return String(Number(given.toPrecision(DIGITS)))
  if (typeof given === 'boolean') return String(given)
  if (!(given instanceof Date)) return typeof given === 'string' ? given : ''
  if (Number.isNaN(given.getTime())) return ''
  const [day = '', time = ''] = given.toISOString().split('T')
  if (given.getTime() < FIRST_DAY) return time.slice(0, 5)
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`
}
