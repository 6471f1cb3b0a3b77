import { afterAll, beforeAll } from 'vitest'
import { openTestManagement, type TestManagement } from '../test-management.ts'
import { createRandom, type Random } from './random.ts'
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
export interface ProductModel extends Omit<SourceModel, 'add' | 'change'> {
  add(random: Random): Promise<void>
  change(random: Random): Promise<string>
}

export interface SyncRecord {
  id: string
  status: string
  error: string | null
  counts: Record<string, number>
  errors: { kind: string; url: string; reason: string }[]
}

interface IndexedRow {
  external_id: string
  visibility: string
  latest_version: number
  url: string
  title: string
  text: string | null
}

/** For hooks and cases that run whole syncs. */
export const TIMEOUT = { timeout: 240_000 }

/** Runs of random changes for each model. `npm run test:connectors` does more of them, and `CONNECTOR_SEED` draws others. */
export const RANDOM_RUNS = Number(process.env['CONNECTOR_RUNS'] ?? 2)
const SEED = Number(process.env['CONNECTOR_SEED'] ?? 0)

/**
 * One service for the cases of a test file, started before the first one. The returned function opens a source that reads a model: see
 * `openConnectorWorld`.
 */
export function shareConnectorWorlds() {
  const apiOrigins: Record<string, string> = {}
  let api: TestManagement | undefined
  beforeAll(async () => {
    api = await openTestManagement({ surroundings: { apiOrigins } })
  }, TIMEOUT.timeout)
  afterAll(async () => await api?.close())
  return async (model: SourceModel | ProductModel, given: { visibility?: string } = {}) => {
    if (api === undefined) throw new Error('The service has not started.')
    // A product with one address for everybody: no config names it.
    const isNamed = JSON.stringify(model.config).includes(model.server.origin)
    if (!isNamed) apiOrigins[model.type] = model.server.origin
    Object.assign(apiOrigins, model.hosts)
    return await openConnectorWorld(api, model, given)
  }
}

/**
 * A source of the composed service that reads a model. Syncs run when the test says so, and can be stopped in the middle as by the end of
 * the process.
 */
async function openConnectorWorld(
  api: TestManagement,
  model: SourceModel | ProductModel,
  given: { visibility?: string },
) {
  const base = await api.ask('POST', '/knowledge-bases', { name: `Read by ${model.type}` })
  const source = await api.ask('POST', `/knowledge-bases/${base['id']}/sources`, {
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

  /** Starts a sync and ends the worker at the n-th request to the model's server; then a new worker goes on. */
  async function syncInterrupted(atRequest: number): Promise<SyncRecord> {
    const id = await start()
    const stop = new AbortController()
    let requests = 0
    model.server.onRequest = () => {
      requests += 1
      if (requests === atRequest) stop.abort(new Error('The process ends.'))
    }
    await work(stop.signal).catch(() => undefined)
    model.server.onRequest = undefined
    api.clock.time = new Date(api.clock.time.getTime() + 60_000)
    await api.syncs.recover(0)
    await work(new AbortController().signal)
    return await api.ask<SyncRecord>('GET', `/syncs/${id}`)
  }

  async function indexed(): Promise<Map<string, IndexedRow>> {
    const { rows } = await api.storage.execute(
      `select d.external_id, d.visibility, d.latest_version, d.url, d.title, string_agg(c.text, ' ' order by c.ordinal) as text
      from documents d left join chunks c on c.knowledge_base_id = d.knowledge_base_id
        and c.document_id = d.id and c.version = d.live_version
      where d.source_id = '${sourceId}' and d.live_version is not null
      group by d.external_id, d.visibility, d.latest_version, d.url, d.title`,
    )
    return new Map((rows as unknown as IndexedRow[]).map((row) => [row.external_id, row]))
  }

  /** The headings and anchors of everything that is indexed, as JSON. */
  async function headings(): Promise<string> {
    const { rows } = await api.storage.execute(
      `select c.heading_path, c.anchor, c.places from chunks c join documents d on d.id = c.document_id and d.live_version = c.version where d.source_id = '${sourceId}'`,
    )
    return JSON.stringify(rows)
  }

  /** Where the index differs from the model, in words; empty if it does not. */
  async function differences(): Promise<string[]> {
    const found = await indexed()
    const expected = model.documents()
    const wrong: string[] = []
    for (const [id, { text, isRestricted }] of expected) {
      const row = found.get(id)
      if (row === undefined) wrong.push(`${id} is missing`)
      else if (row.text?.includes(text) !== true) wrong.push(`${id} has another text than "${text}"`)
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
    baseId: base['id'] ?? '',
    sourceId,
    sync,
    retry,
    syncInterrupted,
    indexed,
    headings,
    differences,
  }
}

export type ConnectorWorld = Awaited<ReturnType<typeof openConnectorWorld>>

export interface RandomRun {
  seed: number
  items: number
  changesPerRun: number
  /** Requests that one run with this many changes may make, for a source of this many items. */
  maxRequests: (items: number, changes: number) => number
}

/**
 * Fills a model, syncs, changes it at random and syncs again, each time comparing the whole index. Throws with the seed and the changes at
 * the first difference. Returns how many runs were right.
 */
export async function runRandomChanges(
  world: ConnectorWorld,
  model: SourceModel | ProductModel,
  run: RandomRun,
): Promise<number> {
  const seed = run.seed + SEED
  const random = createRandom(seed)
  for (let item = 0; item < run.items; item += 1) await model.add(random)
  await expectSame(world, await world.sync(), [`seed ${seed}`, 'first reading'])
  for (let round = 0; round < RANDOM_RUNS; round += 1) {
    const before = await world.indexed()
    const old = model.documents()
    const changes: string[] = []
    for (let left = random.below(run.changesPerRun + 1); left > 0; left -= 1)
      changes.push(await model.change(random))
    model.server.forget()
    // The second one always, so that the fewest runs have an interrupted one.
    const isInterrupted = random.below(3) === 0 || round === 1
    const done = isInterrupted ? await world.syncInterrupted(1 + random.below(6)) : await world.sync()
    const about = [`seed ${seed}`, `round ${round}`, ...changes]
    await expectSame(world, done, about)
    const requests = model.server.requests.length
    const allowed = run.maxRequests(old.size, changes.length)
    if (requests > allowed) throw new Error(`${requests} requests, not ${allowed}: ${about.join('; ')}`)
    // A document whose text, title and address are the same has not been written, and so not embedded, again.
    for (const [id, row] of await world.indexed()) {
      const earlier = before.get(id)
      const isSameText = earlier?.text === row.text && earlier.url === row.url && earlier.title === row.title
      if (isSameText && earlier.latest_version !== row.latest_version)
        throw new Error(`${id} is unchanged but was indexed again: ${about.join('; ')}`)
    }
  }
  return RANDOM_RUNS
}

async function expectSame(world: ConnectorWorld, done: SyncRecord, about: string[]): Promise<void> {
  const wrong = await world.differences()
  if (wrong.length === 0 && done.status === 'succeeded') return
  throw new Error(
    [
      `the sync ${done.status}: ${done.error ?? ''} ${JSON.stringify(done.errors.slice(0, 3))}`,
      ...wrong.slice(0, 10),
      ...about,
    ].join('\n'),
  )
}
