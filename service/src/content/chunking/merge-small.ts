import { truncateText } from '../../kernel/cut-text.ts'
import { GOOD_LENGTH } from './pack.ts'

/** A chunk before it may be put together with its neighbours. */
export interface Draft {
  path: string[]
  /** What the chunk begins with and its path ends in; to be written out where the path no longer says it. */
  heading: { markdown: string; isEntry: boolean } | undefined
  /** Of the heading or entry that it begins with, or of one around that. */
  anchor: string | undefined
  /** Where citations of it open; the first at 0. */
  places: [DraftPlace, ...DraftPlace[]]
  text: string
  tokens: number
  /** Characters that a reader sees. */
  length: number
  /** Made of several, each under its own heading. */
  isGroup: boolean
}

export interface DraftPlace {
  /** Offset in the draft's text. */
  at: number
  anchor: string | undefined
  path: string[]
}

/** Sections shorter than this say too little to be found alone. Longer ones stay apart: a citation opens at each. */
const TINY = 120
/** What tiny sections are put together to. */
const TOGETHER = 600
/** The same by what their Markdown takes, seen or not, and by their number. */
const MOST_UNITS = 4_000
const MOST_TOGETHER = 60
/** Of a heading that is written out; the rest of a longer one stands in its section. In UTF-16 units. */
export const LONGEST_HEADING = 600

/** Puts tiny neighbours under one parent together, and entries that have no place of their own to open at. */
export function mergeSmall(
  drafts: readonly Draft[],
  roomUnder: (path: readonly string[]) => number,
): Draft[] {
  const merged: Draft[] = []
  for (const draft of drafts) {
    const before = merged.at(-1)
    const joined = before && join(before, draft, roomUnder)
    if (joined === undefined) merged.push(draft)
    else merged.splice(-1, 1, joined)
  }
  return merged
}

function join(one: Draft, other: Draft, roomUnder: (path: readonly string[]) => number): Draft | undefined {
  // Without a heading it would seem to belong to what stands before it.
  if (other.heading === undefined) return undefined
  const length = one.length + other.length
  const areMany = one.places.length + other.places.length > MOST_TOGETHER
  if (areMany || one.text.length + other.text.length > MOST_UNITS) return undefined
  const path = commonPath(one.path, other.path)
  // A brother, or the first child.
  if (other.path.length !== path.length + 1 || one.path.length > path.length + 1) return undefined
  // What one says is under a heading that would be lost.
  if (one.path.length > path.length && one.heading === undefined) return undefined
  const isParentOrEntry = one.path.length === path.length || one.heading?.isEntry === true
  const isOneEntryPlace = other.heading.isEntry && one.anchor === other.anchor && isParentOrEntry
  const areTiny = (one.length < TINY || one.isGroup) && other.length < TINY
  if (!(areTiny && length <= TOGETHER) && !(isOneEntryPlace && length <= GOOD_LENGTH)) return undefined
  const tokens = one.tokens + other.tokens + headingTokens(one, path) + headingTokens(other, path)
  if (tokens > roomUnder(path)) return undefined
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

/** The text, below its heading where the common path does not say it. */
function written({ path, heading, text }: Draft, common: readonly string[]): string {
  return heading === undefined || path.length === common.length
    ? text
    : `${boldHeading(heading.markdown)}\n\n${text}`
}

/** A heading as a paragraph above its text. */
export const boldHeading = (markdown: string): string =>
  `**${truncateText(markdown, LONGEST_HEADING).replaceAll('**', '')}**`

/** The draft's places in what `written` makes of it: the first one begins with the heading. */
function placesIn(draft: Draft, common: readonly string[]): Draft['places'] {
  const headingLength = written(draft, common).length - draft.text.length
  const [first, ...others] = draft.places
  return [first, ...others.map((place) => ({ ...place, at: headingLength + place.at }))]
}

/** A token for every two letters: an upper bound that needs no counting. */
function headingTokens({ path, heading }: Draft, common: readonly string[]): number {
  return heading === undefined || path.length === common.length ? 0 : Math.ceil(heading.markdown.length / 2)
}
