import type { Nodes } from 'mdast'
import { contentWordsOf } from './content-words.ts'
import { isParent, parseMarkdown, spanOf } from '../../platform/markdown/markdown-tree.ts'
import { sentencesOf, type Sentence } from '../../kernel/sentences.ts'

/** Adjacent citation markers, such as `[1][2]` or `[1, 2]`, with the claim that they support. */
export interface MarkerGroup {
  /** Offsets in the answer, including the space before the first marker. */
  start: number
  end: number
  numbers: number[]
  /** Plain text of the sentence, or part of a sentence, that precedes the markers. */
  claim: string
  /** Further text that the markers cite: the blocks of the quote that contains them, without the markers. Empty outside of quotes. */
  quoted: readonly string[]
  /** The beginning of the whole quote, its blocks one after the other: words of a list that are too short to be found alone are in it. */
  wholeQuote: string
}

/** `[1]`, `[1, 2]`, and the brackets that some models use instead: `【1】`, `【1†source】`. */
const MARKER =
  // bounded: at most 1,200 characters after each bracket
  /(?<!\\)(?:\[\s{0,9}(\d{1,9}(?:\s{0,9}[,;]\s{0,9}\d{1,9}){0,40})\s{0,9}\]|【\s{0,9}(\d{1,9})[^】\n]{0,40}】)/gu

/** Limits of what a marker is compared with: the end of a longer claim, and the first blocks of a longer quote. */
const MAX_CLAIM_LENGTH = 1_500
const MAX_QUOTED_BLOCKS = 12
const MAX_QUOTE_LENGTH = 3_000
/** Maximum number of sentences before the marker's own that its claim may include. */
const SENTENCES_BEFORE = 5

/** Blocks whose text is read as a whole. A table row is one claim, across its cells. */
const CLAIM_BLOCKS = new Set(['paragraph', 'heading', 'tableRow'])
const NO_MARKERS_WITHIN = new Set([
  'link',
  'linkReference',
  'footnoteReference',
  'definition',
  'inlineCode',
  'html',
  'image',
])

/** A position of markers in the block's plain text. */
interface Found {
  start: number
  end: number
  numbers: number[]
  /** Offset in the plain text. */
  at: number
}

const unescaped = (source: string) => source.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

const GLUED = /[\p{L}\p{N}_.$)]/u
const BLANK = /[ \t]/
/** Maximum number of such characters that are read. */
const MAX_RUN = 200

/** The run of characters of a kind that directly precedes an offset. */
function runBefore(text: string, at: number, kind: RegExp): string {
  let start = at
  while (start > 0 && at - start < MAX_RUN && kind.test(text.charAt(start - 1))) start -= 1
  return text.slice(start, at)
}

/** The text of a block as a reader sees it without its markers, and the markers. */
interface BlockText {
  plain: string
  found: Found[]
}

function readBlock(block: Nodes, source: string, isVerbatim: (text: string) => boolean): BlockText {
  const read: BlockText = { plain: '', found: [] }

  function readText({ start, end }: { start: number; end: number }): void {
    const text = source.slice(start, end)
    let reached = 0
    for (const match of text.matchAll(MARKER)) {
      // "sys.argv[1]" is text of the page, not a citation.
      const glued = runBefore(text, match.index, GLUED)
      if (glued !== '' && isVerbatim(glued + match[0])) continue
      read.plain += unescaped(text.slice(reached, match.index))
      reached = match.index + match[0].length
      const numbers = (match[1] ?? match[2] ?? '').split(/[,;]/).map(Number)
      read.found.push({ start: start + match.index, end: start + reached, numbers, at: read.plain.length })
    }
    read.plain += unescaped(text.slice(reached))
  }

  function visit(node: Nodes, mayHoldMarkers: boolean): void {
    if (node.type === 'text' && mayHoldMarkers) readText(spanOf(node))
    else if (node.type === 'break') read.plain += ' '
    else if ('value' in node && node.type !== 'html') read.plain += node.value
    else if (isParent(node)) {
      for (const child of node.children) visit(child, mayHoldMarkers && !NO_MARKERS_WITHIN.has(child.type))
      if (node.type === 'tableCell') read.plain += ' '
    }
  }

  visit(block, true)
  return read
}

/**
 * The words that a marker at `at` cites: back to the previous marker, or to the start of the sentence;
 * further back if that part has no content words.
 */
function claimAt(
  plain: string,
  sentences: readonly Sentence[],
  at: number,
  previous: number,
): string | undefined {
  const end = at - runBefore(plain, at, /\s/).length
  const own = sentences.findIndex(({ start, end: sentenceEnd }) => end > start && end <= sentenceEnd)
  const sentenceIndex = Math.max(0, own)
  const sentence = sentences[sentenceIndex]
  if (sentence === undefined) return undefined
  const from = (start: number) => plain.slice(Math.max(start, end - MAX_CLAIM_LENGTH), end)
  // "What we want is:" has no content of its own: the citation belongs to the previous sentence.
  const before = sentences.slice(Math.max(0, sentenceIndex - SENTENCES_BEFORE), sentenceIndex).toReversed()
  const candidates = [
    from(Math.max(sentence.start, Math.min(previous, end))),
    from(sentence.start),
    sentence.text.slice(0, MAX_CLAIM_LENGTH),
    ...before.map(({ start }) => from(start)),
  ]
  return candidates.find((text) => contentWordsOf(text).length > 0)?.trim()
}

function groupsOf(source: string, { plain, found }: BlockText, blockBefore: string): MarkerGroup[] {
  const groups: (MarkerGroup & { at: number })[] = []
  const sentences = found.length === 0 ? [] : sentencesOf(plain)
  let previous = 0
  for (const marker of found) {
    const last = groups.at(-1)
    if (last !== undefined && source.slice(last.end, marker.start).trim() === '') {
      last.numbers.push(...marker.numbers)
      last.end = marker.end
      continue
    }
    if (last !== undefined) previous = last.at
    const claim = claimAt(plain, sentences, marker.at, previous) ?? blockBefore.slice(-MAX_CLAIM_LENGTH)
    const space = runBefore(source, marker.start, BLANK).length
    groups.push({
      start: marker.start - space,
      end: marker.end,
      numbers: [...marker.numbers],
      claim,
      quoted: [],
      wholeQuote: '',
      at: marker.at,
    })
  }
  return groups.map(({ at: _at, ...group }) => group)
}

/**
 * Finds the citation markers of an answer, parsed as Markdown: brackets in code, in a link or in a footnote do not count.
 *
 * @param isVerbatim - whether a text such as `argv[1]` occurs literally in the evidence
 */
export function findMarkers(answer: string, isVerbatim: (text: string) => boolean): MarkerGroup[] {
  // Most quotes have none, and parsing takes most of the time of an answer.
  if (answer.search(MARKER) === -1) return []
  const groups: MarkerGroup[] = []
  let blockBefore = ''
  let quote: string[] | undefined
  const visit = (node: Nodes) => {
    if (node.type === 'blockquote' && quote === undefined) {
      const before = groups.length
      quote = []
      for (const child of node.children) visit(child)
      const wholeQuote = quote.join(' ').slice(0, MAX_QUOTE_LENGTH)
      for (const group of groups.slice(before)) {
        group.quoted = quote.slice(0, MAX_QUOTED_BLOCKS)
        group.wholeQuote = wholeQuote
      }
      quote = undefined
    } else if (CLAIM_BLOCKS.has(node.type)) {
      const block = readBlock(node, answer, isVerbatim)
      quote?.push(block.plain)
      groups.push(...groupsOf(answer, block, blockBefore))
      if (contentWordsOf(block.plain).length > 0)
        blockBefore = sentencesOf(block.plain.trim()).at(-1)?.text ?? ''
    } else if (node.type === 'code') {
      blockBefore = node.value
      quote?.push(node.value)
    } else if (isParent(node)) {
      for (const child of node.children) visit(child)
    }
  }
  visit(parseMarkdown(answer))
  return groups
}
