import fc from 'fast-check'
import type { TestService } from '../start-service.ts'
import { askSurface, SURFACES, type Surface, type Disclosed } from './ask-surface.ts'
import {
  noteTold,
  readableIn,
  refusalOfKey,
  scopeOf,
  type ModelDocument,
  type ModelWorld,
} from './model-world.ts'

/** One question from outside: which surface, and which records of the world it uses, by number. */
export interface Probe {
  surface: Surface
  key: number
  document: number
  /** The groups that the request names, by number; a number after the last one is an id without a group. */
  groups: number[]
  thread: number
}

export const probes: fc.Arbitrary<Probe> = fc.record({
  surface: fc.constantFrom(...SURFACES),
  key: fc.nat(20),
  document: fc.nat(20),
  groups: fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([]) },
    fc.array(fc.nat(3), { maxLength: 2 }),
  ),
  thread: fc.nat(20),
})

const NO_GROUP = '0197f0c2-8a4e-7c31-9d52-000000000000'
const TAKES_GROUPS: ReadonlySet<Surface> = new Set([
  'chat',
  'chat-in-thread',
  'thread-route',
  'socket',
  'form-deflect',
  'form-deflect-stream',
  'search',
])
const IN_THREADS: ReadonlySet<Surface> = new Set(['chat-in-thread', 'thread-route'])
/** Surfaces whose output is computed only from the current documents. */
const OF_THIS_MOMENT: ReadonlySet<Surface> = new Set(
  SURFACES.filter((surface) => !IN_THREADS.has(surface) && surface !== 'suggested-questions'),
)
/** Surfaces that disclose the requested document if it may be read at all. */
const TELLS_OF_ITS_DOCUMENT: ReadonlySet<Surface> = new Set([
  'chat',
  'socket',
  'openai',
  'openai-stream',
  'form-deflect-stream',
  'search',
  'related',
  'mcp-search',
  'mcp-ask',
  'mcp-server-search',
])

export const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
  items.length === 0 ? undefined : items[number % items.length]

const CANARIES = /zq[0-9a-z]{4,}?qz/g

class Violation extends Error {}

const wordsIn = (text: string, kind: RegExp) => new Set(text.match(kind) ?? [])

/** Checks what was disclosed against the rules. Throws a `Violation` that describes the fault. */
function judge(
  world: ModelWorld,
  surface: Surface,
  disclosed: Disclosed,
  { scope, wanted }: { scope: readonly string[] | undefined; wanted: ModelDocument | undefined },
): void {
  const readable = readableIn(world, scope)
  const isNow = OF_THIS_MOMENT.has(surface)
  const allowed = new Set(
    readable.flatMap(({ canary, disclosed: before }) => (isNow ? [canary] : [canary, ...before])),
  )
  for (const canary of wordsIn(disclosed.text, CANARIES)) {
    if (!allowed.has(canary))
      throw new Violation(`${surface} disclosed ${canary}, which it may not.\n${disclosed.text}`)
  }
  if (isNow) {
    const labels = new Set(readable.map(({ source }) => source.label))
    for (const label of wordsIn(disclosed.text, /zl[0-9a-z]{4,}?lz/g)) {
      if (!labels.has(label))
        throw new Violation(`${surface} disclosed the label ${label}, which no source of these has.`)
    }
  }
  if (wanted === undefined || !TELLS_OF_ITS_DOCUMENT.has(surface) || !readable.includes(wanted)) return
  if (!disclosed.text.includes(wanted.canary))
    throw new Violation(`${surface} does not disclose ${wanted.lure} (${wanted.canary}).\n${disclosed.text}`)
  const { label } = wanted.source
  if (label !== undefined && surface === 'search' && !disclosed.text.includes(label))
    throw new Violation(`${surface} does not tell the label ${label}.`)
}

/** The records that a question uses; undefined if there is no key to ask with. */
function chosenBy(world: ModelWorld, probe: Probe) {
  const { surface } = probe
  const key = pick(world.keys, probe.key)
  const thread = pick(world.threads, probe.thread)
  const customs = world.documents.filter(({ source }) => source.holdsCustomAnswers)
  const custom = pick(customs, probe.document)
  if (key === undefined || (IN_THREADS.has(surface) && thread === undefined)) return undefined
  if (surface === 'custom-answer-page' && custom === undefined) return undefined
  const groupIds = TAKES_GROUPS.has(surface)
    ? probe.groups.map((number) => world.groupIds[number] ?? NO_GROUP)
    : []
  return { key, thread, custom, wanted: pick(world.documents, probe.document), groupIds }
}

type Chosen = NonNullable<ReturnType<typeof chosenBy>>

function judgePage(world: ModelWorld, disclosed: Disclosed, custom: ModelDocument | undefined): void {
  const isOpen = world.type === 'external' && world.status === 'active' && custom?.visibility === 'public'
  expectThat(
    disclosed.status === (isOpen ? 200 : 404),
    `the page of ${custom?.lure} answered ${disclosed.status}`,
  )
  expectThat(
    !isOpen || disclosed.text.includes(custom.canary),
    `the page of ${custom?.lure} does not show it`,
  )
  judge(world, 'custom-answer-page', disclosed, { scope: undefined, wanted: undefined })
}

function judgeAnswer(world: ModelWorld, surface: Surface, disclosed: Disclosed, chosen: Chosen): void {
  const { key, thread, wanted, groupIds } = chosen
  const scope = scopeOf(world, key, groupIds)
  const foreign = surface === 'thread-route' && thread?.key !== key ? 'NOT_FOUND' : undefined
  const gone = surface === 'mcp-server-search' && !world.hasServer ? 'NOT_FOUND' : undefined
  const refusal = gone ?? refusalOfKey(world, key) ?? (scope === 'GROUP_NOT_ALLOWED' ? scope : foreign)
  if (refusal !== undefined || scope === 'GROUP_NOT_ALLOWED') {
    expectThat(
      disclosed.code === refusal,
      `${surface} answered ${disclosed.status} ${disclosed.code}, not ${refusal}`,
    )
    expectThat(wordsIn(disclosed.text, CANARIES).size === 0, `a refusal of ${surface} disclosed something`)
    return
  }
  expectThat(
    disclosed.code === undefined && disclosed.status === 200,
    `${surface} answered ${disclosed.status}: ${disclosed.text}`,
  )
  judge(world, surface, disclosed, { scope, wanted })
  if (disclosed.threadId === undefined || surface === 'form-deflect-stream') return
  const others = world.threads.filter(({ id }) => id !== disclosed.threadId)
  world.threads = [...others, { id: disclosed.threadId, key }].slice(-6)
}

/** Asks once from outside, and checks the answer against the model. False if there was nothing to ask with. */
export async function probeOnce(world: ModelWorld, service: TestService, probe: Probe): Promise<boolean> {
  const { surface } = probe
  const chosen = chosenBy(world, probe)
  if (chosen === undefined) return false
  noteTold(world)
  const { key, thread, custom, wanted, groupIds } = chosen
  const disclosed = await askSurface(surface, {
    address: service.address,
    baseId: world.baseId,
    key: key.key,
    query: `What does the handbook say about ${wanted?.lure ?? 'nothing'}?`,
    groupIds,
    threadId: thread?.id,
    customAnswerId: custom?.externalId,
    mcp: { pageUrl: `https://docs.test/${wanted?.externalId ?? 'none'}`, serverName: world.serverName },
  })
  if (surface === 'custom-answer-page') judgePage(world, disclosed, custom)
  else judgeAnswer(world, surface, disclosed, chosen)
  return true
}

function expectThat(isTrue: boolean | undefined, otherwise: string): void {
  if (isTrue !== true) throw new Violation(otherwise)
}
