import { extractTextItems, getDocumentProxy, getMeta } from 'unpdf'
import { textLengthOf, withoutTitle } from './document-text.ts'
import { oneLine } from './html-tree.ts'
import { escapeLineStart, escapeText } from './inline-markdown.ts'
import { lastSegment } from './last-segment.ts'
import { leftOutOf } from './left-out.ts'
import { ParseFailure } from './parse-failure.ts'
import type { Block, ParsedPage, ParseInput } from './parsing-blocks.ts'
import { linesOfPage, withoutRunningLines, type PdfLine } from './pdf-lines.ts'

const MAX_PAGES = 2_000
/** Empty pages that a book may have between its chapters; and the share of all pages from which on they are more than that. */
const EMPTY_PAGES = 3
const EMPTY_SHARE = 0.1
const SCANS = 'Pages of a PDF that have no text, such as scans, are left out.'
/** A line whose letters are this much larger than most is a heading. */
const HEADING_RATIO = 1.15
const MAX_HEADING_LENGTH = 150

/** Reads a PDF: headings by font size, paragraphs by line spacing, an anchor for each page. */
export async function parsePdf(input: ParseInput): Promise<ParsedPage> {
  const pdf = await open(input.bytes)
  if (pdf.numPages > MAX_PAGES) throw new ParseFailure(`The PDF has more than ${MAX_PAGES} pages.`)
  const { items } = await extractTextItems(pdf)
  const printed = items.map((page, index) => linesOfPage(page, index + 1))
  const pages = withoutRunningLines(printed)
  const read = blocksOf(pages)
  if (textLengthOf(read) === 0)
    throw new ParseFailure('The PDF contains no text, only images (perhaps it is a scan).')
  const empty = items.filter((page) => page.every(({ str }) => str.trim() === '')).length
  const isScanned = empty >= EMPTY_PAGES && empty >= printed.length * EMPTY_SHARE
  const { info } = await getMeta(pdf)
  const title = statedTitle(info['Title']) ?? largestLine(printed[0] ?? []) ?? lastSegment(input.url)
  const blocks = withoutTitle(read, title)
  return {
    document: { title, language: undefined, blocks, ...leftOutOf(isScanned ? [SCANS] : []) },
    textLength: textLengthOf(blocks),
    page: undefined,
  }
}

async function open(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw new ParseFailure(
      isLocked ? 'The PDF is locked with a password.' : 'The file is not a PDF, or it is broken.',
      { cause: error },
    )
  }
}

/** Ignores titles that programs generate. */
function statedTitle(title: unknown): string | undefined {
  if (typeof title !== 'string') return undefined
  const line = oneLine(title)
  return line === '' || /^untitled|^microsoft word|\.(?:docx?|dvi|tex|indd|pdf)$/i.test(line)
    ? undefined
    : line
}

function largestLine(lines: readonly PdfLine[]): string | undefined {
  const largest = Math.max(0, ...lines.map(({ size }) => size))
  const title = lines
    .filter(({ size, text }) => size >= largest * 0.98 && text.length <= MAX_HEADING_LENGTH)
    .slice(0, 2)
  return title.map(({ text }) => text).join(' ') || undefined
}

function blocksOf(pages: readonly PdfLine[][]): Block[] {
  const sizes = headingSizes(pages)
  const blocks: Block[] = []
  let paragraph: PdfLine[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', markdown: joinLines(paragraph) })
    paragraph = []
  }
  for (const [index, lines] of pages.entries()) {
    for (const [row, line] of lines.entries()) {
      const depth = headingDepth(line, sizes)
      const last = paragraph.at(-1)
      if (depth !== undefined || (last !== undefined && startsParagraph(last, line))) endParagraph()
      if (row === 0 && (paragraph.length === 0 || depth !== undefined))
        blocks.push({ kind: 'anchor', anchor: `page=${index + 1}` })
      if (depth === undefined) paragraph.push(line)
      else pushHeading(blocks, line, depth)
    }
  }
  endParagraph()
  return blocks
}

/** Two consecutive lines of the same size are one heading. */
function pushHeading(blocks: Block[], line: PdfLine, depth: number) {
  const last = blocks.at(-1)
  if (last?.kind === 'heading' && last.depth === depth && !/^\d+(?:\.\d+)*\s/.test(line.text)) {
    last.text = `${last.text} ${escapeText(line.text)}`
    return
  }
  blocks.push({ kind: 'heading', depth, text: escapeText(line.text), anchor: `page=${line.page}` })
}

/** Font sizes larger than that of most text, largest first; at most four. */
function headingSizes(pages: readonly PdfLine[][]): number[] {
  const lettersBySize = new Map<number, number>()
  for (const { size, text } of pages.flat()) {
    const rounded = Math.round(size * 2) / 2
    lettersBySize.set(rounded, (lettersBySize.get(rounded) ?? 0) + text.length)
  }
  const bySize = [...lettersBySize].sort(([, one], [, other]) => other - one)
  const body = bySize[0]?.[0] ?? 0
  const larger = bySize.map(([size]) => size).filter((size) => size >= body * HEADING_RATIO)
  return larger.sort((one, other) => other - one).slice(0, 4)
}

function headingDepth({ size, text }: PdfLine, sizes: readonly number[]): number | undefined {
  const rank = sizes.findIndex((each) => Math.abs(each - size) <= 0.3)
  return rank < 0 || text.length > MAX_HEADING_LENGTH || !/\p{L}{2}/u.test(text) ? undefined : rank + 1
}

function startsParagraph(last: PdfLine, line: PdfLine): boolean {
  if (last.page !== line.page) return /[.!?:;]$/.test(last.text)
  const gap = last.y - line.y
  const isList = /^(?:[•▪–◦*-]|\d+[.)])\s/.test(line.text)
  // A line that ends early is the last of its paragraph, or one of many single lines.
  if (last.right < line.pageRight * 0.7) return true
  return gap > last.size * 1.75 || gap < 0 || isList || Math.abs(last.size - line.size) > last.size * 0.2
}

/** Rejoins words that were hyphenated at the end of a line. */
function joinLines(lines: readonly PdfLine[]): string {
  const text = lines.reduce((joined, { text }) => {
    if (joined === '') return text
    if (joined.endsWith('_')) return joined + text
    return /\p{Ll}-$/u.test(joined) && /^\p{Ll}/u.test(text)
      ? joined.slice(0, -1) + text
      : `${joined} ${text}`
  }, '')
  return escapeLineStart(escapeText(text.replace(/^[•▪◦]\s*/, '')))
}
