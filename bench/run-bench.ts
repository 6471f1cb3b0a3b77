import { loadavg } from 'node:os'
import { chatBench } from './benches/chat-bench.ts'
import { mcpBench } from './benches/mcp-bench.ts'
import { memoryBench } from './benches/memory-bench.ts'
import { searchBench } from './benches/search-bench.ts'
import { startBench } from './benches/start-bench.ts'
import { streamsBench } from './benches/streams-bench.ts'
import { tabsBench } from './benches/tabs-bench.ts'
import { dashboardBench } from './dashboard/dashboard-bench.ts'
import type { Bench, Figure } from './figure.ts'
import { figuresTable, isReached } from './report/print-figures.ts'
import { describeMachine, saveResults } from './report/save-results.ts'
import { indexingBench } from './indexing/indexing-bench.ts'
import { readArguments, USAGE } from './run/read-arguments.ts'
import { widgetBench } from './widget/widget-bench.ts'

/** All benches, in the order in which they run. */
const BENCHES: readonly Bench[] = [
  searchBench,
  chatBench,
  mcpBench,
  streamsBench,
  tabsBench,
  startBench,
  memoryBench,
  indexingBench,
  widgetBench,
  dashboardBench,
]

/** Exit codes, as in the command line. */
const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const

function showProgress(text: string): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001B[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`)
}

async function runOne(
  bench: Bench,
  given: { quick: boolean; saves: boolean },
  signal: AbortSignal,
): Promise<Figure[]> {
  const machine = describeMachine()
  const progress = (text: string) => showProgress(`${bench.name}: ${text}`)
  const figures = await bench.run({ quick: given.quick, progress, signal })
  showProgress('')
  const loadAfter = loadavg()[0] ?? 0
  console.log(`\n${bench.name} (load ${machine.loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after)`)
  console.log(figuresTable(figures))
  if (given.saves) console.log(saveResults(bench.name, { ...machine, loadAfter }, given.quick, figures))
  return figures
}

async function run(words: readonly string[], signal: AbortSignal): Promise<number> {
  const names = BENCHES.map(({ name }) => name)
  const given = readArguments(words, names)
  if (given.wantsHelp) {
    console.log(`${USAGE}\n\nBenches: ${names.join(', ')}`)
    return EXIT.ok
  }
  const figures: Figure[] = []
  for (const bench of BENCHES.filter(({ name }) => given.names.includes(name))) {
    figures.push(...(await runOne(bench, given, signal)))
  }
  const missed = figures.filter((figure) => isReached(figure) === false)
  console.log(`\n${missed.length} of ${figures.filter(({ target }) => target).length} targets missed.`)
  return EXIT.ok
}

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort(new Error('Interrupted.')))
try {
  process.exitCode = await run(process.argv.slice(2), interrupt.signal)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = interrupt.signal.aborted ? EXIT.interrupted : EXIT.failed
}
