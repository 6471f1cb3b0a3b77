import { verifies } from '@citewell/spec/verifies'
import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeBehaviour, type FakeLlm } from '../fake-llm.ts'
import { startTestService, type TestService } from '../start-service.ts'
import type { Change } from './change.ts'
import { changes } from './changes.ts'
import type { ModelWorld } from './model-world.ts'
import { probeOnce, probes, type Probe } from './probe.ts'

/** `VISIBILITY_SEEDS=1-20 VISIBILITY_COMMANDS=2000` is the full run; the default is a short one. */
const SEEDS = seedsOf(process.env['VISIBILITY_SEEDS'] ?? '1')
const COMMANDS = Number(process.env['VISIBILITY_COMMANDS'] ?? 50)
/** Number of commands on one base, before a new one is created. */
const LONGEST_LIFE = 120

function seedsOf(text: string): number[] {
  const [from = 1, to = from] = text.split('-').map(Number)
  return Array.from({ length: to - from + 1 }, (_, place) => from + place)
}

/** The full run takes nearly an hour, so it reports its progress. */
function tell(line: string): void {
  if (process.env['VISIBILITY_SEEDS'] !== undefined) process.stdout.write(`${line}\n`)
}

let llm: FakeLlm
let service: TestService

/** Repeats everything that it received in a few pieces, so that a leak from the prompt appears in the answer. */
const repeatsPrompt: FakeBehaviour = (exchange) => {
  const prompt = exchange.request.body.messages.map(({ content }) => content).join('\n')
  return fakeLlm.says(...(prompt.match(/[\s\S]{1,400}/g) ?? []))(exchange)
}

beforeAll(async () => {
  llm = await startFakeLlm(repeatsPrompt)
  service = await startTestService({ CITEWELL_LLM_BASE_URL: llm.baseUrl, CITEWELL_LLM_MODEL: 'fake' })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
})

const counts = { commands: 0, questions: 0, bySurface: new Map<string, number>() }

class Step implements fc.AsyncCommand<ModelWorld, TestService> {
  readonly change: Change
  readonly probe: Probe
  constructor(change: Change, probe: Probe) {
    this.change = change
    this.probe = probe
  }
  check(world: Readonly<ModelWorld>): boolean {
    return this.change.fits(world)
  }
  async run(world: ModelWorld, real: TestService): Promise<void> {
    await this.change.apply({ world, service: real })
    counts.commands += 1
    if (!(await probeOnce(world, real, this.probe))) return
    counts.questions += 1
    counts.bySurface.set(this.probe.surface, (counts.bySurface.get(this.probe.surface) ?? 0) + 1)
  }
  toString(): string {
    const { surface, key, document, groups, thread } = this.probe
    const named = groups.length === 0 ? '' : `, groups [${groups.join(', ')}]`
    return `\n  ${this.change.says}; then ask ${surface} with key ${key} for document ${document}${named} (thread ${thread})`
  }
}

/** A new base: external, with its first key. */
async function newWorld(): Promise<ModelWorld> {
  const base = await service.json<{ id: string; client_key: { id: string; key: string } }>(
    'POST',
    '/api/v1/knowledge-bases',
    { name: 'Handbook' },
  )
  const serverName = `model-${base.id}`
  const of = `/api/v1/knowledge-bases/${base.id}`
  await service.json('POST', `${of}/mcp-servers`, { server_name: serverName, sign_in_type: 'api_key' })
  await service.json('PATCH', of, { settings: { mcp_documents_enabled: true } })
  const { id, key } = base.client_key
  const first = { id, key, groupIds: [], isRevoked: false }
  const none = { groupIds: [], sources: [], documents: [], threads: [], labels: new Set<string>() }
  const server = { serverName, hasServer: true }
  return {
    baseId: base.id,
    ...server,
    type: 'external',
    status: 'active',
    keys: [first],
    counter: 0,
    ...none,
  }
}

const lives = fc.commands([fc.tuple(changes, probes).map(([change, probe]) => new Step(change, probe))], {
  size: 'max',
  maxCommands: LONGEST_LIFE,
})

async function live(commands: Iterable<fc.AsyncCommand<ModelWorld, TestService>>): Promise<void> {
  const world = await newWorld()
  try {
    await fc.asyncModelRun(() => ({ model: world, real: service }), commands)
  } finally {
    await service.json('DELETE', `/api/v1/knowledge-bases/${world.baseId}`, { confirm: 'Handbook' })
  }
}

verifies(
  [
    'visibility.restricted-nowhere',
    'mcp.no-restricted',
    'visibility.history',
    'visibility.applies-at-once',
    'source-groups.move-at-once',
    'versions.relabel-at-once',
    'source-groups.keys-narrow',
    'traps.suggested-questions-of-restricted-pages',
    'traps.automation-uses-public-pages',
  ],
  `no public surface discloses what the rules withhold, over ${COMMANDS} commands for each of ${SEEDS.length} seeds`,
  async () => {
    for (const seed of SEEDS) {
      const before = counts.commands
      // Lives differ in length: as many seeds are used as fill the number of commands.
      for (let part = 0; counts.commands - before < COMMANDS; part += 1) {
        await fc.assert(fc.asyncProperty(lives, live), {
          seed: seed * 1_000 + part,
          numRuns: 1,
          maxSkipsPerRun: 0,
        })
      }
      tell(`seed ${seed}: ${counts.commands} commands and ${counts.questions} questions so far`)
    }
    tell(`by surface: ${JSON.stringify(Object.fromEntries(counts.bySurface))}`)
    expect(counts.commands).toBeGreaterThanOrEqual(COMMANDS * SEEDS.length)
    expect(counts.questions).toBeGreaterThan(0)
  },
  60 * 60 * 1_000,
)
