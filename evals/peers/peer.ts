import type { IndexedPassage } from '../../service/test/open-passages.ts'

export type EmbedQuery = (text: string) => Promise<Float32Array>

/** What somebody would build a search from instead, the way its own documentation does. */
export interface Peer {
  name: string
  /** How it is set up, for the table. */
  setting: string
  /** Indexes the passages; what comes back finds the places of the best ones, best first. */
  build: (
    passages: readonly IndexedPassage[],
    embedQuery: EmbedQuery,
  ) => Promise<(query: string, most: number) => Promise<number[]>>
}

/** The text that every peer gets: that which Citewell embeds. */
export const textOf = ({ title, headingPath, text }: IndexedPassage) =>
  `${[title, ...headingPath].join(' › ')}\n${text}`
