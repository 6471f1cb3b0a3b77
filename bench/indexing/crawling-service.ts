import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { BenchOptions } from '../figure.ts'
import { startCitewell, WITHOUT_EMBEDDING } from '../processes/start-citewell.ts'

const TOKEN = 'bootstrap-token-of-the-bench'
const POLL_MS = 1_000

export interface Sync {
  id: string
  status: string
  counts: { fetched: number; added: number; unchanged: number; failed: number }
  started_at: string
  finished_at: string | null
  error: string | null
}

export interface CrawlingService extends AsyncDisposable {
  pid: number
  /** Its data directory. */
  data: string
  json<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  baseId: string
  /** CPU time that it has used since its start. */
  processorMs(): Promise<number>
}

/** `citewell serve` on an empty directory, started like a user does, with a knowledge base. */
export async function startCrawlingService(given: { embeds: boolean }): Promise<CrawlingService> {
  const data = mkdtempSync(join(tmpdir(), 'citewell-bench-'))
  const citewell = await startCitewell(data, {
    CITEWELL_BOOTSTRAP_TOKEN: TOKEN,
    CITEWELL_ALLOW_PRIVATE_NETWORK: 'true',
    ...(!given.embeds && WITHOUT_EMBEDDING),
  })
  const json = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(new URL(path, citewell.address), {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Answer
  }
  const base = await json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
    name: 'Bench',
    language: 'en',
    starter_questions: { mode: 'none' },
  })
  return {
    pid: citewell.pid,
    data,
    json,
    baseId: base.id,
    processorMs: async () =>
      ((await citewell.metrics()).get('process_cpu_seconds_total') ?? Number.NaN) * 1_000,
    [Symbol.asyncDispose]: async () => {
      await citewell[Symbol.asyncDispose]()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Adds a website to the base, or syncs it again, and waits for the end of its sync. */
export async function crawlSite(
  service: CrawlingService,
  site: string | { sourceId: string },
  { pages, progress, signal }: Pick<BenchOptions, 'progress' | 'signal'> & { pages: number },
): Promise<{ sourceId: string; sync: Sync; seconds: number }> {
  const sourceId = typeof site === 'string' ? await addSource(service, site, pages) : site.sourceId
  const { id } = await service.json<Sync>('POST', `/api/v1/sources/${sourceId}/sync`)
  for (;;) {
    signal.throwIfAborted()
    const sync = await service.json<Sync>('GET', `/api/v1/syncs/${id}`)
    if (sync.finished_at !== null) {
      if (sync.status !== 'succeeded') throw new Error(`The sync ended ${sync.status}: ${sync.error ?? ''}`)
      const seconds = (Date.parse(sync.finished_at) - Date.parse(sync.started_at)) / 1_000
      return { sourceId, sync, seconds }
    }
    const done = sync.counts.added + sync.counts.unchanged
    progress(`${done} of ${pages} pages`)
    await wait(POLL_MS, undefined, { signal })
  }
}

async function addSource(service: CrawlingService, site: string, pages: number): Promise<string> {
  const source = await service.json<{ id: string }>(
    'POST',
    `/api/v1/knowledge-bases/${service.baseId}/sources`,
    {
      type: 'website',
      name: 'Site',
      config: { start_urls: [`${site}/`], max_pages: pages, use_sitemap: false, render_js: false },
    },
  )
  return source.id
}
