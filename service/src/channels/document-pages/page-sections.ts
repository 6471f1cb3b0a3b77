import { passageFragment } from '../../content/addresses/addresses.ts'
import type { ShownPassage } from '../../content/documents/documents.ts'

/** A part of a passage under one heading, as shown on the page. */
export interface PageSection {
  /** Anchors of the section; each is unique on the page. */
  ids: string[]
  /** The anchor at which citations of the section open. */
  opensAt: string
  /** Headings that the previous text was not under, with their levels. The page's title is level 1. */
  headings: { text: string; level: number }[]
  markdown: string
  /** Level of a heading at the start of the text. */
  level: number
  isTitled: boolean
  isCited: boolean
}

const MAX_HEADING_LEVEL = 6
const levelAt = (depth: number) => Math.min(MAX_HEADING_LEVEL, depth + 2)

/** Anchors at which a passage is opened. */
const opensAtOf = ({ id, anchor, places }: ShownPassage): string[] =>
  places.length === 0
    ? [anchor ?? passageFragment(id)]
    : places.map((place) => place.anchor ?? passageFragment(id))

/**
 * The passages of a page in order, split where citations open. A section of several passages opens at its heading, or at the cited passage
 * if one of them is cited.
 */
export function sectionsOf(passages: readonly ShownPassage[], citedId: string | undefined): PageSection[] {
  const taken = new Set<string>()
  const reserved = new Set(passages.flatMap((passage) => (passage.id === citedId ? opensAtOf(passage) : [])))
  const take = (id: string | undefined, isCited: boolean): string[] => {
    if (id === undefined || id === '' || taken.has(id) || (reserved.has(id) && !isCited)) return []
    taken.add(id)
    return [id]
  }
  let above: readonly string[] = []
  return passages.flatMap((passage) => {
    const { heading_path: path, text, id } = passage
    const places =
      passage.places.length === 0
        ? [{ at: 0, anchor: passage.anchor ?? undefined, headings: [] }]
        : passage.places
    const differs = path.findIndex((heading, depth) => above[depth] !== heading)
    const headings =
      differs < 0
        ? []
        : path.slice(differs).map((heading, depth) => ({ text: heading, level: levelAt(differs + depth) }))
    above = path
    const isCited = id === citedId
    return places.map((place, ordinal): PageSection => ({
      ids: [...take(place.anchor, isCited), ...(ordinal === 0 ? take(passageFragment(id), isCited) : [])],
      opensAt: place.anchor ?? passageFragment(id),
      headings: ordinal === 0 ? headings : [],
      markdown: text.slice(place.at, places[ordinal + 1]?.at),
      level: levelAt(path.length + Math.max(0, place.headings.length - 1)),
      isTitled: place.headings.length > 0,
      isCited,
    }))
  })
}
