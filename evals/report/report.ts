import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { UngroundedSentence } from '../measures/answers.ts'
import type { Latency } from '../measures/latency.ts'
import type { Figures } from '../measures/metric.ts'
import type { GivenAnswer } from '../measures/refusal.ts'

/** One row of the report, as it was measured last. */
export interface PartReport {
  set: string
  name: string
  /** ISO 8601. */
  measuredAt: string
  /** Key of the embedding model: its name first. */
  embedding: string
  questions: number
  /** Whether `--limit` left questions out: such figures are compared with nothing but their like. */
  isSample: boolean
  figures: Figures
  /** Of the run before with as many questions. */
  previous: Figures | undefined
  /** Milliseconds, and each time by itself for the plot. */
  latency: Latency
  searchTimes: number[]
  answers: GivenAnswer[]
  misses: MissedQuestion[]
  ungrounded: UngroundedSentence[]
}

/** A question that went wrong, to look into. */
export interface MissedQuestion {
  question: string
  /** Place of the first page that answers; null: not among those found. */
  place: number | null
  wanted: string[]
  found: string[]
}

/** Changes with the shape of a report: older ones are not read. */
export const REPORT_FORM = 3

export interface Report {
  form: typeof REPORT_FORM
  measuredAt: string
  node: string
  processors: number
  /** Of the last minute, when the run began: times of a busy machine say little. */
  loadAverage: number
  parts: PartReport[]
}

/** The report that lies there, if there is one of this form. */
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
 * The new report: parts measured now, beside the figures that they had before the run; and the parts that were not measured
 * now as they lie there (`kept`: another run may have put them there meanwhile). The order is that of `sets`.
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

/** What is committed of a report: figures without questions. */
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
