import { oneLine } from '../../kernel/one-line.ts'
import type { ParsedDocument } from '../parsing/parsing.ts'
import type { Chunk, ChunkPlace } from './chunk.ts'
import { splitLong } from './split-long.ts'
import { boldHeading, mergeSmall, type Draft, type DraftPlace } from './merge-small.ts'
import { pack } from './pack.ts'
import { contextLine } from './passage-parts.ts'
import { sectionsOf, type Section } from './sections.ts'
import { part, toSplittableBlocks, type Measure } from './splittable-block.ts'

export type { Chunk, ChunkPlace } from './chunk.ts'
export { passageParts, PARTS_VERSION } from './passage-parts.ts'

export interface ChunkLimits {
  /** Counts the tokens of a text as the embedding model does. */
  countTokens: (text: string) => number
  /** Maximum tokens of a passage including its title and headings, as `passageParts` returns them. */
  maxTokens: number
}

/** Increment when the same document would be split differently: it is part of the key of a set of vectors. */
export const CHUNKER_VERSION = 5

/** Maximum length of a page title, in UTF-16 units. Text past that adds nothing that the page does not contain. */
const MAX_TITLE_LENGTH = 1_000

/** A page's title as it is indexed and shown: on one line, without invisible characters. */
export const pageTitle = (title: string): string => oneLine(title, MAX_TITLE_LENGTH) || 'Untitled'

/**
 * Splits a document into passages along its headings. A table row or code line is never split unless it has thousands of letters; if a
 * table or code block is split, each piece repeats its header or fences. Only a single row or line that is too long alone makes a chunk
 * exceed the token limit, and no chunk exceeds `MAX_PASSAGE_LENGTH`. A document always has at least one chunk.
 */
export function chunkDocument(given: ParsedDocument, limits: ChunkLimits): Chunk[] {
  const document = { ...given, title: pageTitle(given.title) }
  const sections = sectionsOf(document)
  const drafts = sections.flatMap((section, place) =>
    draftsOf(section, sections[place + 1], document, limits),
  )
  const merged = mergeSmall(drafts, (path) => tokensLeftUnder(document, path, limits))
  const chunks = merged
    .flatMap((draft) =>
      splitLong({
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

/** The places whose path or anchor differs from those of the chunk itself. */
function placesOf({ path, places }: Draft): ChunkPlace[] {
  const [first] = places
  if (places.length === 1 && first.path.length === path.length) return []
  return places.map(({ at, anchor, path: full }) => ({
    at,
    ...(anchor !== undefined && { anchor }),
    headings: full.slice(path.length),
  }))
}

/** Two texts may have a few more tokens when joined. */
const SAFETY = 4

/** Tokens left for the text under a heading: at least half of the limit, however long the headings are. */
function tokensLeftUnder(document: ParsedDocument, path: readonly string[], limits: ChunkLimits): number {
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
    limit: tokensLeftUnder(document, section.path, limits),
  }
  const splittables = toSplittableBlocks(section.blocks, measure)
  const { heading } = section
  if (splittables.length === 0) {
    const hasSubsections = next !== undefined && next.path.length > section.path.length
    if (hasSubsections || heading === undefined) return []
    // A heading without text below it is still part of the text.
    const text = boldHeading(heading.markdown)
    const path = section.path.slice(0, -1)
    const places: Draft['places'] = [{ at: 0, anchor: section.opensAt, path }]
    const { anchor } = section
    return [{ path, heading: undefined, anchor, places, isGroup: false, ...part(text, measure) }]
  }
  let opensAt = section.opensAt
  return pack(splittables, measure).map((packed, ordinal) => {
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
