import { truncateText } from '../../kernel/cut-text.ts'
import { GOOD_LENGTH } from './pack.ts'

/** A chunk before it is merged with its neighbours. */
export interface Draft {
  path: string[]
  /** The heading the chunk begins with, which is the last of its path; written into the text if the path no longer includes it. */
  heading: { markdown: string; isEntry: boolean } | undefined
  /** Anchor of the heading or entry that it begins with, or of an enclosing one. */
  anchor: string | undefined
  /** Where citations of it open; the first at 0. */
  places: [DraftPlace, ...DraftPlace[]]
  text: string
  tokens: number
  /** Number of visible characters. */
  length: number
  /** Merged from several sections, each under its own heading. */
  isGroup: boolean
}

export interface DraftPlace {
  /** Offset in the draft's text. */
  at: number
  anchor: string | undefined
  path: string[]
}

/** Sections shorter than this say too little to be found alone. Longer ones stay separate, so that a citation opens at each. */
const TINY_LENGTH = 120
/** Length up to which tiny sections are merged. */
const MERGED_LENGTH = 600
/** The same limit for the length of their Markdown, and for their number. */
const MAX_MERGED_UNITS = 4_000
const MAX_MERGED = 60
/** Maximum length of a heading that is written out; the full text of a longer one is in its section. In UTF-16 units. */
export const MAX_HEADING_LENGTH = 600

/** Merges tiny neighbours under one parent, and entries that have no anchor of their own. */
export function mergeSmall(
  drafts: readonly Draft[],
  tokensLeftUnder: (path: readonly string[]) => number,
): Draft[] {
  const merged: Draft[] = []
  for (const draft of drafts) {
    const before = merged.at(-1)
    const joined = before && join(before, draft, tokensLeftUnder)
    if (joined === undefined) merged.push(draft)
    else merged.splice(-1, 1, joined)
  }
  return merged
}

function join(
  one: Draft,
  other: Draft,
  tokensLeftUnder: (path: readonly string[]) => number,
): Draft | undefined {
  // Without a heading it would seem to belong to the text before it.
  if (other.heading === undefined) return undefined
  const length = one.length + other.length
  const hasTooManyPlaces = one.places.length + other.places.length > MAX_MERGED
  if (hasTooManyPlaces || one.text.length + other.text.length > MAX_MERGED_UNITS) return undefined
  const path = commonPath(one.path, other.path)
  // A sibling, or the first child.
  if (other.path.length !== path.length + 1 || one.path.length > path.length + 1) return undefined
  // The first draft has text under a heading that would be lost.
  if (one.path.length > path.length && one.heading === undefined) return undefined
  const isParentOrEntry = one.path.length === path.length || one.heading?.isEntry === true
  const sharesEntryAnchor = other.heading.isEntry && one.anchor === other.anchor && isParentOrEntry
  const areTiny = (one.length < TINY_LENGTH || one.isGroup) && other.length < TINY_LENGTH
  if (!(areTiny && length <= MERGED_LENGTH) && !(sharesEntryAnchor && length <= GOOD_LENGTH)) return undefined
  const tokens = one.tokens + other.tokens + headingTokens(one, path) + headingTokens(other, path)
  if (tokens > tokensLeftUnder(path)) return undefined
  const before = `${written(one, path)}\n\n`
  const [first, ...others] = placesIn(one, path)
  return {
    path,
    heading: one.path.length === path.length ? one.heading : undefined,
    anchor: one.anchor,
    places: [
      first,
      ...others,
      ...placesIn(other, path).map((place) => ({ ...place, at: before.length + place.at })),
    ],
    text: before + written(other, path),
    tokens,
    length,
    isGroup: true,
  }
}

function commonPath(one: readonly string[], other: readonly string[]): string[] {
  const differs = one.findIndex((title, place) => other[place] !== title)
  return one.slice(0, differs < 0 ? one.length : differs)
}

/** The text, preceded by its heading if the common path does not include it. */
function written({ path, heading, text }: Draft, common: readonly string[]): string {
  return heading === undefined || path.length === common.length
    ? text
    : `${boldHeading(heading.markdown)}\n\n${text}`
}

/** A heading as a bold paragraph above its text. */
export const boldHeading = (markdown: string): string =>
  `**${truncateText(markdown, MAX_HEADING_LENGTH).replaceAll('**', '')}**`

/** The draft's places in the output of `written`: the first one begins with the heading. */
function placesIn(draft: Draft, common: readonly string[]): Draft['places'] {
  const headingLength = written(draft, common).length - draft.text.length
  const [first, ...others] = draft.places
  return [first, ...others.map((place) => ({ ...place, at: headingLength + place.at }))]
}

/** One token for every two letters: an upper bound that avoids counting. */
function headingTokens({ path, heading }: Draft, common: readonly string[]): number {
  return heading === undefined || path.length === common.length ? 0 : Math.ceil(heading.markdown.length / 2)
}
