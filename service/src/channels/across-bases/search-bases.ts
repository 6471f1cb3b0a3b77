import { LIMITS } from '@citewell/contract/limits'
import { confidenceIn } from '../../answers/answering/answering.ts'
import type { Passage, Search, SearchOutcome } from '../../content/search/search.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { NarrowedBase } from './narrow-bases.ts'

/** A base that is searched: its language says how. */
export interface SearchableBase {
  id: string
  language: string | null
}

/** The search result of one base. */
export interface SearchedBase<Base extends SearchableBase> extends NarrowedBase<Base> {
  /** Best first, one per page. */
  passages: Passage[]
  /** 0 to 1: how likely these pages answer the query. Unlike scores, it is comparable between bases. */
  confidence: number
}

/** Number of bases that are searched concurrently. */
const CONCURRENCY = 4

/** Searches each base as any other surface does, with the masking of that base. A base that is deleted meanwhile is skipped. */
export async function searchBases<Base extends SearchableBase>(
  search: Pick<Search, 'findPages'>,
  bases: readonly NarrowedBase<Base>[],
  asked: { query: string; limit: number; signal: AbortSignal },
): Promise<SearchedBase<Base>[]> {
  const searched: SearchedBase<Base>[] = []
  const waiting = [...bases.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      asked.signal.throwIfAborted()
      const [place, narrowed] = next
      const found = await pagesOf(search, narrowed, asked)
      searched[place] = {
        ...narrowed,
        passages: found.passages,
        confidence: confidenceIn(asked.query, found),
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return searched
}

async function pagesOf(
  search: Pick<Search, 'findPages'>,
  { base, groupIds, sourceIds }: NarrowedBase<SearchableBase>,
  asked: { query: string; limit: number; signal: AbortSignal },
): Promise<Pick<SearchOutcome, 'passages' | 'pages'>> {
  try {
    return await search.findPages({
      knowledgeBaseId: base.id,
      language: base.language ?? undefined,
      groupIds,
      sourceIds,
      includeRestricted: true,
      ...asked,
    })
  } catch (fault) {
    if (fault instanceof Refusal && fault.code === 'NOT_FOUND') return { passages: [], pages: 0 }
    throw fault
  }
}

/**
 * The best pages of all bases, best first. Scores are relative to the result of one base, which has a first page even if nothing matches.
 * So they are weighted with the confidence of their base.
 */
export function bestPages<Base extends SearchableBase>(
  searched: readonly SearchedBase<Base>[],
  limit: number,
): { base: Base; passage: Passage }[] {
  return searched
    .flatMap(({ base, passages, confidence }) =>
      passages.map((passage) => ({
        base,
        passage: searched.length === 1 ? passage : { ...passage, score: passage.score * confidence },
      })),
    )
    .sort((left, right) => right.passage.score - left.passage.score)
    .slice(0, limit)
}

/** Number of pages of each base that are compared to choose the base. */
const PAGES_COMPARED = 8

/**
 * The base that most likely answers; undefined if there is none. Each base has its own style, quota, masking and history, so only one of
 * them answers.
 */
export async function bestBase<Base extends SearchableBase>(
  search: Pick<Search, 'findPages'>,
  bases: readonly NarrowedBase<Base>[],
  asked: { query: string; signal: AbortSignal },
): Promise<NarrowedBase<Base> | undefined> {
  if (bases.length < 2) return bases[0]
  const query = asked.query.slice(0, LIMITS.searchQuery)
  const searched = await searchBases(search, bases, { query, limit: PAGES_COMPARED, signal: asked.signal })
  return searched.toSorted((left, right) => right.confidence - left.confidence)[0]
}
