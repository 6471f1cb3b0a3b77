import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { UngroundedSentence } from '../measures/answers.ts'
import type { Latency } from '../measures/latency.ts'
import type { Figures } from '../measures/metric.ts'
import type { GivenAnswer } from '../measures/refusal.ts'

/** One row of the report, from its last measurement. */
export interface PartReport {
  set: string
  name: string
  /** ISO 8601. */
  measuredAt: string
  /** Key of the embedding model: its name first. */
  embedding: string
  questions: number
  /** Whether `--limit` left questions out: such figures are only compared with those of equal samples. */
  isSample: boolean
  figures: Figures
  /** Figures of the previous run with the same number of questions. */
  previous: Figures | undefined
  /** Milliseconds, with all single times for the plot. */
  latency: Latency
  searchTimes: number[]
  answers: GivenAnswer[]
  misses: MissedQuestion[]
  ungrounded: UngroundedSentence[]
}

/** A question that went wrong, for debugging. */
export interface MissedQuestion {
  question: string
  /** Rank of the first page that answers; null: not found. */
  place: number | null
  wanted: string[]
  found: string[]
}

/** Format version of a report: other versions are not read. */
export const REPORT_FORM = 3

export interface Report {
  form: typeof REPORT_FORM
  measuredAt: string
  node: string
  processors: number
  /** Load average of the last minute when the run began: times of a busy machine are unreliable. */
  loadAverage: number
  parts: PartReport[]
}

/** The existing report, if there is one of this format. */
export function readReport(file: string): Report | undefined {
  if (!existsSync(file)) return undefined
  const report = JSON.parse(readFileSync(file, 'utf8')) as Partial<Report>
  return report.form === REPORT_FORM ? (report as Report) : undefined
}

export function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

/**
 * The new report: parts measured now, with their previous figures; and the parts not measured now as they are on disk (`kept`: another
 * run may have written them meanwhile). The order is that of `sets`.
 */
export function mergeReports(
  now: Report,
  { before, kept }: { before: Report | undefined; kept: Report | undefined },
  sets: readonly string[],
): Report {
  const measured = now.parts.map((part) => {
    const earlier = before?.parts.find(({ name }) => name === part.name)
    const isLike = earlier?.questions === part.questions && earlier.isSample === part.isSample
    return { ...part, previous: isLike ? earlier.figures : undefined }
  })
  const others = (kept?.parts ?? []).filter(({ name }) => !measured.some((part) => part.name === name))
  const placeOf = ({ set }: PartReport) => sets.indexOf(set)
  return { ...now, parts: [...measured, ...others].sort((left, right) => placeOf(left) - placeOf(right)) }
}

/** The committed summary of a report: figures without questions. */
export const summaryOf = (report: Report) => ({
  measured_at: report.measuredAt,
  node: report.node,
  processors: report.processors,
  load_average: report.loadAverage,
  parts: Object.fromEntries(
    report.parts.map(({ name, embedding, questions, isSample, figures, latency }) => [
      name,
      {
        questions,
        embedding,
        ...(isSample && { is_sample: true }),
        figures: roundedFigures(figures),
        latency_ms: latencySummary(latency),
      },
    ]),
  ),
})

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

const roundedFigures = (figures: Figures) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value, 4)]))

const latencySummary = (latency: Latency) =>
  Object.fromEntries(
    Object.entries(latency).flatMap(([name, times]) =>
      times === undefined
        ? []
        : [[name, { p50: rounded(times.p50, 1), p95: rounded(times.p95, 1), p99: rounded(times.p99, 1) }]],
    ),
  )
