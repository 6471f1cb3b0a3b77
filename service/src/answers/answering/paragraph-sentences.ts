import type { Nodes, Paragraph } from 'mdast'
import { isOwnLine } from '../../kernel/own-lines.ts'
import { sentencesOf } from '../../kernel/sentences.ts'
import { isParent, spanOf } from '../../platform/markdown/markdown-tree.ts'
import { plainTextOf } from '../../platform/markdown/plain-blocks.ts'

/** A sentence of a paragraph, as it stands there. */
export interface ParagraphSentence {
  /** Verbatim Markdown, with soft line breaks as spaces. */
  markdown: string
  plain: string
  /** What stands between the sentence before and this one: a space, none in Chinese, or a line break that readers see. */
  gap: string
}

const OPAQUE = new Set(['inlineCode', 'link', 'linkReference', 'image', 'html'])

/** Emphasis up to this length is not divided among quotes: each would have one of its two marks. Bold text may be whole paragraphs. */
const MAX_EMPHASIS = 300

/** The paragraph with code and links blanked out character by character, so that full stops in them do not end a sentence. */
function blankOut(paragraph: Paragraph, source: string): string {
  const { start, end } = spanOf(paragraph)
  let text = source.slice(start, end)
  const put = (node: Nodes, change: (old: string) => string) => {
    const span = spanOf(node)
    const [from, to] = [span.start - start, span.end - start]
    text = text.slice(0, from) + change(text.slice(from, to)) + text.slice(to)
  }
  const blot = (node: Nodes) => {
    if (OPAQUE.has(node.type)) put(node, (old) => 'x'.repeat(old.length))
    else if (isParent(node)) {
      node.children.forEach(blot)
      if (node.type === 'emphasis' || node.type === 'delete') put(node, withoutInnerEnds)
    }
  }
  blot(paragraph)
  return text.replaceAll(/(?<! {2})\n/g, ' ')
}

const withoutInnerEnds = (emphasis: string) =>
  emphasis.length > MAX_EMPHASIS
    ? emphasis
    : emphasis.replaceAll(/[\p{STerm}…](?=[^\p{STerm}…]*[\p{L}\p{N}])/gu, 'x')

/** A line break that readers see: two spaces before the end of the line. */
const HARD_BREAK = / {2}\n/
/** Soft line breaks are spaces; those that readers see stay. */
const joinSoftLines = (markdown: string) => markdown.replaceAll(/(?<!\s)[^\S\n]?\n\s*/g, ' ')

const CODE_OR_BOLD = /`[^`]*`|(?<!\\)\*\*/g

/** Bold text of several sentences begins in one and ends in another: the mark that is alone in a sentence is left out. */
function withoutLoneMark(markdown: string): string {
  const marks = [...markdown.matchAll(CODE_OR_BOLD)].filter(([mark]) => mark === '**')
  if (marks.length % 2 === 0) return markdown
  // Where emphases stand side by side (`*a**b*`) their number says nothing: only a mark that a reader would see is one too many.
  const seen = plainTextOf(markdown)
  if (markdown.startsWith('**') ? !seen.startsWith('**') : !seen.includes('**')) return markdown
  const lone = markdown.startsWith('**') ? 0 : (marks.at(-1)?.index ?? 0)
  return `${markdown.slice(0, lone)}${markdown.slice(lone + 2)}`.trim()
}

/** Signs that begin a list, a heading or a quote at the beginning of a line, and nothing in the midst of one: "Run it. # is a comment." */
export const asLineStart = (markdown: string): string =>
  markdown
    .replace(/^(?:#{1,6}(?=\s)|[-+*](?=\s)|>)/, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])(?=\s)/, String.raw`$1\$2`)

const lastLineOf = (text: string) => text.slice(text.trimEnd().lastIndexOf('\n') + 1)

interface Stretch {
  start: number
  end: number
}

/** The sentences of the text, together where a line break that readers see stands within one. */
function stretchesOf(blanked: string): Stretch[] {
  const stretches: Stretch[] = []
  for (const { start, end, text } of sentencesOf(blanked)) {
    const last = stretches.at(-1)
    const isBroken =
      last !== undefined &&
      HARD_BREAK.test(blanked.slice(start - 3, start)) &&
      !isOwnLine(lastLineOf(blanked.slice(last.start, start)), text)
    if (last !== undefined && isBroken) last.end = end
    else stretches.push({ start, end })
  }
  return stretches
}

/**
 * The sentences of a paragraph, in order: what is quoted of it.
 *
 * @param source the passage
 * @param markdown the paragraph without the indentation of its lines. If that removed any, the positions in it are not those of the
 * passage, and it is read whole.
 */
export function sentencesOfParagraph(
  paragraph: Paragraph,
  source: string,
  markdown: string,
): ParagraphSentence[] {
  const { start } = spanOf(paragraph)
  const isPlain = markdown === source.slice(start, start + markdown.length)
  const stretches = isPlain ? stretchesOf(blankOut(paragraph, source)) : [{ start: 0, end: markdown.length }]
  let reached = 0
  return stretches.flatMap((stretch) => {
    const whole = markdown.slice(stretch.start, stretch.end)
    const from = stretch.start + (whole.length - whole.trimStart().length)
    const text = withoutLoneMark(joinSoftLines(whole.trim()))
    const plain = plainTextOf(asLineStart(text))
    if (plain === '') return []
    const gap = joinSoftLines(markdown.slice(reached, from))
    reached = stretch.start + whole.trimEnd().length
    return [{ markdown: text, plain, gap }]
  })
}
