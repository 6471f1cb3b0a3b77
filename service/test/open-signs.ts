import type { ComparedFeatures, CoverageFeatures } from '../src/answers/answering/coverage-features.ts'
import { comparePassages } from '../src/answers/answering/compare-passages.ts'
import { comparedFeatures, coverageFeatures } from '../src/answers/answering/coverage-gate.ts'
import { gatherCandidates } from '../src/content/search/gather-candidates.ts'
import { rankingFeatures, type RankingFeatures } from '../src/content/search/ranking-features.ts'
import { createSearch } from '../src/content/search/search.ts'
import { analyseTerms } from '../src/content/text-terms/text-terms.ts'
import { openIndex } from './open-index.ts'
import { testAddresses } from './test-addresses.ts'

/** The features of a question before it is decided on, to which weights are fitted. */
export interface Signs {
  /** The candidates, each with the id under which its page was pushed. */
  candidates: { page: string; features: RankingFeatures }[]
  /** The features of the gate: question and passages read together, with vectors of each, and with words only. */
  coverage: Record<'hybrid' | 'lexical', CoverageFeatures> & {
    compared: CoverageFeatures & ComparedFeatures
  }
}

const PASSAGES = 15
const CANDIDATES = 60
/** Nothing is remembered between two questions. */
const NO_LARGE_SCOPES = { has: () => false, remember: () => {} }
const SCOPE = { groupIds: undefined, includeRestricted: false }

/** Opens an index to read the features of single questions (see `openIndex`). */
export async function openSigns(data: string) {
  const index = await openIndex(data)
  const { db, embedder } = index
  const hybrid = createSearch({ db, embedder: () => embedder, addressOf: testAddresses.addressOf })
  const lexical = createSearch({ db, embedder: () => undefined, addressOf: testAddresses.addressOf })

  async function signsOf(baseName: string, query: string): Promise<Signs> {
    const base = await index.baseOf(baseName)
    const language = base.language ?? undefined
    const scope = { ...SCOPE, knowledgeBaseId: base.id }
    const asked = analyseTerms(query, language)
    const question = { vector: await embedder.embedQuery(query), embeddingKey: embedder.key }
    const found = await gatherCandidates(db, scope, {
      query,
      questionTerms: asked,
      question: Promise.resolve(question),
      most: CANDIDATES,
      largeScopes: NO_LARGE_SCOPES,
    })
    const features = rankingFeatures(asked, found, language)
    const pages = await pagesOf(
      base.id,
      found.map(({ documentId }) => documentId),
    )
    const request = { ...scope, query, language, limit: PASSAGES, signal: new AbortController().signal }
    const [byBoth, byWords] = [await hybrid.findPassages(request), await lexical.findPassages(request)]
    const compared = await comparePassages(query, byBoth.passages, { embedder, language }, request.signal)
    return {
      candidates: found.flatMap(({ documentId }, place) => {
        const [page, signs] = [pages.get(documentId), features[place]]
        return page === undefined || signs === undefined ? [] : [{ page, features: signs }]
      }),
      coverage: {
        compared: {
          ...coverageFeatures(query, byBoth),
          ...comparedFeatures(compared ?? { nearest: [], missing: 0 }),
        },
        hybrid: coverageFeatures(query, byBoth),
        lexical: coverageFeatures(query, byWords),
      },
    }
  }

  async function pagesOf(
    knowledgeBaseId: string,
    documentIds: readonly string[],
  ): Promise<Map<string, string>> {
    if (documentIds.length === 0) return new Map()
    const rows = await db
      .selectFrom('documents')
      .select(['id', 'external_id'])
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('id', 'in', documentIds)
      .execute()
    return new Map(rows.map((row) => [row.id, row.external_id]))
  }

  return { signsOf, [Symbol.asyncDispose]: index[Symbol.asyncDispose] }
}
