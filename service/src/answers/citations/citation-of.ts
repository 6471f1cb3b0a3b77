import type { Passage } from '../../content/search/search.ts'
import { citationAddress } from './citation-address.ts'
import { excerptAround } from './excerpt.ts'
import { plainTextOf } from './plain-text.ts'

/** A citation as it goes over the wire. `[n]` in an answer refers to the one with index n. */
export interface Citation {
  index: number
  title: string
  url: string
  document_id: string
  chunk_id: string
  heading_path: string[]
  excerpt: string
}

/** What is cited of a passage. */
export type CitedPassage = Pick<
  Passage,
  'chunkId' | 'documentId' | 'title' | 'url' | 'anchor' | 'headingPath' | 'text'
>

/**
 * The citation of a passage.
 *
 * @param evidence - what says it, as a reader sees it, a text for each block or cell; the address then leads to its words
 */
export function citationOf(passage: CitedPassage, index: number, evidence: readonly string[]): Citation {
  return {
    index,
    title: passage.title,
    url: citationAddress(passage.url, passage.anchor, evidence),
    document_id: passage.documentId,
    chunk_id: passage.chunkId,
    heading_path: passage.headingPath,
    excerpt: excerptAround(plainTextOf(passage.text), evidence.join(' ').replaceAll(/\s+/g, ' ')),
  }
}
