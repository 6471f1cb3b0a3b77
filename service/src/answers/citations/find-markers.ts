import type { Nodes } from 'mdast'
import { contentWordsOf } from './content-words.ts'
import { isParent, parseMarkdown, spanOf } from './markdown-tree.ts'
import { sentencesOf } from './sentences.ts'

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
const MARKER = /(?<!\\)(?:\[\s*(\d{1,9}(?:\s*[,;]\s*\d{1,9})*)\s*\]|【\s*(\d{1,9})[^】\n]{0,40}】)/gu

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
      const glued = /[\p{L}\p{N}_.$)]+$/u.exec(text.slice(0, match.index))?.[0]
      if (glued !== undefined && isVerbatim(glued + match[0])) continue
      read.plain += unescaped(text.slice(reached, match.index))
      reached = match.index + match[0].length
      const numbers = (match[1] ?? match[2] ?? '').split(/\s*[,;]\s*/).map(Number)
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
function claimAt(plain: string, at: number, previous: number): string | undefined {
  const end = plain.slice(0, at).trimEnd().length
  const sentences = sentencesOf(plain)
  const sentence =
    sentences.find(({ start, end: sentenceEnd }) => end > start && end <= sentenceEnd) ?? sentences[0]
  if (sentence === undefined) return undefined
  const clause = plain.slice(Math.max(sentence.start, Math.min(previous, end)), end)
  // "What we want is:" says nothing by itself: the sentence before it is what is cited.
  const before = sentences.filter((other) => other.end <= sentence.start).toReversed()
  const candidates = [
    clause,
    plain.slice(sentence.start, end),
    sentence.text,
    ...before.map(({ start }) => plain.slice(start, end)),
  ]
  return candidates.find((text) => contentWordsOf(text).length > 0)?.trim()
}

function groupsOf(source: string, { plain, found }: BlockText, blockBefore: string): MarkerGroup[] {
  const groups: (MarkerGroup & { at: number })[] = []
  let previous = 0
  for (const marker of found) {
    const last = groups.at(-1)
    if (last !== undefined && source.slice(last.end, marker.start).trim() === '') {
      last.numbers.push(...marker.numbers)
      last.end = marker.end
      continue
    }
    if (last !== undefined) previous = last.at
    const claim = claimAt(plain, marker.at, previous) ?? blockBefore
    const space = /[ \t]*$/.exec(source.slice(0, marker.start))?.[0].length ?? 0
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
      for (const group of groups.slice(before)) group.quoted = quote
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
