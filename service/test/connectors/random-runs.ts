import { createStrangers, type Strangers } from './ask-as-stranger.ts'
import type { ConnectorWorld, IndexedRow, ProductModel, SourceModel, SyncRecord } from './connector-world.ts'
import type { CrashMoment } from './crashes.ts'
import { createRandom, type Random } from './random.ts'

/** Requests that one run may make, from the items that the source had, and from those of them that are not as they were. */
export type RequestBound = (items: number, changed: number) => number

export interface RandomRun {
  seed: number
  items: number
  runs: number
  changesPerRun: number
  /** Of a run that is not interrupted. */
  maxRequests: RequestBound
  /** Whether strangers ask for each word by itself. */
  asksEach?: boolean | undefined
  report?: Report | undefined
}

/** Gets the figures of a whole run. */
type Report = (line: string) => void

type Model = SourceModel | ProductModel

/** Of `3` or `1-20`. */
export function seedsOf(text: string): number[] {
  const [first = 1, last = first] = text.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, place) => first + place)
}

const secondsSince = (begun: number): number => Math.round((performance.now() - begun) / 1000)

/** What differs between two states of an index. */
function changedRows(before: Map<string, IndexedRow>, after: Map<string, IndexedRow>): number {
  const isSame = (one: IndexedRow | undefined, other: IndexedRow | undefined) =>
    one?.text === other?.text &&
    one?.url === other?.url &&
    one?.title === other?.title &&
    one?.visibility === other?.visibility
  const ids = new Set([...before.keys(), ...after.keys()])
  return [...ids].filter((id) => !isSame(before.get(id), after.get(id))).length
}

/**
 * Throws if a document whose text, title and address are the same was written, and so embedded, again. Returns how many were neither
 * changed nor written.
 */
function expectUntouched(
  before: Map<string, IndexedRow>,
  after: Map<string, IndexedRow>,
  about: string[],
): number {
  let untouched = 0
  for (const [id, row] of after) {
    const earlier = before.get(id)
    const isSameText = earlier?.text === row.text && earlier.url === row.url && earlier.title === row.title
    if (isSameText && earlier.latest_version !== row.latest_version)
      throw new Error(`${id} is unchanged but was indexed again: ${about.join('; ')}`)
    if (isSameText) untouched += 1
  }
  return untouched
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

/** Throws if a stranger is told what only others may read, or what is gone. */
async function expectNoLeak(strangers: Strangers, model: Model, about: string[]): Promise<void> {
  const documents = model.documents()
  strangers.note(documents)
  const wrong = await strangers.faults(documents)
  if (wrong.length > 0) throw new Error([...wrong.slice(0, 3), ...about].join('\n'))
}

async function fill(
  world: ConnectorWorld,
  model: Model,
  run: { seed: number; items: number },
): Promise<Random> {
  const random = createRandom(run.seed)
  for (let item = 0; item < run.items; item += 1) await model.add(random)
  await expectSame(world, await world.sync(), [`seed ${run.seed}`, 'first reading'])
  return random
}

async function changeSome(model: Model, random: Random, most: number): Promise<string[]> {
  const changes: string[] = []
  for (let left = random.below(most + 1); left > 0; left -= 1) changes.push(await model.change(random))
  return changes
}

/**
 * Fills a model, syncs, changes it at random and syncs again, each time comparing the whole index and asking as a stranger. One run in
 * three is interrupted. Throws with the seed and the changes at the first difference. Returns how many runs were right, and how often
 * strangers asked for a word.
 */
export async function runRandomChanges(
  world: ConnectorWorld,
  model: Model,
  run: RandomRun,
): Promise<{ runs: number; asked: Strangers['asked'] }> {
  const begun = performance.now()
  const random = await fill(world, model, run)
  const strangers = createStrangers(world, { asksEach: run.asksEach === true })
  await expectNoLeak(strangers, model, [`seed ${run.seed}`, 'first reading'])
  const first = { seconds: secondsSince(begun), requests: model.server.requests.length }
  const total = { requests: 0, allowed: 0, changed: 0, untouched: 0, interrupted: 0 }
  for (let round = 0; round < run.runs; round += 1) {
    const before = await world.indexed()
    const items = model.documents().size
    const changes = await changeSome(model, random, run.changesPerRun)
    model.server.forget()
    const isInterrupted = random.below(3) === 0
    const done = isInterrupted
      ? await world.syncCrashed({ kind: 'request', number: 1 + random.below(6) })
      : await world.sync()
    const about = [`seed ${run.seed}`, `round ${round}`, ...changes]
    await expectSame(world, done, about)
    await expectNoLeak(strangers, model, about)
    const after = await world.indexed()
    const requests = model.server.requests.length
    const changed = changes.length + changedRows(before, after)
    // A run that is interrupted begins again.
    const allowed = run.maxRequests(Math.max(items, after.size), changed) * (isInterrupted ? 2 : 1)
    if (requests > allowed)
      throw new Error(
        `${requests} requests for ${changed} changed of ${items}, not ${allowed}: ${about.join('; ')}`,
      )
    total.untouched += expectUntouched(before, after, about)
    total.requests += requests
    total.allowed += allowed
    total.changed += changed
    total.interrupted += isInterrupted ? 1 : 0
  }
  run.report?.(
    `seed ${run.seed}, ${run.items} items: first reading ${first.seconds} s, ${first.requests} requests; ` +
      `${run.runs} runs (${total.interrupted} interrupted) ${secondsSince(begun) - first.seconds} s, ` +
      `${total.changed} changes, ${total.requests} of ${total.allowed} requests, ` +
      `0 of ${total.untouched} unchanged indexed again; strangers asked for ${strangers.asked.open} open and ` +
      `${strangers.asked.closed} closed words, 0 leaks`,
  )
  return { runs: run.runs, asked: strangers.asked }
}

/**
 * Fills a model, then changes it and ends the worker in the sync, at as many moments as given, from its first to its last request, and the
 * same with its statements. Returns how many of the syncs were ended.
 */
export async function runCrashes(
  world: ConnectorWorld,
  model: Model,
  run: { seed: number; items: number; changesPerRun: number; moments: number; report?: Report | undefined },
): Promise<number> {
  const random = await fill(world, model, run)
  const endedBy = { request: 0, statement: 0 }
  for (const kind of ['request', 'statement'] as const) {
    await changeSome(model, random, run.changesPerRun)
    const counted = () => (kind === 'request' ? model.server.requests.length : world.crashes.statements())
    const start = kind === 'request' ? 0 : counted()
    model.server.forget()
    await expectSame(world, await world.sync(), [`seed ${run.seed}`, 'the sync that is counted'])
    const whole = counted() - start
    for (let at = 0; at < run.moments; at += 1) {
      const before = await world.indexed()
      const changes = await changeSome(model, random, run.changesPerRun)
      const moment: CrashMoment = { kind, number: 1 + Math.floor((at * whole) / run.moments) }
      const deaths = world.crashes.deaths()
      const done = await world.syncCrashed(moment)
      endedBy[kind] += world.crashes.deaths() - deaths
      const about = [`seed ${run.seed}`, `${kind} ${moment.number} of ${whole}`, ...changes]
      await expectSame(world, done, about)
      expectUntouched(before, await world.indexed(), about)
    }
  }
  run.report?.(
    `seed ${run.seed}, ${run.items} items: of ${run.moments} syncs each, ${endedBy.request} ended at a request, ` +
      `${endedBy.statement} at a statement; the index was right after each`,
  )
  return endedBy.request + endedBy.statement
}
