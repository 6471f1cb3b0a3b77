import { oneLine } from '../../kernel/one-line.ts'
import type { ParsedDocument } from '../parsing/parsing.ts'
import type { Chunk, ChunkPlace } from './chunk.ts'
import { cutLong } from './cut-long.ts'
import { boldHeading, mergeSmall, type Draft, type DraftPlace } from './merge-small.ts'
import { pack } from './pack.ts'
import { contextLine } from './passage-parts.ts'
import { sectionsOf, type Section } from './sections.ts'
import { part, strandsOf, type Measure } from './strands.ts'

export type { Chunk, ChunkPlace } from './chunk.ts'
export { passageParts, PARTS_VERSION } from './passage-parts.ts'

export interface ChunkLimits {
  /** Tokens of a text as the embedding model counts them. */
  countTokens: (text: string) => number
  /** Most tokens of a passage with its title and headings, as `passageParts` gives them. */
  maxTokens: number
}

/** Changes whenever the same document would be cut differently: part of what names a set of vectors. */
export const CHUNKER_VERSION = 3

/** Longest title of a page. What is behind it says nothing that the page does not. In UTF-16 units. */
const LONGEST_TITLE = 1_000

/** A page's title as it is indexed and shown: on one line, with all that it holds to be seen. */
export const titleOfPage = (title: string): string => oneLine(title, LONGEST_TITLE) || 'Untitled'

/**
 * Cuts a document into passages along its headings. No table row and no code line is ever cut unless it has thousands of
 * letters; where a table or code is cut between them, each piece has the header, or the fences, of its own. Only a single row
 * or line that is too long alone makes a chunk longer than the limit of tokens, and nothing makes one longer than
 * `LONGEST_PASSAGE`. A document always has at least one chunk.
 */
export function chunkDocument(given: ParsedDocument, limits: ChunkLimits): Chunk[] {
  const document = { ...given, title: titleOfPage(given.title) }
  const sections = sectionsOf(document)
  const drafts = sections.flatMap((section, place) =>
    draftsOf(section, sections[place + 1], document, limits),
  )
  const merged = mergeSmall(drafts, (path) => roomUnder(document, path, limits))
  const chunks = merged
    .flatMap((draft) =>
      cutLong({
        headingPath: draft.path,
        anchor: draft.places[0].anchor,
        text: draft.text,
        places: placesOf(draft),
      }),
    )
    .map((chunk, ordinal) => ({ ...chunk, ordinal }))
  return chunks.length > 0
    ? chunks
    : [{ ordinal: 0, headingPath: [], anchor: undefined, text: document.title, places: [] }]
}

/** The places that differ from what the chunk itself says of its beginning. */
function placesOf({ path, places }: Draft): ChunkPlace[] {
  const [first] = places
  if (places.length === 1 && first.path.length === path.length) return []
  return places.map(({ at, anchor, path: full }) => ({
    at,
    ...(anchor !== undefined && { anchor }),
    headings: full.slice(path.length),
  }))
}

/** Tokens of two texts may be a few more where they meet. */
const SAFETY = 4

/** Tokens left for the text under a heading. Half of all at least, however long the headings are. */
function roomUnder(document: ParsedDocument, path: readonly string[], limits: ChunkLimits): number {
  const context = limits.countTokens(contextLine(document.title, path))
  return Math.max(Math.floor(limits.maxTokens / 2), limits.maxTokens - context - SAFETY)
}

function draftsOf(
  section: Section,
  next: Section | undefined,
  document: ParsedDocument,
  limits: ChunkLimits,
): Draft[] {
  const measure: Measure = {
    countTokens: limits.countTokens,
    limit: roomUnder(document, section.path, limits),
    language: document.language,
  }
  const strands = strandsOf(section.blocks, measure)
  const { heading } = section
  if (strands.length === 0) {
    const holdsOthers = next !== undefined && next.path.length > section.path.length
    if (holdsOthers || heading === undefined) return []
    // A heading with nothing under it is still part of the text.
    const text = boldHeading(heading.markdown)
    const path = section.path.slice(0, -1)
    const places: Draft['places'] = [{ at: 0, anchor: section.opensAt, path }]
    const { anchor } = section
    return [{ path, heading: undefined, anchor, places, isGroup: false, ...part(text, measure) }]
  }
  let opensAt = section.opensAt
  return pack(strands, measure).map((packed, ordinal) => {
    const anchor = packed.anchors.find(({ at }) => at === 0)?.anchor ?? opensAt
    const within = packed.anchors.filter(({ at }) => at > 0)
    const first: DraftPlace = { at: 0, anchor, path: section.path }
    opensAt = within.at(-1)?.anchor ?? anchor
    return {
      path: section.path,
      heading: ordinal === 0 ? heading : undefined,
      anchor: section.anchor,
      places: [first, ...within.map((each) => ({ ...each, path: section.path }))],
      text: packed.text,
      tokens: packed.tokens,
      length: packed.length,
      isGroup: false,
    }
  })
}
