import { lettersOf, type Opening, type ServedPage } from './read-page.ts'

export interface CitedPlace {
  url: string
  excerpt: string
}

/** What is right and wrong about where a citation opens. */
export interface Judgement {
  /** The fragment id in the address. */
  anchor: string | undefined
  /** The page has an element of that id. */
  exists: boolean
  /** The excerpt's text is on the page. */
  isFound: boolean
  /** The anchor is that of the last heading or entry above the text that has one. */
  isNearest: boolean
  /** The anchor is that of the entry whose definition the text is part of; of the heading above outside of entries. */
  isOwner: boolean
  /** Words of the address that a browser is to mark, all on the page; undefined where the address names none. */
  isMarkable: boolean | undefined
  /** What it should have opened at. */
  expected: string[]
}

/** Letters of an excerpt that are looked for at least: shorter beginnings stand in many places. */
const FEWEST_LETTERS = 24

/** Judges where a citation opens, by the page as it is served. */
export function judgeCitation({ url, excerpt }: CitedPlace, page: ServedPage): Judgement {
  const { anchor, marked } = readAddress(url)
  const places = placesOf(excerpt, page)
  const named = page.openings.filter(({ ids }) => ids.length > 0)
  const above = places.map((at) => {
    const before = named.filter((opening) => opening.at <= at)
    return { owner: before.findLast(({ until }) => until > at), last: before.at(-1) }
  })
  const isOf = (opening: Opening | undefined) =>
    opening === undefined ? anchor === undefined : anchor !== undefined && opening.ids.includes(anchor)
  return {
    anchor,
    exists: anchor !== undefined && page.ids.has(anchor),
    isFound: places.length > 0,
    isNearest: above.some(({ last }) => isOf(last)),
    isOwner: above.some(({ owner }) => isOf(owner)),
    isMarkable: marked && isOnPage(marked, page),
    expected: [...new Set(above.flatMap(({ last }) => last?.ids.at(-1) ?? []))],
  }
}

function readAddress(url: string): { anchor: string | undefined; marked: string[] | undefined } {
  const hash = new URL(url).hash.slice(1)
  const [fragment = '', directive] = hash.split(':~:text=')
  return {
    anchor: fragment === '' ? undefined : decodeURIComponent(fragment),
    marked: directive?.split(',').map(decodeURIComponent),
  }
}

/** Where the excerpt's beginning stands on the page: every place, if it is a common one. */
function placesOf(excerpt: string, { letters }: ServedPage): number[] {
  const pieces = excerpt.split('…').map(lettersOf)
  // Tables are told with their header, pictures without their words: what follows may stand there when all does not.
  const beginnings = [0, 0.2, 0.4].flatMap((share) =>
    pieces.map((piece) => piece.slice(share * piece.length)),
  )
  for (const beginning of beginnings) {
    const least = Math.min(FEWEST_LETTERS, beginning.length)
    for (let length = beginning.length; length > 0 && length >= least; length = Math.floor(length * 0.7)) {
      const places = allPlaces(letters, beginning.slice(0, length))
      if (places.length > 0) return places
    }
  }
  return []
}

function allPlaces(letters: string, sought: string): number[] {
  const places: number[] = []
  for (let at = letters.indexOf(sought); at >= 0; at = letters.indexOf(sought, at + 1)) places.push(at)
  return places
}

function isOnPage(marked: readonly string[], { letters }: ServedPage): boolean {
  let from = 0
  return marked.every((words) => {
    const found = letters.indexOf(lettersOf(words), from)
    from = found + 1
    return found >= 0
  })
}
