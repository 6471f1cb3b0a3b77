import type { Citation } from '@citewell/contract/chat'
import type { Document } from '@citewell/contract/documents'
import { SearchResults } from '@citewell/contract/search'
import type { Answer, FoundPage, Observation } from '../measures/observation.ts'
import type { Question } from '../sets/read-set.ts'
import type { Asking } from '../sets/set-plan.ts'
import type { LoadedBase } from './load-base.ts'
import { readChat, type ChatHeard } from './read-chat.ts'
import type { ServiceCalls } from './service-calls.ts'

/** Number of first citations whose passages are read in full. */
const PASSAGES_READ = 5

/** Asks one base questions over the public API, one after another, like a single reader. */
export function createAsker(base: LoadedBase, calls: ServiceCalls) {
  const passages = new Map<string, string>()
  const path = `/api/v1/public/knowledge-bases/${base.id}`

  function pageOf({ document_id: id }: { document_id: string }): FoundPage {
    const page = base.pageOf.get(id)
    if (page === undefined) throw new Error('The service found an unknown document: run with --fresh.')
    return page
  }

  /** The whole passage of a citation. */
  async function passageOf(citation: Citation): Promise<string> {
    if (!passages.has(citation.chunk_id)) {
      const document = await calls.manage<Document>('GET', `/api/v1/documents/${citation.document_id}`)
      for (const chunk of document.chunks) passages.set(chunk.id, chunk.text)
    }
    return passages.get(citation.chunk_id) ?? ''
  }

  async function search(query: string, groupIds: string[] | undefined) {
    const startedAt = performance.now()
    const response = await calls.ask(base.key, `${path}/search`, { query, group_ids: groupIds })
    const body: unknown = await response.json()
    const searchMs = performance.now() - startedAt
    const { results } = SearchResults.parse(body)
    return { results: results.map(pageOf), searchMs }
  }

  async function chat(
    query: string,
    groupIds: string[] | undefined,
    threadId: string | undefined,
  ): Promise<ChatHeard> {
    const startedAt = performance.now()
    const response = await calls.ask(base.key, `${path}/chat`, {
      query,
      group_ids: groupIds,
      thread_id: threadId,
    })
    return await readChat(response, startedAt)
  }

  async function answer(question: Question, asking: Asking, groupIds: string[] | undefined): Promise<Answer> {
    let threadId: string | undefined
    for (const turn of asking.earlier) threadId = (await chat(turn, groupIds, threadId)).last.thread_id
    const { text, found, last, firstFrameMs, wholeMs } = await chat(question.text, groupIds, threadId)
    const read = asking.readsPassages ? found.slice(0, PASSAGES_READ) : []
    return {
      text,
      isCovered: last.covered,
      confidence: last.confidence,
      found: found.map(pageOf),
      passages: await Promise.all(read.map(passageOf)),
      cited: await Promise.all(
        last.citations.map(async (citation) => ({
          ...pageOf(citation),
          index: citation.index,
          excerpt: citation.excerpt,
          passage: await passageOf(citation),
        })),
      ),
      firstFrameMs,
      wholeMs,
    }
  }

  return async (question: Question, asking: Asking): Promise<Observation> => {
    const groupIds = asking.groups?.map((name) => {
      const id = base.groups.get(name)
      if (id === undefined) throw new Error(`There is no source group ${name}.`)
      return id
    })
    const found = asking.searches ? await search(question.text, groupIds) : undefined
    return {
      question,
      groups: asking.groups,
      results: found?.results,
      searchMs: found?.searchMs,
      answer: asking.chats ? await answer(question, asking, groupIds) : undefined,
    }
  }
}
