import type { List, Nodes, Paragraph, Parent, Table } from 'mdast'
import { isParent, parseMarkdown, spanOf } from '../../platform/markdown/markdown-tree.ts'
import { plainTextOf } from '../../platform/markdown/plain-blocks.ts'
import { sentencesOfParagraph } from './paragraph-sentences.ts'

/** A part of a page that can be quoted on its own. */
export interface QuotableUnit {
  kind: 'sentence' | 'code' | 'row' | 'facts'
  /** Verbatim Markdown, except for surrounding white space. */
  markdown: string
  /** The text that a reader sees. */
  plain: string
  /** The preceding sentence in the same paragraph. */
  before: string | undefined
  /** What stands between that and this one. */
  gap: string
  /** The block that it announces ("The following example:"), verbatim. */
  announced: string | undefined
  /** Number of its block: sentences of one paragraph have the same. */
  block: number
  /** Number of its section: tiny ones share a passage. */
  section: number
  /** Whether its block is an item of a list. */
  isItem: boolean
  /** Its item, if it is a sentence of one. */
  item: ListItem | undefined
  /** What introduces the list of which it begins an item. */
  lead: ListLead | undefined
}

/** An item of a list. */
export interface ListItem {
  /** Its own, with a space: `- ` or `3. `. */
  marker: string
  isOrdered: boolean
  /** Width of the markers of the items that it is within. */
  indent: number
  /** Number of its list in the passage, and of the item in it, from 0, and how many that has. */
  list: number
  place: number
  size: number
  /** Whether another paragraph of the item stands before. */
  isBegun: boolean
}

/** The line above a list, and whether other items stand between. */
interface ListLead {
  markdown: string
  isSkipping: boolean
}

/** Maximum length of a block in lines. Blocks are only quoted whole, so longer ones are not quoted. */
const MAX_BLOCK_LINES = 24
/** Maximum length of a list of facts in characters. Of longer lists single items are quoted. */
const MAX_FACTS_LENGTH = 400
/** Maximum of rows, items and sentences that are read of one block. A passage has about twenty. */
const MAX_UNITS_OF_BLOCK = 80
/** An announcement of up to this length has no content of its own. */
const MIN_ANNOUNCEMENT_LENGTH = 20
const ANNOUNCES = /\b(?:following|as follows|example below|shown below)\b/i

/** Maximum of units that are read of a passage. */
const MAX_UNITS = 160

interface Reading {
  source: string
  units: QuotableUnit[]
  /** Blocks read so far. */
  blocks: number
  /** Offsets at which a section starts whose heading is not part of the text. */
  starts: readonly number[]
  /** Whether an item of a list is being read. */
  isItem: boolean
  item: ListItem | undefined
  /** Lists read so far. */
  lists: number
  /** What introduces the list, until the first sentence of an item has it. */
  lead: ListLead | undefined
}

const sliceOf = (node: Nodes, { source }: Reading) => {
  const { start, end } = spanOf(node)
  // Lines of a nested block keep their indentation from the page: it is removed.
  const column = (node.position?.start.column ?? 1) - 1
  return source.slice(start, end).replaceAll(new RegExp(`\\n[ ]{0,${column}}`, 'g'), '\n')
}

const fits = (block: string) => block.split('\n').length <= MAX_BLOCK_LINES

/** A line of code that goes on in the next one. */
const GOES_ON = /(?:\\|&&|[,([{|])$/

/** Whether a block is code at the end of its passage that goes on in the next passage: long blocks are divided among several. */
function isCutOff(block: Nodes, { source }: Reading): boolean {
  if (block.type !== 'code' || spanOf(block).end < source.trimEnd().length) return false
  return GOES_ON.test(block.value.trimEnd())
}

/** Whether a text ends with a colon, its last sentence announces something, or goes on in code: "Finally, run". */
function announces(plain: string, next: Nodes): boolean {
  const said = plain.trimEnd()
  if (next.type === 'code' && /[\p{L}\p{N},]$/u.test(said)) return true
  const lastFullStop = said.lastIndexOf('.', said.length - 2)
  return said.endsWith(':') || ANNOUNCES.test(said.slice(lastFullStop + 1))
}

/** The block after a sentence if it belongs to it: announced in words, or an example below a single line. */
function announcedBlock(plain: string, isOnly: boolean, next: Nodes | undefined, reading: Reading) {
  if (next === undefined || !isBlock(next)) return undefined
  // Some pages format their examples as block quotes.
  const isExample = isOnly && (next.type === 'code' || next.type === 'blockquote')
  if (!announces(plain, next) && !isExample) return undefined
  const block = sliceOf(next, reading)
  return fits(block) && !isCutOff(next, reading) ? block : undefined
}

function readParagraph(paragraph: Paragraph, next: Nodes | undefined, reading: Reading): void {
  const { start } = spanOf(paragraph)
  const block = (reading.blocks += 1)
  const section = sectionAt(start, reading)
  const sentences = sentencesOfParagraph(paragraph, reading.source, sliceOf(paragraph, reading))
  let last: QuotableUnit | undefined
  sentences.slice(0, MAX_UNITS_OF_BLOCK).forEach(({ markdown, plain, gap }, index) => {
    const isEnd = index === sentences.length - 1
    const announced = isEnd ? announcedBlock(plain, sentences.length === 1, next, reading) : undefined
    if (last !== undefined && plain.length < MIN_ANNOUNCEMENT_LENGTH && plain.endsWith(':')) {
      // "For example:" belongs to the sentence that it exemplifies.
      Object.assign(last, {
        markdown: `${last.markdown}${gap}${markdown}`,
        plain: `${last.plain} ${plain}`,
        announced,
      })
      return
    }
    const { isItem, item, lead } = reading
    reading.lead = undefined
    reading.item = item && { ...item, isBegun: true }
    const before = last?.markdown
    last = { kind: 'sentence', markdown, plain, before, gap, announced, block, section, isItem, item, lead }
    reading.units.push(last)
  })
}

const sectionAt = (offset: number, { starts }: Pick<Reading, 'starts'>) =>
  starts.filter((start) => start <= offset).length

/** What a unit that is a whole block, or a row of one, has to say of its surroundings. */
const alone = (block: Nodes, { blocks, isItem, ...reading }: Reading) => ({
  before: undefined,
  gap: '',
  item: undefined,
  announced: undefined,
  block: blocks,
  section: sectionAt(spanOf(block).start, reading),
  isItem,
  lead: undefined,
})

const isBlock = ({ type }: Nodes) => ['code', 'list', 'table', 'blockquote'].includes(type)

function readTable(table: Table, reading: Reading): void {
  const lines = sliceOf(table, reading).split('\n')
  const [header = '', rule = ''] = lines
  reading.blocks += 1
  for (const row of lines.slice(2, 2 + MAX_UNITS_OF_BLOCK)) {
    reading.units.push({
      kind: 'row',
      markdown: [header, rule, row].join('\n'),
      plain: plainTextOf([header, rule, row].join('\n')),
      ...alone(table, reading),
    })
  }
}

/** `Default: 3000`: a name and its value. */
const FACT = /^[^\s:][^:\n]{1,30}:\s+\S/

/** A short list of facts (type, default, since) is one unit: single items have little meaning. */
function readFacts(list: List, reading: Reading): boolean {
  if (list.children.length > MAX_UNITS_OF_BLOCK) return false
  const lines = list.children.map((item) =>
    item.children.length === 1 ? plainTextOf(sliceOf(item, reading)) : '',
  )
  if (list.children.length < 2 || !lines.every((line) => FACT.test(line))) return false
  const markdown = sliceOf(list, reading)
  if (markdown.length > MAX_FACTS_LENGTH) return false
  reading.blocks += 1
  reading.units.push({ kind: 'facts', markdown, plain: lines.join('\n'), ...alone(list, reading) })
  return true
}

/** Longest line above a list that is repeated above a single item. */
const MAX_LEAD_LENGTH = 200

/** The line that introduces a list, which is read next: "Use it if:". */
function lineAbove({ units }: Reading): string | undefined {
  const last = units.at(-1)
  const isLead = last?.kind === 'sentence' && last.plain.endsWith(':')
  return isLead && last.markdown.length <= MAX_LEAD_LENGTH ? last.markdown : undefined
}

function readNode(node: Nodes, next: Nodes | undefined, reading: Reading): void {
  if (reading.units.length >= MAX_UNITS) return
  if (node.type === 'paragraph') readParagraph(node, next, reading)
  else if (node.type === 'table') readTable(node, reading)
  else if (node.type === 'list' && readFacts(node, reading)) return
  else if (node.type === 'code') {
    const markdown = sliceOf(node, reading)
    reading.blocks += 1
    if (fits(markdown) && !isCutOff(node, reading))
      reading.units.push({ kind: 'code', markdown, plain: node.value, ...alone(node, reading) })
  } else if (node.type !== 'heading' && isParent(node)) readParent(node, reading)
}

/** The item of a list that is read next. */
function itemOf(item: Nodes, list: List, place: number, { source, item: outer, lists }: Reading): ListItem {
  const sign = /^(?:\d{1,9}[.)]|[-*+])/.exec(source.slice(spanOf(item).start))?.[0] ?? '-'
  const isOrdered = list.ordered === true
  return {
    marker: isOrdered ? `${sign} ` : '- ',
    isOrdered,
    indent: outer === undefined ? 0 : outer.indent + outer.marker.length,
    list: lists,
    place,
    size: list.children.length,
    isBegun: false,
  }
}

function readParent(node: Nodes & Parent, reading: Reading): void {
  const { isItem: wasItem, item: outer } = reading
  const above = node.type === 'list' ? lineAbove(reading) : undefined
  if (node.type === 'list') reading.lists += 1
  const { lists } = reading
  reading.isItem = node.type === 'listItem' || (wasItem && node.type !== 'list')
  node.children.forEach((child, index) => {
    if (node.type === 'list') reading.item = itemOf(child, node, index, { ...reading, item: outer, lists })
    reading.lead = above === undefined ? reading.lead : { markdown: above, isSkipping: index > 0 }
    readNode(child, node.children[index + 1], reading)
    reading.lead = undefined
  })
  reading.isItem = wasItem
  if (node.type === 'list') reading.item = outer && { ...outer, isBegun: true }
}

/** Beginnings that cannot be understood without the previous sentence. */
const DEPENDS_ON_PREVIOUS =
  /^(?:it|its|this|that|these|those|they|their|such|he|she|here|there|however|otherwise|also|but|so|then|thus|therefore|instead|in (?:this|that|such a|both) cases?|if so|if not|additionally|furthermore|moreover|and|or|yet|hence|afterwards|alternatively|similarly|likewise|for (?:this|that|these|example|instance)|to (?:do (?:so|this|that)|avoid (?:this|that))|in (?:the meantime|order to (?:do|avoid) (?:so|this|that))|as a result|both (?:are|can|do|have|may|must|need|of|should|these|will)|the (?:former|latter|above)|finally)\b/i

/** Whether a unit cannot be understood on its own. */
export const dependsOnPrevious = ({ kind, plain }: QuotableUnit) =>
  kind === 'sentence' && DEPENDS_ON_PREVIOUS.test(plain)

const known = new WeakMap<object, QuotableUnit[]>()

/** The units of a passage that was found, read once. */
export function unitsOfPassage(
  passage: Readonly<{ text: string; places: readonly { at: number }[] }>,
): readonly QuotableUnit[] {
  const units =
    known.get(passage) ??
    quotableUnits(
      passage.text,
      passage.places.map(({ at }) => at),
    )
  known.set(passage, units)
  return units
}

/**
 * The sentences, list items, code blocks and table rows of a passage, in order.
 *
 * @param starts - offsets at which a section starts whose heading is not part of the text
 */
export function quotableUnits(markdown: string, starts: readonly number[] = []): QuotableUnit[] {
  const reading: Reading = {
    source: markdown,
    units: [],
    blocks: 0,
    starts,
    isItem: false,
    item: undefined,
    lists: 0,
    lead: undefined,
  }
  readNode(parseMarkdown(markdown), undefined, reading)
  return reading.units.slice(0, MAX_UNITS)
}
