import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { SearchResults } from '@citewell/contract/search'
import { startKeptService, type KeptService } from '../../service/test/start-kept-service.ts'
import { loadBase } from '../asking/load-base.ts'
import { createServiceCalls } from '../asking/service-calls.ts'
import { folderOf } from './kept-folder.ts'
import { residentMb, type IndexedSet, type Measured, type Task } from './measured.ts'
import { partOf } from './part-of.ts'
import { timeQuestions } from './time-questions.ts'

async function start(task: Task, isFresh: boolean): Promise<KeptService> {
  const folder = folderOf(task)
  const vectors = join(task.keptData, task.set, 'vectors')
  mkdirSync(vectors, { recursive: true })
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'vectors'))) symlinkSync(vectors, join(folder, 'vectors'), 'junction')
  return await startKeptService(folder, isFresh)
}

const callsTo = (service: KeptService) =>
  createServiceCalls({ ...service, signal: new AbortController().signal })

/** Sends all pages to an empty service. */
export async function indexCitewell(task: Task): Promise<IndexedSet> {
  await using service = await start(task, true)
  const startedAt = performance.now()
  const base = await loadBase(partOf(task).base, callsTo(service), () => {})
  return {
    baseId: base.id,
    key: base.key,
    pages: [...base.pageOf].map(([document, { page }]) => [document, page]),
    buildMs: performance.now() - startedAt,
    vectorsMade: service.vectors.counts.made,
  }
}

/** Asks the service on its index over the public API. */
export async function measureCitewell(task: Task, indexed: IndexedSet): Promise<Measured> {
  await using service = await start(task, false)
  const pageOf = new Map(indexed.pages)
  const path = `/api/v1/public/knowledge-bases/${indexed.baseId}/search`
  const calls = callsTo(service)
  const timed = await timeQuestions(task, async (query) => {
    const response = await calls.ask(indexed.key, path, { query })
    const { results } = SearchResults.parse(await response.json())
    return results.map((result) => pageOf.get(result.document_id) ?? '')
  })
  return {
    ...timed,
    name: 'Citewell',
    setting: 'its public search API over HTTP, on its database on the disk',
    buildMs: indexed.buildMs,
    residentMb: residentMb(),
  }
}
