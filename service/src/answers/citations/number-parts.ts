import { citationOfPart } from './citation-of.ts'
import { partsOf, type CitedPart } from './cited-parts.ts'
import type { Passage } from '../../content/search/search.ts'
import type { MarkerGroup } from './find-markers.ts'
import type { Span } from './find-words.ts'
import { createClaimLocator, type ClaimLocation, type ClaimLocator } from './locate-claim.ts'

/** Adjacent markers of an answer, with those of their numbers that are supported. */
export interface SupportedMarkers {
  group: MarkerGroup
  numbers: number[]
}

/** A cited part of a page, with all spans that are cited. */
interface Opened {
  part: CitedPart
  spans: Span[]
}

/**
 * Numbers the cited parts of pages from 1 in order of appearance: a piece of evidence that is cited for two of its
 * sections gets two numbers.
 */
export function numberParts(
  kept: readonly SupportedMarkers[],
  passagesOf: (number: number) => readonly Passage[],
) {
  const locators = new Map<number, ClaimLocator>()
  const opened: Opened[] = []
  const numbers = new Map<SupportedMarkers, number[]>()

  function locatorOf(number: number): ClaimLocator {
    const known = locators.get(number)
    if (known !== undefined) return known
    const locator = createClaimLocator(passagesOf(number).flatMap((passage) => partsOf(passage)))
    locators.set(number, locator)
    return locator
  }

  function open({ part, spans }: ClaimLocation): number {
    const index = opened.findIndex((each) => each.part === part)
    if (index < 0) return opened.push({ part, spans: [...spans] })
    opened[index]?.spans.push(...spans)
    return index + 1
  }

  for (const each of kept) {
    const placed = each.numbers.flatMap((number) => locatorOf(number)(each.group) ?? [])
    numbers.set(each, placed.map(open))
  }
  return {
    numbersOf: (each: SupportedMarkers) => numbers.get(each) ?? [],
    citations: () => opened.map(({ part, spans }, index) => citationOfPart(part, index + 1, spans)),
  }
}
