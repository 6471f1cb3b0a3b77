import type { Nodes, Paragraph, Table } from 'mdast'
import { isParent, parseMarkdown, plainTextOf, sentencesOf, spanOf } from '../citations/citations.ts'

/** A part of a page that can be quoted by itself. */
export interface QuotableUnit {
  kind: 'sentence' | 'code' | 'row'
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
const ANNOUNCES = /:\s*$|\b(?:following|as follows|example below|shown below)\b[^.]*\.?\s*$/i

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

function readParagraph(paragraph: Paragraph, next: Nodes | undefined, reading: Reading): void {
  const { start } = spanOf(paragraph)
  const source = sliceOf(paragraph, reading)
  // Positions hold only where nothing was taken off the lines; nested paragraphs of several lines are read whole.
  const isPlain = source === reading.source.slice(start, start + source.length)
  const sentences = isPlain
    ? sentencesOf(blotted(paragraph, reading))
    : [{ start: 0, end: source.length, text: source }]
  let before: string | undefined
  sentences.forEach((sentence, place) => {
    const markdown = source
      .slice(sentence.start, sentence.end)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' ')
    const plain = plainTextOf(markdown)
    if (plain === '') return
    const isLast = place === sentences.length - 1
    const block =
      isLast && next !== undefined && ANNOUNCES.test(plain) && isBlock(next)
        ? sliceOf(next, reading)
        : undefined
    const announced = block !== undefined && fits(block) ? block : undefined
    reading.units.push({ kind: 'sentence', markdown, plain, before, announced })
    before = markdown
  })
}

const isBlock = (node: Nodes) => node.type === 'code' || node.type === 'list' || node.type === 'table'

function readTable(table: Table, reading: Reading): void {
  const lines = sliceOf(table, reading).split('\n')
  const [header = '', rule = ''] = lines
  for (const row of lines.slice(2)) {
    reading.units.push({
      kind: 'row',
      markdown: [header, rule, row].join('\n'),
      plain: plainTextOf([header, rule, row].join('\n')),
      before: undefined,
      announced: undefined,
    })
  }
}

function readNode(node: Nodes, next: Nodes | undefined, reading: Reading): void {
  if (node.type === 'paragraph') readParagraph(node, next, reading)
  else if (node.type === 'table') readTable(node, reading)
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

/** The sentences, list items, code blocks and table rows of a passage, in its order. */
export function quotableUnits(markdown: string): QuotableUnit[] {
  const reading: Reading = { source: markdown, units: [] }
  readNode(parseMarkdown(markdown), undefined, reading)
  return reading.units
}
