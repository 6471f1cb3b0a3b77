import type { ParsedDocument } from '../parsing/parsing.ts'
import { plainText } from '../parsing/parsing.ts'
import type { Chunk } from './chunk.ts'
import { mergeSmall, type Draft } from './merge-small.ts'
import { pack } from './pack.ts'
import { sectionsOf, type Section } from './sections.ts'
import { part, strandsOf, type Measure } from './strands.ts'

export type { Chunk } from './chunk.ts'

export interface ChunkLimits {
  /** Tokens of a text as the embedding model counts them. */
  countTokens: (text: string) => number
  /** Most tokens of a passage with its title and headings, as `passageText` writes it. */
  maxTokens: number
}

/** Changes whenever the same document would be cut differently: part of what names a set of vectors. */
export const CHUNKER_VERSION = 1

/**
 * Cuts a document into passages along its headings. No table row and no code line is ever cut; where a table or code is
 * cut between them, each piece has the header, or the fences, of its own. Only a single row or line that is too long
 * alone makes a chunk longer than the limit. A document always has at least one chunk.
 */
export function chunkDocument(document: ParsedDocument, limits: ChunkLimits): Chunk[] {
  const sections = sectionsOf(document)
  const drafts = sections.flatMap((section, place) =>
    draftsOf(section, sections[place + 1], document, limits),
  )
  const merged = mergeSmall(drafts, (path) => roomUnder(document, path, limits))
  const chunks = merged.map(({ path, anchor, text }, ordinal) => ({
    ordinal,
    headingPath: path,
    anchor,
    text,
  }))
  return chunks.length > 0
    ? chunks
    : [{ ordinal: 0, headingPath: [], anchor: undefined, text: document.title }]
}

/** A passage as it is embedded and searched: what it is about, and its text without marks and addresses. */
export function passageText(title: string, chunk: Pick<Chunk, 'headingPath' | 'text'>): string {
  return `${contextLine(title, chunk.headingPath)}\n${plainText(chunk.text)}`
}

function contextLine(title: string, headingPath: readonly string[]): string {
  return [title, ...headingPath].join(' › ')
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
    const text = `**${heading.markdown.replaceAll('**', '')}**`
    const path = section.path.slice(0, -1)
    return [{ path, heading: undefined, anchor: section.anchor, isGroup: false, ...part(text, measure) }]
  }
  let anchor = section.anchor
  return pack(strands, measure).map((packed, place) => {
    anchor = packed.anchor ?? anchor
    return {
      path: section.path,
      heading: place === 0 ? heading : undefined,
      anchor,
      text: packed.text,
      tokens: packed.tokens,
      length: packed.length,
      isGroup: false,
    }
  })
}
