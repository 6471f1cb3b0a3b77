import { lettersOf, type Opening, type ServedPage } from './read-page.ts'

export interface CitedPlace {
  url: string
  excerpt: string
}

/** The result of checking where a citation points. */
export interface Judgement {
  /** The fragment id in the address. */
  anchor: string | undefined
  /** The page has an element of that id. */
  exists: boolean
  /** Whether the excerpt's text occurs on the page. */
  isFound: boolean
  /** The anchor is that of the last heading or entry with an id above the text. */
  isNearest: boolean
  /** The anchor is that of the entry whose definition contains the text; outside of entries, of the heading above. */
  isOwner: boolean
  /** All words of the text fragment occur on the page; undefined if the address has none. */
  isMarkable: boolean | undefined
  /** The ids that the address should have had. */
  expected: string[]
}

/** Minimum number of letters of an excerpt to search for: shorter beginnings occur in many places. */
const MIN_LETTERS = 24

/** Checks where a citation points, on the page as it is served. */
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

/** Offsets of the excerpt's beginning on the page: all of them, if it occurs more than once. */
function placesOf(excerpt: string, { letters }: ServedPage): number[] {
  const pieces = excerpt.split('…').map(lettersOf)
  // Excerpts contain table headers, and no text of images: if the whole does not match, a later part may.
  const beginnings = [0, 0.2, 0.4].flatMap((share) =>
    pieces.map((piece) => piece.slice(share * piece.length)),
  )
  for (const beginning of beginnings) {
    const least = Math.min(MIN_LETTERS, beginning.length)
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
