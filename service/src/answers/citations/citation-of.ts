import type { Citation } from '@citewell/contract/chat'
import { passageAddress } from './citation-address.ts'
import { partsOf, type CitedPart } from './cited-parts.ts'
import type { Passage } from '../../content/search/search.ts'
import { excerptAround } from './excerpt.ts'
import type { Span } from './find-words.ts'
import { createClaimLocator } from './locate-claim.ts'
import { titleOf } from './versions.ts'

/**
 * The citation of a part of a passage.
 *
 * @param shown - the spans that the excerpt must show; the address points to the first of them, or to the start of the part
 */
export function citationOfPart(part: CitedPart, index: number, shown: readonly Span[]): Citation {
  const { passage, anchor, headingPath, text, bodyAt } = part
  const [first] = shown
  return {
    index,
    title: titleOf(passage),
    url: passageAddress(passage, anchor, first === undefined ? [] : blocksIn(part, first)),
    document_id: passage.documentId,
    chunk_id: passage.chunkId,
    heading_path: headingPath,
    excerpt: excerptAround(text, shown, bodyAt),
  }
}

/** The text of a span, block by block. */
function blocksIn({ text, blocks }: CitedPart, { start, end }: Span): string[] {
  return blocks
    .map((block) => text.slice(Math.max(block.start, start), Math.min(block.end, end)))
    .filter((piece) => piece.trim() !== '')
}

/** The part of a passage that best matches the sought texts; the first part if there are none. */
function partNearest(parts: readonly CitedPart[], sought: readonly string[]): CitedPart {
  const isPlain = parts.length < 2 || sought.length === 0
  const placed = isPlain
    ? undefined
    : createClaimLocator(parts)({ claim: sought.join(' '), quoted: [], wholeQuote: '' })
  const part = placed?.part ?? parts[0]
  if (part === undefined) throw new Error('a passage without any part')
  return part
}

/**
 * The citation of a passage, at the part that matches best.
 *
 * @param sought - what it was found for, e.g. the question; empty for its beginning
 */
export function citationOf(passage: Passage, index: number, sought: readonly string[]): Citation {
  return citationOfPart(partNearest(partsOf(passage), sought), index, [])
}

/** A passage as a search result: the address of the part that matches best, and all of its text as a reader sees it. */
export function foundPassage(passage: Passage, sought: readonly string[]): { url: string; text: string } {
  const parts = partsOf(passage)
  const { url } = citationOfPart(partNearest(parts, sought), 1, [])
  return { url, text: parts.map(({ text }) => text).join(' ') }
}

/** The whole text of a passage as a reader sees it, on one line. */
export const textOfPassage = (passage: Passage): string =>
  partsOf(passage)
    .map(({ text }) => text)
    .join(' ')
