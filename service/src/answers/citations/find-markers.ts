import type { Nodes } from 'mdast'
import { contentWordsOf } from './content-words.ts'
import { isParent, parseMarkdown, spanOf } from '../../platform/markdown/markdown-tree.ts'
import { sentencesOf, type Sentence } from './sentences.ts'

/** Citation markers that stand together, such as `[1][2]` or `[1, 2]`, with what they are to prove. */
export interface MarkerGroup {
  /** Offsets in the answer, the space before the first marker included. */
  start: number
  end: number
  numbers: number[]
  /** Plain text of the sentence, or the part of it, that the markers end. */
  claim: string
  /** What else the markers vouch for: the blocks of the quote that they stand in, without them. Outside of quotes none. */
  quoted: readonly string[]
}

/** `[1]`, `[1, 2]`, and the brackets that some models prefer: `【1】`, `【1†source】`. */
const MARKER =
  // bounded: at most 1,200 characters after each bracket
  /(?<!\\)(?:\[\s{0,9}(\d{1,9}(?:\s{0,9}[,;]\s{0,9}\d{1,9}){0,40})\s{0,9}\]|【\s{0,9}(\d{1,9})[^】\n]{0,40}】)/gu

/** What a marker is compared by: the end of a longer claim, and the first blocks of a longer quote. */
const LONGEST_CLAIM = 1_500
const MOST_QUOTED = 12
/** Sentences before the marker's own of which its claim may be made. */
const SENTENCES_BEFORE = 5

/** Blocks whose text is read as a whole. A table's row is one claim, whatever its cells. */
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

/** A place in the block's plain text where markers stood. */
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
/** Longest run of such signs that is looked at. */
const LONGEST_RUN = 200

/** The signs of a kind that stand together right before a place. */
function endOf(text: string, at: number, kind: RegExp): string {
  let start = at
  while (start > 0 && at - start < LONGEST_RUN && kind.test(text.charAt(start - 1))) start -= 1
  return text.slice(start, at)
}

/** The text of a block as a reader sees it, and the markers in it, which are left out of that text. */
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
      // "sys.argv[1]" is what the page says, not a citation.
      const glued = endOf(text, match.index, GLUED)
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
 * The words that a marker at `at` is to prove: back to the marker before it, or to the start of the sentence;
 * further back where that has no word that carries meaning.
 */
function claimAt(
  plain: string,
  sentences: readonly Sentence[],
  at: number,
  previous: number,
): string | undefined {
  const end = at - endOf(plain, at, /\s/).length
  const own = sentences.findIndex(({ start, end: sentenceEnd }) => end > start && end <= sentenceEnd)
  const place = Math.max(0, own)
  const sentence = sentences[place]
  if (sentence === undefined) return undefined
  const from = (start: number) => plain.slice(Math.max(start, end - LONGEST_CLAIM), end)
  // "What we want is:" says nothing by itself: the sentence before it is what is cited.
  const before = sentences.slice(Math.max(0, place - SENTENCES_BEFORE), place).toReversed()
  const candidates = [
    from(Math.max(sentence.start, Math.min(previous, end))),
    from(sentence.start),
    sentence.text.slice(0, LONGEST_CLAIM),
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
    const claim = claimAt(plain, sentences, marker.at, previous) ?? blockBefore.slice(-LONGEST_CLAIM)
    const space = endOf(source, marker.start, BLANK).length
    groups.push({
      start: marker.start - space,
      end: marker.end,
      numbers: [...marker.numbers],
      claim,
      quoted: [],
      at: marker.at,
    })
  }
  return groups.map(({ start, end, numbers, claim, quoted }) => ({ start, end, numbers, claim, quoted }))
}

/**
 * Finds the citation markers of an answer, read as Markdown: what stands in code, in a link or in a footnote is none.
 *
 * @param isVerbatim - whether a text such as `argv[1]` stands in the evidence as it is
 */
export function findMarkers(answer: string, isVerbatim: (text: string) => boolean): MarkerGroup[] {
  const groups: MarkerGroup[] = []
  let blockBefore = ''
  let quote: string[] | undefined
  const visit = (node: Nodes) => {
    if (node.type === 'blockquote' && quote === undefined) {
      const before = groups.length
      quote = []
      for (const child of node.children) visit(child)
      for (const group of groups.slice(before)) group.quoted = quote.slice(0, MOST_QUOTED)
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
