import { join } from 'node:path'
import { startKeptService } from '../../service/test/start-kept-service.ts'
import { createAsker } from '../asking/ask-question.ts'
import { loadBase, type LoadedBase } from '../asking/load-base.ts'
import { createServiceCalls } from '../asking/service-calls.ts'
import { ungroundedSentences } from '../measures/answers.ts'
import { latencyOf } from '../measures/latency.ts'
import { meanOf, type Observation } from '../measures/observation.ts'
import { answersOf } from '../measures/refusal.ts'
import type { MissedQuestion, PartReport } from '../report/report.ts'
import { spread } from '../sets/read-set.ts'
import type { PartPlan, SetPlan } from '../sets/set-plan.ts'
import type { ProgressBar } from './progress-bar.ts'

export interface RunOptions {
  /** Folder of the evaluation data, with a folder for each set. */
  evaluationData: string
  /** Folder in which services keep their data between runs. */
  keptData: string
  limit: number | undefined
  isFresh: boolean
  bar: ProgressBar
  signal: AbortSignal
}

/** Sets with similar parts: their mean is the figure of the set. */
const AVERAGED = new Set(['xquad', 'plain_questions'])

const WARM_UP_QUESTIONS = 3

/** Loads and asks one set, on its own service, whose data is kept for the next run. */
export async function runSet(set: SetPlan, options: RunOptions): Promise<PartReport[]> {
  const { bar, signal } = options
  const parts = set.parts(join(options.evaluationData, set.name))
  await using service = await startKeptService(join(options.keptData, set.name), options.isFresh)
  const calls = createServiceCalls({ ...service, signal })
  const loaded = new Map<string, LoadedBase>()
  const reports: PartReport[] = []
  for (const part of parts) {
    signal.throwIfAborted()
    service.vectors.isUsed = true
    service.vectors.counts = { kept: 0, made: 0 }
    const { name } = part.base
    const base =
      loaded.get(name) ??
      (await loadBase(part.base, calls, (done, of) => bar.show(`${name}: loading`, done, of)))
    if (!loaded.has(name)) bar.say(loadedLine(name, base, service.vectors.counts))
    loaded.set(name, base)
    // Answers embed sentences too: their time is measured, so no cache may be used.
    service.vectors.isUsed = false
    const observations = await askAll(part, createAsker(base, calls), options)
    const { embeddingKey: embedding } = service.vectors
    reports.push({ ...reportOf(set, part, observations, options.limit), embedding })
  }
  const [first] = reports
  return first === undefined || reports.length < 2 || !AVERAGED.has(set.name)
    ? reports
    : [averageOf(set.name, first, reports), ...reports]
}

function loadedLine(name: string, { counts, refused }: LoadedBase, vectors: { kept: number; made: number }) {
  const without = refused.length === 0 ? '' : `, ${refused.length} without text`
  const pages = `${counts.added} new, ${counts.changed} changed, ${counts.unchanged} unchanged${without}`
  return `${name}: ${pages}; vectors: ${vectors.made} made, ${vectors.kept} kept`
}

async function askAll(
  part: PartPlan,
  ask: ReturnType<typeof createAsker>,
  { limit, bar, signal }: RunOptions,
): Promise<Observation[]> {
  const questions = spread(part.questions, limit)
  // The first questions load code and fill caches; they are asked before the measurement.
  for (const question of questions.slice(0, WARM_UP_QUESTIONS)) await ask(question, part.ask(question))
  const observations: Observation[] = []
  for (const question of questions) {
    signal.throwIfAborted()
    observations.push(await ask(question, part.ask(question)))
    bar.show(`${part.name}: asking`, observations.length, questions.length)
  }
  return observations
}

function reportOf(
  set: SetPlan,
  part: PartPlan,
  observations: readonly Observation[],
  limit: number | undefined,
): Omit<PartReport, 'embedding'> {
  return {
    set: set.name,
    name: part.name,
    measuredAt: new Date().toISOString(),
    questions: observations.length,
    isSample: limit !== undefined && limit < part.questions.length,
    figures: Object.assign({}, ...part.measures.map((measure) => measure(observations))),
    previous: undefined,
    latency: latencyOf(observations),
    searchTimes: observations.flatMap(({ searchMs }) => searchMs ?? []),
    answers: answersOf(observations),
    misses: observations.flatMap(missOf),
    ungrounded: ungroundedSentences(observations),
  }
}

/** Questions whose page is not the first one. */
function missOf({ question, results }: Observation): MissedQuestion[] {
  if (results === undefined || question.relevant.size === 0) return []
  const found = results.map(({ page }) => page)
  const place = found.findIndex((page) => question.relevant.has(page))
  if (place === 0) return []
  return [
    {
      question: question.text,
      place: place < 0 ? null : place + 1,
      wanted: [...question.relevant.keys()],
      found: found.slice(0, 5),
    },
  ]
}

/** The mean over the languages, with equal weights. */
function averageOf(name: string, first: PartReport, parts: readonly PartReport[]): PartReport {
  const means = Object.entries(first.figures).map(([metric]) => [
    metric,
    meanOf(parts.map(({ figures }) => figures[metric as keyof typeof figures] ?? 0)),
  ])
  return {
    ...first,
    name,
    questions: parts.reduce((sum, part) => sum + part.questions, 0),
    isSample: parts.some(({ isSample }) => isSample),
    figures: Object.fromEntries(means),
    latency: { search: undefined, firstFrame: undefined, wholeAnswer: undefined },
    searchTimes: [],
    answers: [],
    misses: [],
    ungrounded: [],
  }
}
