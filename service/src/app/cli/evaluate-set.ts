import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  EvaluationDetail,
  EvaluationResult,
  ImportedEvaluationQuestions,
} from '@citewell/contract/evaluations'
import { CommandFailure, EXIT } from './command.ts'
import { oneLine } from './printable.ts'
import type { ServiceClient } from './service-client.ts'
import { bar, type Terminal } from './terminal.ts'

const BAR_WIDTH = 24
const LOOK_EVERY_MS = 500
const SHOWN = 10

/** Adds the questions of a file to the evaluation set of a base: CSV by its name, else JSON Lines. */
export async function addToSet(
  { client, terminal }: { client: ServiceClient; terminal: Terminal },
  basePath: string,
  file: string,
): Promise<void> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new CommandFailure(EXIT.notFound, `The file ${file} cannot be read.`)
  }
  const format = /\.csv$/i.test(file) ? 'csv' : 'jsonl'
  const { added, known, total } = await client.json<ImportedEvaluationQuestions>(
    'POST',
    `${basePath}/evaluation-questions/import`,
    { format, text },
  )
  terminal.note(`${added} questions added, ${known} were in the set already; it has ${total} now.`)
}

const share = ({ count, of }: { count: number; of: number }) => (of === 0 ? undefined : count / of)
const percent = (part: number) => `${(part * 100).toFixed(1)}%`.padStart(6)

const NAMES = [
  ['hit1', 'found first'],
  ['hit5', 'found in the first 5'],
  ['cited', 'cited'],
  ['covered', 'answered'],
  ['refused_rightly', 'refused rightly'],
] as const

function asJson({ id, status, total, figures, results, compared_with: other }: EvaluationDetail) {
  const worse = results.filter(({ change }) => change === 'worse').map(({ question }) => question)
  const better = results.filter(({ change }) => change === 'better').map(({ question }) => question)
  const shares = NAMES.map(([figure]) => [figure, share(figures[figure]) ?? null] as const)
  return {
    evaluation_id: id,
    status,
    questions: total,
    ...Object.fromEntries(shares),
    failed: figures.failed,
    compared_with: other?.id ?? null,
    better,
    worse,
  }
}

const says = ({ status, answerable, covered }: EvaluationResult): string => {
  if (status === 'failed') return 'failed'
  if (covered !== answerable) return covered === true ? 'answered' : 'refused'
  return 'not in the first 5'
}

function printLines(terminal: Terminal, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  terminal.note('')
  terminal.note(title)
  for (const line of lines.slice(0, SHOWN)) terminal.note(`${terminal.style.fault('✗')} ${oneLine(line)}`)
  if (lines.length > SHOWN) terminal.note(`  and ${lines.length - SHOWN} more`)
}

function print(terminal: Terminal, run: EvaluationDetail): void {
  if (terminal.isJson) {
    terminal.json(asJson(run))
    return
  }
  terminal.result(`${'questions'.padEnd(22)} ${terminal.style.bold(String(run.total).padStart(6))}`)
  for (const [figure, name] of NAMES) {
    const [now, then] = [share(run.figures[figure]), run.compared_with?.figures[figure]]
    if (now === undefined) continue
    const before = then === undefined ? undefined : share(then)
    const { count, of } = run.figures[figure]
    const compared = before === undefined ? '' : `, before ${percent(before).trim()}`
    terminal.result(`${name.padEnd(22)} ${terminal.style.bold(percent(now))}  ${count} of ${of}${compared}`)
  }
  const wrong = run.results.filter(({ status }) => status === 'wrong' || status === 'failed')
  printLines(
    terminal,
    'Wrong:',
    wrong.map((result) => `${says(result)}: ${result.question}`),
  )
  const worse = run.results.filter(({ change }) => change === 'worse')
  printLines(
    terminal,
    'Worse than in the run before:',
    worse.map(({ question }) => question),
  )
}

/** Runs the evaluation set of a base, and prints what came out and what changed. Interrupted, it cancels the run. */
export async function evaluateSet(
  { client, terminal, signal }: { client: ServiceClient; terminal: Terminal; signal: AbortSignal },
  basePath: string,
  least: number | undefined,
): Promise<number> {
  const { id } = await client.json<{ id: string }>('POST', `${basePath}/evaluations`)
  const path = `/api/v1/evaluations/${id}`
  let run: EvaluationDetail
  try {
    do {
      await sleep(LOOK_EVERY_MS, undefined, { signal })
      run = await client.json<EvaluationDetail>('GET', path)
      const { completed, total } = run
      terminal.progress(`${bar(completed / total, BAR_WIDTH)} ${completed}/${total}`)
    } while (run.status === 'queued' || run.status === 'running')
  } catch (error) {
    if (signal.aborted) await client.lastly('POST', `${path}/cancel`)
    throw error
  }
  terminal.endProgress()
  if (run.status !== 'succeeded')
    throw new CommandFailure(EXIT.error, run.error ?? `The evaluation was ${run.status}.`)
  print(terminal, run)
  if (least === undefined) return EXIT.ok
  const reached = share(run.figures.hit5)
  if (reached === undefined)
    throw new CommandFailure(EXIT.validation, 'No question names a page to be found.')
  return reached >= least ? EXIT.ok : EXIT.findings
}
