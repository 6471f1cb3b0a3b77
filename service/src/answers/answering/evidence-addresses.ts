import { readingOf } from '../../content/reading/reading.ts'
import { plainAddress } from '../../platform/markdown/plain-address.ts'
import type { Evidence } from '../citations/citations.ts'

/** Addresses that an answer may link to, and images that it may show. */
export interface AllowedAddresses {
  links: ReadonlySet<string>
  images: ReadonlySet<string>
}

/** The addresses of the pages, and those that their text links to or mentions. */
export function addressesIn(evidence: readonly Evidence[]): AllowedAddresses {
  const passages = evidence.flatMap((piece) => piece.passages)
  const readings = passages.map((passage) => readingOf(passage))
  return {
    links: new Set([
      ...passages.flatMap(({ url }) => plainAddress(url) ?? []),
      ...readings.flatMap(({ links }) => links),
    ]),
    images: new Set(readings.flatMap(({ images }) => images)),
  }
}
