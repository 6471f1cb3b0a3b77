/*
 * Real questions as past tickets, through the simulations of a real service: whether the interval of one half holds the rate of the
 * other, in as many of 100 draws as the report says. Exits with 6 if not.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { SimulationReport } from '@citewell/contract/simulation-report'
import type { SimulatedTicket, Simulation } from '@citewell/contract/simulations'
import { makeReport, type ReportedRun } from '../../service/src/channels/simulations/report/make-report.ts'
import type { ReportTicket } from '../../service/src/channels/simulations/report/report-ticket.ts'
import { createDraws } from '../../service/src/kernel/draws.ts'
import { startKeptService } from '../../service/test/start-kept-service.ts'
import { loadBase } from '../asking/load-base.ts'
import { createServiceCalls, type ServiceCalls } from '../asking/service-calls.ts'
import { createProgressBar } from '../run/progress-bar.ts'
import { readPages, readQuestions, type Question } from '../sets/read-set.ts'

const HERE = import.meta.dirname
const SETS = ['squad2', 'mtrag'] as const
/** What the report calls 95 of 100, less what 2,000 draws of a right interval may differ by chance. */
const LEAST_HELD = 0.94
const POLL_MS = 1_000

const { values } = parseArgs({
  options: {
    /** Folder of the evaluation data. */
    data: { type: 'string', default: process.env['CITEWELL_EVAL_DIR'] ?? join(HERE, '../../../shared/eval') },
    /** Where databases and vectors are kept between runs. */
    kept: { type: 'string', default: join(HERE, '../data') },
    draws: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
})
const draws = Number(values.draws)

interface PastTicket {
  ref: string
  subject: string | null
  body: string
}

/** The first thing that was asked in a conversation is the subject of what was asked last. */
function asTicket({ id, text, fields }: Question): PastTicket {
  const [first] = Array.isArray(fields['history']) ? (fields['history'] as { content?: unknown }[]) : []
  const subject = typeof first?.content === 'string' ? first.content.slice(0, 500) : null
  return { ref: id, subject, body: text }
}

async function runToItsEnd(calls: ServiceCalls, id: string, of: string): Promise<Simulation> {
  for (;;) {
    const now = await calls.manage<Simulation>('GET', `/api/v1/simulations/${id}`)
    if (now.status === 'succeeded') return now
    if (now.status !== 'queued' && now.status !== 'running')
      throw new Error(`${of}: ${now.status} ${now.error}`)
    bar.show(`${of}: simulating`, now.completed, now.total)
    await new Promise((wake) => {
      setTimeout(wake, POLL_MS)
    })
  }
}

async function ticketsOf(calls: ServiceCalls, id: string): Promise<SimulatedTicket[]> {
  const all: SimulatedTicket[] = []
  for (let cursor = ''; ;) {
    const page = await calls.manage<{ data: SimulatedTicket[]; next_cursor: string | null }>(
      'GET',
      `/api/v1/simulations/${id}/tickets?limit=200${cursor}`,
    )
    all.push(...page.data)
    if (page.next_cursor === null) return all
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}

interface Simulated {
  tried: SimulationReport['tried']
  /** Whether each ticket would have been answered. */
  isAnswered: boolean[]
  seconds: number
}

/** Loads the pages of a set and tries its questions as tickets, all through the API. */
async function simulate(set: string): Promise<Simulated> {
  const folder = join(values.data, set)
  await using service = await startKeptService(join(resolve(values.kept), `simulations-${set}`), false)
  const calls = createServiceCalls({ ...service, signal: AbortSignal.timeout(3_600_000) })
  const plan = {
    name: set,
    language: null,
    sources: [{ name: 'pages', pages: readPages(folder), versionLabel: null, isGrouped: false }],
  }
  const base = await loadBase(plan, calls, (done, of) => bar.show(`${set}: loading`, done, of))
  service.vectors.isUsed = false
  const desk = await calls.manage<{ id: string }>(
    'POST',
    `/api/v1/knowledge-bases/${base.id}/helpdesk-integrations`,
    { name: 'Desk', platform: 'other' },
  )
  const tickets = readQuestions(folder).map(asTicket)
  const { id } = await calls.manage<Simulation>('POST', `/api/v1/knowledge-bases/${base.id}/simulations`, {
    integration_id: desk.id,
    name: `Questions of ${set}`,
    tickets,
  })
  await runToItsEnd(calls, id, set)
  const report = await calls.manage<SimulationReport>('GET', `/api/v1/simulations/${id}/report`)
  const tried = await ticketsOf(calls, id)
  if (tried.length !== tickets.length) throw new Error(`${set}: ${tried.length} of ${tickets.length} tickets`)
  return {
    tried: report.tried,
    isAnswered: tried.map(({ outcome }) => outcome === 'deflected'),
    seconds: report.seconds ?? 0,
  }
}

const NOTHING_LEFT_OUT: ReportedRun = {
  left_out: [],
  sample: null,
  gaps: [],
  base_state: null,
  started_at: null,
  finished_at: null,
}

/** What the report of a run with these outcomes says of another one with as many tickets. */
function saidOfAnother(outcomes: readonly boolean[]) {
  const tickets = outcomes.map((isAnswered, number): ReportTicket => ({
    number,
    ref: null,
    subject: null,
    beginning: '',
    characters: 0,
    asked_at: null,
    tags: [],
    language: null,
    outcome: isAnswered ? 'deflected' : 'low_confidence',
    confidence: null,
    like_agent: null,
    review: null,
    own_documents: 0,
    same: String(number),
  }))
  const { again, interval } = makeReport(NOTHING_LEFT_OUT, tickets).tried
  if (again === null || interval === null) throw new Error('Too few tickets for an interval.')
  return { again, interval }
}

const shareOf = (outcomes: readonly boolean[]) => outcomes.filter(Boolean).length / outcomes.length

interface Coverage {
  /** The share of draws in which the rate of the other tickets was in the interval for it. */
  again: number
  /** The same for the narrower interval, which is for the rate of all tickets of the kind: less. */
  interval: number
}

/** How often the interval of some tickets holds the rate of others. */
function coverageOf(draw: () => { some: boolean[]; others: boolean[] }): Coverage {
  const held = { again: 0, interval: 0 }
  for (let at = 0; at < draws; at += 1) {
    const { some, others } = draw()
    const said = saidOfAnother(some)
    const rate = shareOf(others)
    held.again += Number(rate >= said.again.low && rate <= said.again.high)
    held.interval += Number(rate >= said.interval.low && rate <= said.interval.high)
  }
  return { again: held.again / draws, interval: held.interval / draws }
}

/** Two halves without a common ticket, by chance. */
function halvesOf(outcomes: readonly boolean[], random: () => number) {
  const mixed = [...outcomes]
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    const [one = false, two = false] = [mixed[at], mixed[other]]
    mixed[at] = two
    mixed[other] = one
  }
  const half = Math.floor(mixed.length / 2)
  return { some: mixed.slice(0, half), others: mixed.slice(half, 2 * half) }
}

/** So many tickets of the kind, with repetition. */
const drawn = (outcomes: readonly boolean[], random: () => number, count: number): boolean[] =>
  Array.from({ length: count }, () => outcomes[Math.floor(random() * outcomes.length)] ?? false)

const percent = (share: number) => `${(100 * share).toFixed(1)}%`

const bar = createProgressBar(process.stderr)
const missing = SETS.find((set) => !existsSync(join(values.data, set, 'corpus.jsonl')))
if (missing !== undefined) {
  console.error(`There is no ${missing}/corpus.jsonl in the folder of --data.`)
  process.exit(2)
}

const outcomes: boolean[] = []
for (const set of SETS) {
  const { tried, isAnswered, seconds } = await simulate(set)
  outcomes.push(...isAnswered)
  const { low, high } = tried.interval ?? { low: 0, high: 1 }
  bar.say(
    `${set}: ${tried.answered} of ${tried.of} would be answered: ${percent(tried.rate ?? 0)} (${percent(low)} to ${percent(high)}), in ${Math.round(seconds)} s`,
  )
}

const random = createDraws(Number(values.seed))
const half = Math.floor(outcomes.length / 2)
const measured: Record<string, Coverage> = {
  [`${half} tickets, and the ${half} others`]: coverageOf(() => halvesOf(outcomes, random)),
  '1,000 tickets with repetition, and 1,000 others': coverageOf(() => ({
    some: drawn(outcomes, random, 1_000),
    others: drawn(outcomes, random, 1_000),
  })),
}
console.log(
  `${outcomes.length} real questions, ${percent(shareOf(outcomes))} would be answered; ${draws} draws`,
)
for (const [what, { again, interval }] of Object.entries(measured))
  console.log(
    `${what}: the interval for as many others holds their rate in ${percent(again)}, the one for all tickets of the kind in ${percent(interval)}`,
  )
process.exit(Object.values(measured).every(({ again }) => again >= LEAST_HELD) ? 0 : 6)
