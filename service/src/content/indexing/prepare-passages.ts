import { hash } from 'node:crypto'
import { truncateText } from '../../kernel/cut-text.ts'
import {
  chunkDocument,
  passageParts,
  PARTS_VERSION,
  pageTitle,
  type Chunk,
  type ChunkLimits,
} from '../chunking/chunking.ts'
import { plainText, type ParsedDocument } from '../parsing/parsing.ts'
import { readPassage, writeReading } from '../reading/reading.ts'
import { analyseTerms } from '../text-terms/text-terms.ts'
import { IndexFailure } from './index-failure.ts'

/** A passage with everything that is stored of it, except for its vectors. */
export interface PreparedPassage extends Chunk {
  /** The text that BM25 searches. */
  terms: string
  /** What search and answers need of its Markdown. */
  reading: string
  /** The parts that are embedded. */
  parts: readonly string[]
  /** Hash of those parts: unchanged passages are not embedded again. */
  hash: string
}

export interface PreparedDocument {
  passages: PreparedPassage[]
  /** Words of the whole page. */
  pageTerms: string
}

/** Maximum passages of a document: about 20 million characters. */
const MAX_PASSAGES = 30_000

/** Maximum length of the terms of a page, and of a passage; further terms are not stored. In characters. */
const MAX_PAGE_TERMS_LENGTH = 400_000
const MAX_PASSAGE_TERMS_LENGTH = 60_000

const firstTerms = (terms: string, most: number) =>
  terms.length <= most ? terms : truncateText(terms, terms.lastIndexOf(' ', most) + 1).trimEnd()

/** Equal for passages that are embedded alike. */
export const hashParts = (parts: readonly string[]): string =>
  hash('sha256', [PARTS_VERSION, ...parts].join('\n'))

/** The terms of titles and headings, which stand above many passages: each is analysed once. */
function createAnalysis(language: string | undefined) {
  const known = new Map<string, string[]>()
  function termsOf(text: string): string[] {
    const terms = known.get(text) ?? analyseTerms(text, language)
    known.set(text, terms)
    return terms
  }
  return (texts: readonly string[]) => texts.flatMap(termsOf).join(' ')
}

/** The terms of a page with this title, passage by passage. */
export function createPageTerms(title: string, language: string | undefined) {
  const analysed = createAnalysis(language)
  let ofPage = analysed([title])
  return {
    /** Terms of a passage: its own words, those of the title and of the headings above, the nearest heading twice. */
    termsOf: ({ headingPath, text }: { headingPath: readonly string[]; text: string }): string => {
      const above = analysed([title, ...headingPath])
      const nearest = analysed([headingPath.at(-1) ?? title])
      const own = analyseTerms(plainText(text), language).join(' ')
      if (ofPage.length < MAX_PAGE_TERMS_LENGTH) ofPage += ` ${nearest} ${own}`
      return firstTerms(`${above} ${nearest} ${own}`, MAX_PASSAGE_TERMS_LENGTH)
    },
    /** Terms of the page: its title, and each passage so far under its nearest heading. */
    pageTerms: (): string => firstTerms(ofPage, MAX_PAGE_TERMS_LENGTH),
  }
}

/**
 * Splits a document into passages and reads each. Takes long for a long document, so run it in a worker thread.
 *
 * @param language of the base: decides how words are analysed, in documents and questions alike
 * @throws IndexFailure for a document that cannot be indexed
 */
export function preparePassages(
  document: ParsedDocument,
  language: string | undefined,
  limits: ChunkLimits,
): PreparedDocument {
  const chunks = chunkDocument(document, limits)
  if (chunks.length > MAX_PASSAGES)
    throw new IndexFailure(
      `It has ${chunks.length.toLocaleString('en')} passages; a document may have ${MAX_PASSAGES.toLocaleString('en')}. Split it.`,
    )
  const title = pageTitle(document.title)
  const { termsOf, pageTerms } = createPageTerms(title, language)
  const passages = chunks.map((chunk): PreparedPassage => {
    const { text } = chunk
    const parts = passageParts(title, chunk, document.language)
    return {
      ...chunk,
      terms: termsOf(chunk),
      reading: writeReading(readPassage(text, chunk.places)),
      parts,
      hash: hashParts(parts),
    }
  })
  return { passages, pageTerms: pageTerms() }
}
