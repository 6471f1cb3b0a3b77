import type { List, Nodes, Paragraph, Table } from 'mdast'
import { isParent, parseMarkdown, spanOf } from '../../platform/markdown/markdown-tree.ts'
import { plainTextOf } from '../../platform/markdown/plain-blocks.ts'
import { sentencesOf } from '../citations/citations.ts'

/** A part of a page that can be quoted by itself. */
export interface QuotableUnit {
  kind: 'sentence' | 'code' | 'row' | 'facts'
  /** Verbatim Markdown, but for the space around it. */
  markdown: string
  /** What a reader sees of it. */
  plain: string
  /** The sentence before it in the same paragraph. */
  before: string | undefined
  /** The block that it announces ("The following example:"), verbatim. */
  announced: string | undefined
}

/** Blocks longer than this are not quoted whole, and so not at all. In lines. */
const LONGEST_BLOCK_LINES = 24
/** Longer lists are quoted by their items. In characters. */
const LONGEST_FACTS = 400
/** Rows, items and sentences of one block that are read. A passage has some twenty. */
const MOST_OF_A_BLOCK = 80
/** Up to this length an announcement says nothing by itself. */
const SHORT_CHARACTERS = 20
const ANNOUNCES = /\b(?:following|as follows|example below|shown below)\b/i

/** Units of a passage. Further ones are not read. */
const MOST_UNITS = 160

interface Reading {
  source: string
  units: QuotableUnit[]
}

const sliceOf = (node: Nodes, { source }: Reading) => {
  const { start, end } = spanOf(node)
  // Lines of a nested block keep the indentation of its place in the page: it is taken off.
  const column = (node.position?.start.column ?? 1) - 1
  return source.slice(start, end).replaceAll(new RegExp(`\\n[ ]{0,${column}}`, 'g'), '\n')
}

const fits = (block: string) => block.split('\n').length <= LONGEST_BLOCK_LINES

/** The paragraph with code and links blotted out letter by letter: full stops in them end no sentence. */
function blotted(paragraph: Paragraph, { source }: Reading): string {
  const { start, end } = spanOf(paragraph)
  let text = source.slice(start, end)
  const blot = (node: Nodes) => {
    if (['inlineCode', 'link', 'linkReference', 'image', 'html'].includes(node.type)) {
      const span = spanOf(node)
      const length = span.end - span.start
      text = text.slice(0, span.start - start) + 'x'.repeat(length) + text.slice(span.end - start)
    } else if (isParent(node)) node.children.forEach(blot)
  }
  blot(paragraph)
  return text.replaceAll('\n', ' ')
}

/** Whether a text ends with a colon, or its last sentence says that something follows. */
function announces(plain: string): boolean {
  const said = plain.trimEnd()
  const lastFullStop = said.lastIndexOf('.', said.length - 2)
  return said.endsWith(':') || ANNOUNCES.test(said.slice(lastFullStop + 1))
}

/** The block behind a sentence when it belongs to it: announced in words, or an example under a line of its own. */
function announcedBlock(plain: string, isOnly: boolean, next: Nodes | undefined, reading: Reading) {
  if (next === undefined || !isBlock(next)) return undefined
  // Some pages set their examples as quotes.
  const isExample = isOnly && (next.type === 'code' || next.type === 'blockquote')
  if (!announces(plain) && !isExample) return undefined
  const block = sliceOf(next, reading)
  return fits(block) ? block : undefined
}

function readParagraph(paragraph: Paragraph, next: Nodes | undefined, reading: Reading): void {
  const { start } = spanOf(paragraph)
  const source = sliceOf(paragraph, reading)
  // Positions hold only where nothing was taken off the lines; nested paragraphs of several lines are read whole.
  const isPlain = source === reading.source.slice(start, start + source.length)
  const sentences = isPlain
    ? sentencesOf(blotted(paragraph, reading))
    : [{ start: 0, end: source.length, text: source }]
  let last: QuotableUnit | undefined
  sentences.slice(0, MOST_OF_A_BLOCK).forEach((sentence, place) => {
    const markdown = source
      .slice(sentence.start, sentence.end)
      .trim()
      .replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
    const plain = plainTextOf(markdown)
    if (plain === '') return
    const isEnd = place === sentences.length - 1
    const announced = isEnd ? announcedBlock(plain, sentences.length === 1, next, reading) : undefined
    if (last !== undefined && plain.length < SHORT_CHARACTERS && plain.endsWith(':')) {
      // "For example:" belongs to what it is an example of.
      Object.assign(last, {
        markdown: `${last.markdown} ${markdown}`,
        plain: `${last.plain} ${plain}`,
        announced,
      })
      return
    }
    last = { kind: 'sentence', markdown, plain, before: last?.markdown, announced }
    reading.units.push(last)
  })
}

const isBlock = ({ type }: Nodes) => ['code', 'list', 'table', 'blockquote'].includes(type)

function readTable(table: Table, reading: Reading): void {
  const lines = sliceOf(table, reading).split('\n')
  const [header = '', rule = ''] = lines
  for (const row of lines.slice(2, 2 + MOST_OF_A_BLOCK)) {
    reading.units.push({
      kind: 'row',
      markdown: [header, rule, row].join('\n'),
      plain: plainTextOf([header, rule, row].join('\n')),
      before: undefined,
      announced: undefined,
    })
  }
}

/** `Default: 3000`: a name, and what it is. */
const FACT = /^[^\s:][^:\n]{1,30}:\s+\S/

/** A short list of facts (type, default, since) says little in parts: it is one unit. */
function readFacts(list: List, reading: Reading): boolean {
  if (list.children.length > MOST_OF_A_BLOCK) return false
  const lines = list.children.map((item) =>
    item.children.length === 1 ? plainTextOf(sliceOf(item, reading)) : '',
  )
  if (list.children.length < 2 || !lines.every((line) => FACT.test(line))) return false
  const markdown = sliceOf(list, reading)
  if (markdown.length > LONGEST_FACTS) return false
  reading.units.push({
    kind: 'facts',
    markdown,
    plain: lines.join('\n'),
    before: undefined,
    announced: undefined,
  })
  return true
}

function readNode(node: Nodes, next: Nodes | undefined, reading: Reading): void {
  if (reading.units.length >= MOST_UNITS) return
  if (node.type === 'paragraph') readParagraph(node, next, reading)
  else if (node.type === 'table') readTable(node, reading)
  else if (node.type === 'list' && readFacts(node, reading)) return
  else if (node.type === 'code') {
    const markdown = sliceOf(node, reading)
    const unit = {
      kind: 'code',
      markdown,
      plain: node.value,
      before: undefined,
      announced: undefined,
    } as const
    if (fits(markdown)) reading.units.push(unit)
  } else if (node.type !== 'heading' && isParent(node)) {
    node.children.forEach((child, place) => readNode(child, node.children[place + 1], reading))
  }
}

/** Beginnings that cannot be understood without the sentence before. */
const LEANS_BACK =
  /^(?:it|its|this|that|these|those|they|their|such|he|she|here|there|however|otherwise|also|but|so|then|thus|therefore|instead|in this case|if so|additionally|furthermore|moreover)\b/i

/** Whether a unit cannot be understood by itself. */
export const leansBack = ({ kind, plain }: QuotableUnit) => kind === 'sentence' && LEANS_BACK.test(plain)

/** The sentences, list items, code blocks and table rows of a passage, in its order. */
export function quotableUnits(markdown: string): QuotableUnit[] {
  const reading: Reading = { source: markdown, units: [] }
  readNode(parseMarkdown(markdown), undefined, reading)
  return reading.units.slice(0, MOST_UNITS)
}
