import { afterAll, beforeAll } from 'vitest'
import { openTestManagement, type TestManagement } from '../test-management.ts'
import { openTestStorage, type TestStorage } from '../test-storage.ts'
import { createCrashes, type CrashMoment, type Crashes } from './crashes.ts'
import type { Random } from './random.ts'
import { createSkippingTimer } from './skipping-timer.ts'
import type { StandInServer } from './stand-in-server.ts'

/** What an index has to have of one item. */
export interface ExpectedDocument {
  /** A word that is in the text, and in no other version of any item. */
  text: string
  isRestricted: boolean
}

/** A product as a test changes it, and what an index of it has to have. */
export interface SourceModel {
  type: string
  config: Record<string, unknown>
  credentials: Record<string, string> | undefined
  server: StandInServer
  /** Other hosts of the product, and where they are. */
  hosts?: Record<string, string>
  /** By external id. */
  documents(): Map<string, ExpectedDocument>
  /** Makes a new item. */
  add(random: Random): void
  /** One random change of content, place, permission or existence. Returns what it was, for the message of a failure. */
  change(random: Random): string
  /** Hides most items, as a lost permission does; the returned function shows them again. */
  hideMost(): () => void
}

/** The same of a real product, which takes its time. */
export interface ProductModel extends Omit<SourceModel, 'add' | 'change' | 'hideMost'> {
  add(random: Random): Promise<void>
  change(random: Random): Promise<string>
  hideMost(): Promise<() => Promise<void>>
}

export interface SyncRecord {
  id: string
  status: string
  error: string | null
  counts: Record<string, number>
  errors: { kind: string; url: string; reason: string }[]
}

export interface IndexedRow {
  external_id: string
  visibility: string
  latest_version: number
  url: string
  title: string
  text: string | null
}

/** How strangers ask. */
export type Surface = 'search' | 'chat' | 'mcp'

interface StrangersBase {
  id: string
  client_key: { key: string }
}

function requestOf(surface: Surface, { id, client_key: { key } }: StrangersBase, words: readonly string[]) {
  const query = words.join(' ')
  if (surface === 'mcp') {
    const params = { name: 'search_docs', arguments: { query, limit: 20 } }
    return {
      path: '/mcp',
      headers: { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    }
  }
  return {
    path: `/api/v1/public/knowledge-bases/${id}/${surface}`,
    headers: { 'x-client-key': key },
    body:
      surface === 'search' ? { query, limit: 50 } : { query: `What is said about ${words.join(' and ')}?` },
  }
}

/** For hooks and cases that run whole syncs. */
export const TIMEOUT = { timeout: 240_000 }

/**
 * One service for the cases of a test file, started before the first one. The returned function opens a source that reads a model: see
 * `openConnectorWorld`.
 */
export function shareConnectorWorlds() {
  const apiOrigins: Record<string, string> = {}
  const crashes = createCrashes()
  let storage: TestStorage | undefined
  let api: TestManagement | undefined
  beforeAll(async () => {
    storage = await openTestStorage()
    const db = storage.db.withPlugin(crashes.plugin)
    const surroundings = { apiOrigins, sourceTimer: createSkippingTimer() }
    api = await openTestManagement({ storage: { ...storage, db }, surroundings })
  }, TIMEOUT.timeout)
  afterAll(async () => {
    await api?.close()
    await storage?.close()
  })
  return async (model: SourceModel | ProductModel, given: { visibility?: string } = {}) => {
    if (api === undefined) throw new Error('The service has not started.')
    // A product with one address for everybody: no config names it.
    const isNamed = JSON.stringify(model.config).includes(model.server.origin)
    if (!isNamed) apiOrigins[model.type] = model.server.origin
    Object.assign(apiOrigins, model.hosts)
    return await openConnectorWorld({ api, crashes }, model, given)
  }
}

/**
 * A source of the composed service that reads a model. Syncs run when the test says so, and can be stopped in the middle as by the end of
 * the process.
 */
async function openConnectorWorld(
  { api, crashes }: { api: TestManagement; crashes: Crashes },
  model: SourceModel | ProductModel,
  given: { visibility?: string },
) {
  const base = await api.ask<StrangersBase>('POST', '/knowledge-bases', {
    name: `Read by ${model.type}`,
    // They would be written again after each sync, with a dozen searches.
    starter_questions: { mode: 'none' },
  })
  await api.ask('POST', `/knowledge-bases/${base.id}/mcp-servers`, {
    server_name: `of-${base.id}`,
    sign_in_type: 'api_key',
  })
  const source = await api.ask('POST', `/knowledge-bases/${base.id}/sources`, {
    type: model.type,
    name: 'connected',
    config: model.config,
    ...(model.credentials !== undefined && { credentials: model.credentials }),
    visibility: given.visibility ?? 'public',
  })
  const sourceId = source['id'] ?? ''
  const [job] = api.syncs.jobs
  if (job === undefined) throw new Error('There is no sync job.')

  const work = async (signal: AbortSignal) => {
    api.clock.time = new Date(api.clock.time.getTime() + 60_000)
    await job.handle({}, signal)
  }

  const start = async (body?: object) =>
    (await api.ask<SyncRecord>('POST', `/sources/${sourceId}/sync`, body)).id

  async function runToEnd(id: string): Promise<SyncRecord> {
    await work(new AbortController().signal)
    return await api.ask<SyncRecord>('GET', `/syncs/${id}`)
  }

  /** Runs one sync to its end. */
  const sync = async (body?: object) => await runToEnd(await start(body))

  /** Reads again what a sync could not read. */
  const retry = async (failed: SyncRecord) =>
    await runToEnd((await api.ask<SyncRecord>('POST', `/syncs/${failed.id}/retry`)).id)

  /**
   * Starts a sync, ends the worker at a moment as the end of its process does, and lets a new one go on. A sync that ends before that
   * moment is not disturbed.
   */
  async function syncCrashed(moment: CrashMoment): Promise<SyncRecord> {
    const id = await start()
    const stop = new AbortController()
    const revive = crashes.arm(model.server, moment, () => stop.abort(new Error('The process ends.')))
    try {
      await work(stop.signal).catch(() => undefined)
    } finally {
      revive()
    }
    if (stop.signal.aborted) {
      api.clock.time = new Date(api.clock.time.getTime() + 60_000)
      await api.syncs.recover(0)
      await work(new AbortController().signal)
    }
    return await api.ask<SyncRecord>('GET', `/syncs/${id}`)
  }

  async function indexed(): Promise<Map<string, IndexedRow>> {
    const { rows } = await api.storage.execute(
      `select d.external_id, d.visibility, d.latest_version, d.url, d.title, string_agg(c.text, ' ' order by c.ordinal) as text
      from documents d left join chunks c on c.knowledge_base_id = '${base.id}'
        and c.document_id = d.id and c.version = d.live_version
      where d.knowledge_base_id = '${base.id}' and d.source_id = '${sourceId}' and d.live_version is not null
      group by d.external_id, d.visibility, d.latest_version, d.url, d.title`,
    )
    return new Map((rows as unknown as IndexedRow[]).map((row) => [row.external_id, row]))
  }

  /** The headings and anchors of everything that is indexed, as JSON. */
  async function headings(): Promise<string> {
    const { rows } = await api.storage.execute(
      `select c.heading_path, c.anchor, c.places from chunks c join documents d on d.id = c.document_id and d.live_version = c.version
      where c.knowledge_base_id = '${base.id}' and d.source_id = '${sourceId}'`,
    )
    return JSON.stringify(rows)
  }

  /** What the base tells a stranger with its client key of these words: JSON, or the frames of a stream. */
  async function askPublicly(surface: Surface, words: readonly string[]): Promise<string> {
    const { path, headers, body } = requestOf(surface, base, words)
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const response = await api.service.fetch(request)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return text
  }

  /**
   * As if more documents had been read: for each that has `big0x` in its names, one with `big1x`, one with `big2x` and so on. They have no
   * text.
   */
  async function multiply(count: number): Promise<void> {
    for (const table of ['documents', 'source_pages']) {
      const own = table === 'documents' ? `|| jsonb_build_object('id', gen_random_uuid())` : ''
      await api.storage.execute(
        `insert into ${table} select made.* from ${table} t, generate_series(1, ${count}) n,
          jsonb_populate_record(null::${table}, replace(to_jsonb(t)::text, 'big0x', 'big' || n || 'x')::jsonb ${own}) made
        where t.source_id = '${sourceId}' and to_jsonb(t)::text like '%big0x%'`,
      )
      // As after a sync: a plan for one row reads the whole table for each item.
      await api.storage.execute(`analyze ${table}`)
    }
  }

  /** Where the index differs from the model, in words; empty if it does not. */
  async function differences(): Promise<string[]> {
    const found = await indexed()
    const expected = model.documents()
    const wrong: string[] = []
    for (const [id, { text, isRestricted }] of expected) {
      const row = found.get(id)
      if (row === undefined) wrong.push(`${id} is missing`)
      else if (row.text?.includes(text) !== true)
        wrong.push(`${id} has another text than "${text}": ${row.text?.slice(0, 500)}`)
      else if ((row.visibility === 'restricted') !== isRestricted)
        wrong.push(`${id} is ${row.visibility}, which is wrong`)
    }
    for (const id of found.keys()) if (!expected.has(id)) wrong.push(`${id} should be gone`)
    return wrong
  }

  const { ask, send, storage, announced, heldSyncs, indexing } = api
  return {
    ask,
    send,
    storage,
    announced,
    heldSyncs,
    indexing,
    baseId: base.id,
    sourceId,
    sync,
    retry,
    syncCrashed,
    crashes,
    indexed,
    headings,
    multiply,
    askPublicly,
    differences,
  }
}

export type ConnectorWorld = Awaited<ReturnType<typeof openConnectorWorld>>
