import { citationOfPart } from './citation-of.ts'
import { partsOf, type CitedPart, type CitedPassage } from './cited-parts.ts'
import type { MarkerGroup } from './find-markers.ts'
import type { Span } from './find-words.ts'
import { createPlacing, type PlacedClaim, type Placing } from './place-claim.ts'

/** Markers of an answer, with those of their numbers that are supported. */
export interface KeptMarkers {
  group: MarkerGroup
  numbers: number[]
}

/** A part of a page that is cited, with all that is to be seen of it. */
interface Opened {
  part: CitedPart
  spans: Span[]
}

/**
 * Numbers the parts of pages that the kept markers open at, from 1 in order of appearance: a piece of evidence that is
 * cited for two of its sections has two numbers then.
 */
export function numberParts(
  kept: readonly KeptMarkers[],
  passagesOf: (number: number) => readonly CitedPassage[],
) {
  const placings = new Map<number, Placing>()
  const opened: Opened[] = []
  const numbers = new Map<KeptMarkers, number[]>()

  function placingOf(number: number): Placing {
    const known = placings.get(number)
    if (known !== undefined) return known
    const placing = createPlacing(passagesOf(number).flatMap((passage) => partsOf(passage)))
    placings.set(number, placing)
    return placing
  }

  function open({ part, spans }: PlacedClaim): number {
    const place = opened.findIndex((each) => each.part === part)
    if (place < 0) return opened.push({ part, spans: [...spans] })
    opened[place]?.spans.push(...spans)
    return place + 1
  }

  for (const each of kept) {
    const placed = each.numbers.flatMap((number) => placingOf(number)(each.group) ?? [])
    numbers.set(each, placed.map(open))
  }
  return {
    numbersOf: (each: KeptMarkers) => numbers.get(each) ?? [],
    citations: () => opened.map(({ part, spans }, place) => citationOfPart(part, place + 1, spans)),
  }
}
