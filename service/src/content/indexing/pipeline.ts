import { CHUNKER_VERSION, PARTS_VERSION } from '../chunking/chunking.ts'
import { TERMS_VERSION } from '../text-terms/text-terms.ts'

const SEPARATOR = '|'

const NO_LANGUAGE = 'no-language'

/** Where the version of the analysis and the language stand in it; SQL counts from one. */
const TERMS_AT = 2
const LANGUAGE_AT = 3

/** Identifies everything that decides what is stored of a document; if it differs, the document is indexed again. Ends with the embedding key. */
export const pipelineOf = (language: string | undefined, embeddingKey: string | undefined): string =>
  [CHUNKER_VERSION, PARTS_VERSION, TERMS_VERSION, language ?? NO_LANGUAGE, embeddingKey ?? 'no-vectors'].join(
    SEPARATOR,
  )

/** Part of every pipeline whose embedding key begins so. */
export const pipelinePart = (keyPrefix: string): string => `${SEPARATOR}${keyPrefix}`

/** The same pipeline with the words analysed in another language. */
export function pipelineIn(language: string | undefined, pipeline: string): string {
  const parts = pipeline.split(SEPARATOR)
  parts[TERMS_AT] = TERMS_VERSION
  parts[LANGUAGE_AT] = language ?? NO_LANGUAGE
  return parts.join(SEPARATOR)
}

/** Where SQL finds the language of a pipeline, and what it is called there. */
export const languagePlace = (language: string | undefined) => ({
  separator: SEPARATOR,
  at: LANGUAGE_AT + 1,
  name: language ?? NO_LANGUAGE,
})
