import { GOOD_LENGTH } from './pack.ts'

/** A chunk before it may be put together with its neighbours. */
export interface Draft {
  path: string[]
  /** The heading that the chunk begins with, which its path ends in; written out when the path no longer says it. */
  heading: { markdown: string; depth: number } | undefined
  anchor: string | undefined
  text: string
  tokens: number
  /** Characters that a reader sees. */
  length: number
}

/** Sections shorter than this say too little to be found alone. Longer ones stay apart: a citation opens at each. */
const TINY = 120
/** What tiny sections are put together to. */
const TOGETHER = 600

/** Puts tiny neighbours under one parent together, each with its heading, and whatever a citation opens at one place. */
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
  const length = one.length + other.length
  const isOnePlace = one.anchor === other.anchor
  if (length > (isOnePlace ? GOOD_LENGTH : TOGETHER)) return undefined
  if (!isOnePlace && one.length >= TINY && other.length >= TINY) return undefined
  const path = commonPath(one.path, other.path)
  // Brothers, or a parent and its first child; never cousins.
  const isClose = Math.max(one.path.length, other.path.length) - path.length <= 1
  if (!isClose || (other.path.length < path.length + 1 && other.heading !== undefined)) return undefined
  // After an entry its section goes on: there is no heading that would say so.
  if (other.heading === undefined && other.path.length < one.path.length) return undefined
  if (other.heading === undefined && other.path.length > path.length) return undefined
  const text = `${written(one, path)}\n\n${written(other, path)}`
  const tokens = one.tokens + other.tokens + headingTokens(one, path) + headingTokens(other, path)
  if (tokens > roomUnder(path)) return undefined
  return {
    path,
    heading: one.path.length === path.length ? one.heading : undefined,
    anchor: one.anchor,
    text,
    tokens,
    length,
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
    : `**${heading.markdown.replaceAll('**', '')}**\n\n${text}`
}

/** Every letter of a heading may be a token: an upper bound that needs no counting. */
function headingTokens({ path, heading }: Draft, common: readonly string[]): number {
  return heading === undefined || path.length === common.length ? 0 : Math.ceil(heading.markdown.length / 2)
}
