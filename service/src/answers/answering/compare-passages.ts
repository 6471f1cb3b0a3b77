import { meanOf } from '../../kernel/mean.ts'
import { understands, type Passage } from '../../content/search/search.ts'
import type { PartComparison } from '../../platform/embedding/compare-pair.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import { contentWordsOf } from '../citations/citations.ts'
import { sectionOf } from './heading-share.ts'
import { missingShare } from './missing-words.ts'
import { unitsOfPassage, type QuotableUnit } from './quotable-units.ts'

/** What the model says of the question and the first passages, each read together with it in one pass. */
export interface ComparedPassages {
  /** How near the nearest words of each passage are to the question's content words, on average: cosines. Best passage first. */
  nearest: number[]
  /** How near the nearest words of each passage are to those of the first so many words of the query that have content. */
  nearestToFirst: (words: number) => number[]
  /** How much of the question no passage names, 0 to 1 (`missing-words.ts`). */
  missing: number
  /** Of the quotable units of these passages. */
  units: ReadonlyMap<QuotableUnit, PartComparison>
}

/** One pass takes some 12 ms of a core. The gate reads five, and the sentence that answers is nearly always in the first six. */
const PASSAGES_COMPARED = 6

/** A pass takes longer with each word, and a question may have 4,000 characters: what comes after these words is not compared. */
const WORDS_COMPARED = 64

/**
 * Reads the question together with the first passages. Undefined if the model cannot do that, does not know the language, or fails: then
 * question and passages are compared by their own vectors and words alone.
 */
export async function comparePassages(
  query: string,
  found: readonly Passage[],
  { embedder, language }: { embedder: Embedder | undefined; language: string | undefined },
  signal: AbortSignal,
): Promise<ComparedPassages | undefined> {
  if (embedder?.compare === undefined || !understands(embedder, language)) return undefined
  const passages = found.slice(0, PASSAGES_COMPARED)
  const words = query
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, WORDS_COMPARED)
  const isContent = words.map((word) => contentWordsOf(word).length > 0)
  const units = passages.map((passage) => unitsOfPassage(passage))
  const parts = passages.map((passage, place) => [
    `${passage.title}\n${sectionOf(passage)}`,
    ...(units[place] ?? []).map(({ plain }) => plain),
  ])
  try {
    const compared = await embedder.compare(words, parts, signal)
    const nearestToFirst = (count: number) =>
      compared.map(({ words: nearest }) => {
        const first = nearest.slice(0, count)
        const content = first.filter((value, place) => isContent[place] === true && value !== undefined)
        return meanOf((content.length > 0 ? content : first).filter((value) => value !== undefined))
      })
    return {
      nearest: nearestToFirst(words.length),
      missing: missingShare(words.join(' '), found, (word) => embedder.rarityOf?.(word) ?? 0),
      nearestToFirst,
      units: new Map(
        compared.flatMap(({ parts: said }, place) =>
          (units[place] ?? []).flatMap((unit, index) => {
            // The first part is the heading.
            const part = said[index + 1]
            return part === undefined ? [] : [[unit, part] as const]
          }),
        ),
      ),
    }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
