import { readingOf } from '../../content/reading/reading.ts'
import type { Passage } from '../../content/search/search.ts'
import { createFinder, type Span } from './find-words.ts'

/** A part of a passage under one anchor, as a reader sees it. Most passages have one part; tiny sections share a passage. */
export interface CitedPart {
  passage: Passage
  anchor: string | undefined
  headingPath: string[]
  /** On one line, blocks joined by a space. */
  text: string
  /** Each block of `text`: a paragraph, a heading, a list item, a table cell, code. */
  blocks: Span[]
  /** Offset of the end of the part's own heading. 0 without one. */
  bodyAt: number
  /** Finds words in `text`, ignoring white space and punctuation. */
  find: (words: string) => Span | undefined
}

/** The parts of a passage, in order; at least one. */
export function partsOf(passage: Passage): CitedPart[] {
  const { places, anchor, headingPath } = passage
  const { parts } = readingOf(passage)
  if (places.length === 0)
    return [readPart({ passage, anchor, headingPath, hasHeading: false }, parts[0] ?? [])]
  return places.map((place, ordinal) =>
    readPart(
      {
        passage,
        anchor: place.anchor,
        headingPath: [...headingPath, ...place.headings],
        hasHeading: place.headings.length > 0,
      },
      parts[ordinal] ?? [],
    ),
  )
}

function readPart(
  of: Pick<CitedPart, 'passage' | 'anchor' | 'headingPath'> & { hasHeading: boolean },
  said: readonly string[],
): CitedPart {
  const { hasHeading, ...part } = of
  const blocks: Span[] = []
  let text = ''
  for (const block of said) {
    if (text !== '') text += ' '
    const start = text.length
    text += block.replaceAll(/\s+/g, ' ')
    blocks.push({ start, end: text.length })
  }
  const bodyAt = hasHeading ? (blocks[1]?.start ?? 0) : 0
  return { ...part, text, blocks, bodyAt, find: createFinder(text) }
}
