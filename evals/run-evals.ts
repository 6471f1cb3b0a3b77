import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { renderPage } from './page/render-page.ts'
import { METRICS } from './measures/metric.ts'
import { belowFloor, raisedFloor, readFloor } from './report/floor.ts'
import { figureText, printTable } from './report/print-table.ts'
import {
  mergeReports,
  readReport,
  REPORT_FORM,
  summaryOf,
  writeJson,
  type PartReport,
} from './report/report.ts'
import { createProgressBar } from './run/progress-bar.ts'
import { readArguments, USAGE } from './run/read-arguments.ts'
import { runSet } from './run/run-set.ts'
import { SET_PLANS } from './sets/set-plans.ts'

/** Exit codes, as in the command line. */
const EXIT = { ok: 0, usage: 2, findings: 6, interrupted: 130 } as const

const HERE = import.meta.dirname
const REPORT = join(HERE, 'reports', 'latest.json')
const PAGE = join(HERE, 'reports', 'latest.html')
const FLOOR = join(HERE, 'floor.json')

const names = SET_PLANS.map(({ name }) => name)

async function run(words: readonly string[], signal: AbortSignal): Promise<number> {
  const given = readArguments(words, names)
  if (given.wantsHelp) {
    console.log(USAGE)
    return EXIT.ok
  }
  const evaluationData = resolve(
    given.data ?? process.env['CITEWELL_EVAL_DIR'] ?? join(HERE, '../../shared/eval'),
  )
  const plans = SET_PLANS.filter(({ name }) => given.sets?.includes(name) ?? true)
  const missing = plans.find(({ name }) => !existsSync(join(evaluationData, name)))
  if (missing !== undefined)
    throw new Error(`There is no ${missing.name} in ${evaluationData}: give the folder with --data.`)

  const bar = createProgressBar(process.stderr)
  const begun = { measuredAt: new Date().toISOString(), loadAverage: loadavg()[0] ?? 0 }
  const keptData = resolve(given.kept ?? join(HERE, 'data'))
  const parts: PartReport[] = []
  for (const plan of plans) {
    const startedAt = performance.now()
    const measured = await runSet(plan, { ...given, evaluationData, keptData, bar, signal })
    parts.push(...measured)
    bar.say(`${plan.name}: done in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    // After each set: an interrupted run loses one set at most.
    writeReports({ ...begun, parts })
  }

  console.log(
    printTable(
      readReport(REPORT)?.parts.filter(({ name }) => parts.some((part) => part.name === name)) ?? [],
    ),
  )
  console.log(`\nThe report: ${relative(process.cwd(), PAGE)}`)
  if (given.saves) save()
  if (given.writesFloor) {
    writeJson(FLOOR, raisedFloor(parts, readFloor(FLOOR)))
    return EXIT.ok
  }
  if (given.limit !== undefined) console.log('A sample of the questions: the floor was not checked.')
  const faults = belowFloor(parts, readFloor(FLOOR))
  for (const { part, metric, figure, floor } of faults) {
    console.error(
      `✗ ${part}: ${METRICS[metric].label} is ${figureText(metric, figure)}; its floor is ${figureText(metric, floor)}`,
    )
  }
  return faults.length === 0 ? EXIT.ok : EXIT.findings
}

const before = readReport(REPORT)

function writeReports(now: { measuredAt: string; loadAverage: number; parts: PartReport[] }): void {
  const report = mergeReports(
    {
      ...now,
      form: REPORT_FORM,
      node: process.version,
      processors: availableParallelism(),
    },
    { before, kept: readReport(REPORT) },
    names,
  )
  writeJson(REPORT, report)
  writeFileSync(PAGE, renderPage(report, readFloor(FLOOR)))
}

/** Saves the current figures of all parts, named by the date. */
function save(): void {
  const report = readReport(REPORT)
  if (report === undefined) return
  mkdirSync(join(HERE, 'results'), { recursive: true })
  const file = join(HERE, 'results', `${report.measuredAt.slice(0, 10)}.json`)
  writeJson(file, summaryOf(report))
  console.log(`The summary: ${relative(process.cwd(), file)}`)
}

const because = (error: unknown): string =>
  error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : [because(error.cause)])].join('\n  ')
    : String(error)

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort(new Error('Interrupted.')))

const exitCode = await run(process.argv.slice(2), interrupt.signal).catch((error: unknown) => {
  console.error(`✗ ${because(error)}`)
  return interrupt.signal.aborted ? EXIT.interrupted : EXIT.usage
})
// Idle connections and timers of libraries must not keep a finished run alive.
process.exit(exitCode)
