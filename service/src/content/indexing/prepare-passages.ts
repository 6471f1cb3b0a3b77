import { createHash } from 'node:crypto'
import { truncateText } from '../../kernel/cut-text.ts'
import {
  chunkDocument,
  passageParts,
  PARTS_VERSION,
  titleOfPage,
  type Chunk,
  type ChunkLimits,
} from '../chunking/chunking.ts'
import { plainText, type ParsedDocument } from '../parsing/parsing.ts'
import { readPassage, writeReading } from '../reading/reading.ts'
import { analyseTerms } from '../text-terms/text-terms.ts'
import { IndexFailure } from './index-failure.ts'

/** A passage with everything that is stored of it, but for its vectors. */
export interface PreparedPassage extends Chunk {
  /** What BM25 reads. */
  terms: string
  /** What search and answers need of its Markdown. */
  reading: string
  /** As it is embedded. */
  parts: readonly string[]
  /** Of those parts: passages that have not changed are not embedded again. */
  hash: string
}

export interface PreparedDocument {
  passages: PreparedPassage[]
  /** Words of the whole page. */
  pageTerms: string
}

/** Most passages of a document: about 20 million characters. */
const MOST_PASSAGES = 30_000

/** Terms of a page, and of a passage, beyond which no more are kept: it is found by these. In characters. */
const LONGEST_PAGE_TERMS = 400_000
const LONGEST_PASSAGE_TERMS = 60_000

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const firstTerms = (terms: string, most: number) =>
  terms.length <= most ? terms : truncateText(terms, terms.lastIndexOf(' ', most) + 1).trimEnd()

/**
 * Cuts a document into passages and reads each. Takes long for a long document, and belongs into a thread of its own.
 *
 * @param language of the base: how words are analysed, in documents and questions alike
 * @throws IndexFailure for a document that cannot be indexed
 */
export function preparePassages(
  document: ParsedDocument,
  language: string | undefined,
  limits: ChunkLimits,
): PreparedDocument {
  const chunks = chunkDocument(document, limits)
  if (chunks.length > MOST_PASSAGES) {
    throw new IndexFailure(
      `It makes ${chunks.length.toLocaleString('en')} passages; ${MOST_PASSAGES.toLocaleString('en')} are the most of one document. Split it.`,
    )
  }
  const title = titleOfPage(document.title)
  const analysed = (texts: readonly string[]) =>
    texts.flatMap((text) => analyseTerms(text, language)).join(' ')
  let pageTerms = analysed([title])
  const passages = chunks.map((chunk): PreparedPassage => {
    const { headingPath, text } = chunk
    // Of a passage: its own words, those of the title and of the headings above, the nearest one twice.
    const above = analysed([title, ...headingPath])
    const nearest = analysed([headingPath.at(-1) ?? title])
    const own = analysed([plainText(text)])
    // Of the page: its title, and each passage under its nearest heading.
    if (pageTerms.length < LONGEST_PAGE_TERMS) pageTerms += ` ${nearest} ${own}`
    const parts = passageParts(title, chunk, document.language)
    return {
      ...chunk,
      terms: firstTerms(`${above} ${nearest} ${own}`, LONGEST_PASSAGE_TERMS),
      reading: writeReading(readPassage(text, chunk.places)),
      parts,
      hash: sha256([PARTS_VERSION, ...parts].join('\n')),
    }
  })
  return { passages, pageTerms: firstTerms(pageTerms, LONGEST_PAGE_TERMS) }
}
