import { CHUNKER_VERSION, PARTS_VERSION } from '../chunking/chunking.ts'
import { TERMS_VERSION } from '../text-terms/text-terms.ts'

const SEPARATOR = '|'

/** Identifies everything that decides what is stored of a document; if it differs, the document is indexed again. Ends with the embedding key. */
export const pipelineOf = (language: string | undefined, embeddingKey: string | undefined): string =>
  [
    CHUNKER_VERSION,
    PARTS_VERSION,
    TERMS_VERSION,
    language ?? 'no-language',
    embeddingKey ?? 'no-vectors',
  ].join(SEPARATOR)

/** Part of every pipeline whose embedding key begins so. */
export const pipelinePart = (keyPrefix: string): string => `${SEPARATOR}${keyPrefix}`
