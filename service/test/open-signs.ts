import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { coverageFeatures, type CoverageFeatures } from '../src/answers/answering/coverage-gate.ts'
import { gatherCandidates } from '../src/content/search/gather-candidates.ts'
import { rankingFeatures, type RankingFeatures } from '../src/content/search/ranking-features.ts'
import { createSearch } from '../src/content/search/search.ts'
import { analyseTerms } from '../src/content/text-terms/text-terms.ts'
import { createEmbedder } from '../src/platform/embedding/create-embedder.ts'
import { lockDirectory } from '../src/platform/storage/embedded/directory-lock.ts'
import { openEmbeddedStorage } from '../src/platform/storage/storage.ts'

/** What is seen of a question before it is decided on: the signs that weights are fitted to. */
export interface Signs {
  /** The candidates, each with the id that its page was pushed under. */
  candidates: { page: string; features: RankingFeatures }[]
  /** What the gate sees, with vectors and by words alone. */
  coverage: Record<'hybrid' | 'lexical', CoverageFeatures>
}

const PASSAGES = 15
const CANDIDATES = 60
const SCOPE = { groupIds: undefined, includeRestricted: false }

/**
 * Opens what a service has indexed, to look at the signs themselves. The service must not be running.
 *
 * @param data - the service's data directory, on embedded storage
 */
export async function openSigns(data: string) {
  if (!existsSync(join(data, 'database')))
    throw new Error(`Nothing is indexed in ${data}: run the evaluation first.`)
  const lock = lockDirectory(data)
  const storage = await openEmbeddedStorage({ directory: join(data, 'database'), isDurable: false })
  const { embedder, reason } = await createEmbedder(
    { remote: undefined, localFolder: undefined, cacheDirectory: join(data, 'models') },
    { fetch: () => Promise.reject(new Error('The embedded model needs no network.')) },
  )
  if (embedder === undefined) throw new Error(reason)
  const { key: embeddingKey, embedQuery, close } = embedder
  const { db } = storage
  const hybrid = createSearch({ db, embedder })
  const lexical = createSearch({ db, embedder: undefined })

  async function signsOf(baseName: string, query: string): Promise<Signs> {
    const base = await db
      .selectFrom('knowledge_bases')
      .select(['id', 'language'])
      .where('name', '=', baseName)
      .executeTakeFirstOrThrow()
    const language = base.language ?? undefined
    const scope = { ...SCOPE, knowledgeBaseId: base.id }
    const asked = analyseTerms(query, language)
    const question = { vector: await embedQuery(query), embeddingKey }
    const found = await gatherCandidates(db, scope, { query, asked, question, most: CANDIDATES })
    const features = rankingFeatures(asked, found, language)
    const pages = await pagesOf(
      base.id,
      found.map(({ documentId }) => documentId),
    )
    const request = { ...scope, query, language, limit: PASSAGES, signal: new AbortController().signal }
    const [byBoth, byWords] = [await hybrid.findPassages(request), await lexical.findPassages(request)]
    return {
      candidates: found.flatMap(({ documentId }, place) => {
        const [page, signs] = [pages.get(documentId), features[place]]
        return page === undefined || signs === undefined ? [] : [{ page, features: signs }]
      }),
      coverage: {
        hybrid: coverageFeatures(query, byBoth.passages),
        lexical: coverageFeatures(query, byWords.passages),
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

  return {
    signsOf,
    [Symbol.asyncDispose]: async () => {
      await close()
      await storage.close()
      lock.release()
    },
  }
}
