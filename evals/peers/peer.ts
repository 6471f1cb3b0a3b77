import type { IndexedPassage } from '../../service/test/open-passages.ts'

export type EmbedQuery = (text: string) => Promise<Float32Array>

/** Finds the places of the best passages, best first. */
export type FindPassages = (query: string, most: number) => Promise<number[]>

/** What somebody would build a search from instead, the way its own documentation does. */
export interface Peer {
  name: string
  /** How it is set up, for the table. */
  setting: string
  /** Whether it needs the embedding model; one that does not is measured without it. */
  usesVectors: boolean
  /** Indexes the passages. */
  build: (passages: readonly IndexedPassage[], embedQuery: EmbedQuery) => Promise<FindPassages>
}

/** The text that every peer gets: that which Citewell embeds. */
export const textOf = ({ title, headingPath, text }: IndexedPassage) =>
  `${[title, ...headingPath].join(' › ')}\n${text}`
