import type { IndexedPassage } from '../../service/test/open-passages.ts'

export type EmbedQuery = (text: string) => Promise<Float32Array>

/** Returns the indexes of the best passages, best first. */
export type FindPassages = (query: string, most: number) => Promise<number[]>

/** A search library that one could use instead, set up as in its own documentation. */
export interface Peer {
  name: string
  /** Its configuration, for the table. */
  setting: string
  /** Whether it needs the embedding model; otherwise it is measured without it. */
  usesVectors: boolean
  /** Indexes the passages. */
  build: (passages: readonly IndexedPassage[], embedQuery: EmbedQuery) => Promise<FindPassages>
}

/** The text that every peer indexes: the text that Citewell embeds. */
export const textOf = ({ title, headingPath, text }: IndexedPassage) =>
  `${[title, ...headingPath].join(' › ')}\n${text}`
