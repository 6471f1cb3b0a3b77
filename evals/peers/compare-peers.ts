/**
 * Compares Citewell with search libraries that one could use instead: the same passages, the same vectors and the same questions, in one
 * run. Writes the table into docs/benchmarks.md.
 *
 * npm run eval:peers -- [--set A,B] [--limit N] [--write]
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createProgressBar } from '../run/progress-bar.ts'
import { spread } from '../sets/read-set.ts'
import type { Task } from './measured.ts'
import { partOf } from './part-of.ts'
import { figuresOf, type PeerFigures } from './peer-figures.ts'
import { PEERS } from './peers.ts'
import { peersTable, type PeersRun } from './peers-table.ts'
import { prepareSet } from './prepare-set.ts'
import { measureInProcess } from './run-in-process.ts'

/** Questions asked before the measurement: titles of pages, so that no measured question is cached. */
const WARM_UP = 10

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'anthropic_docs,ray_docs_qa,airflow_so,clapnq,squad2' },
    limit: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const HERE = import.meta.dirname
const evaluationData = resolve(process.env['CITEWELL_EVAL_DIR'] ?? join(HERE, '../../../shared/eval'))
const keptData = resolve(process.env['CITEWELL_EVAL_KEPT'] ?? join(HERE, '../data'))
const limit = values.limit === undefined ? undefined : Number(values.limit)
const bar = createProgressBar(process.stderr)

async function compareOn(set: string, folder: string): Promise<{ passages: number; figures: PeerFigures[] }> {
  const part = partOf({ set, evaluationData })
  const questions = spread(part.questions, limit)
  const task: Task = {
    set,
    evaluationData,
    keptData,
    passagesFile: join(folder, `${set}.passages`),
    questions: questions.map(({ text }) => text),
    warmUp: part.base.sources
      .flatMap(({ pages }) => pages)
      .slice(0, WARM_UP)
      .map(({ title, id }) => (title.trim() === '' ? id : title)),
  }
  bar.show(`${set}: Citewell indexes`, 0, PEERS.length + 2)
  const { indexed, passages } = await prepareSet(task)
  bar.show(`${set}: Citewell`, 1, PEERS.length + 2)
  const measured = [await measureInProcess({ does: 'ask Citewell', task, indexed })]
  for (const [at, { name: peer }] of PEERS.entries()) {
    bar.show(`${set}: ${peer}`, at + 2, PEERS.length + 2)
    measured.push(await measureInProcess({ does: 'ask a peer', task, peer }))
  }
  return { passages, figures: measured.map((one) => figuresOf(set, questions, one)) }
}

function writeResult(table: string, figures: readonly PeerFigures[], run: PeersRun): void {
  const file = join(HERE, '../../docs/benchmarks.md')
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split('<!-- peers -->')
  const [, after = ''] = rest.split('<!-- end of peers -->')
  writeFileSync(file, `${before}<!-- peers -->\n\n${table}\n\n<!-- end of peers -->${after}`)
  const result = { measuredAt: new Date().toISOString(), node: process.version, ...run, figures }
  mkdirSync(join(HERE, '../results'), { recursive: true })
  writeFileSync(join(HERE, '../results/peers.json'), `${JSON.stringify(result, undefined, 2)}\n`)
}

const loadBefore = loadavg()[0] ?? 0
const figures: PeerFigures[] = []
const passages: Record<string, number> = {}
const folder = mkdtempSync(join(tmpdir(), 'citewell-peers-'))
try {
  for (const set of values.set.split(',')) {
    const compared = await compareOn(set, folder)
    passages[set] = compared.passages
    figures.push(...compared.figures)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const run = {
  cores: availableParallelism(),
  loadBefore,
  loadAfter: loadavg()[0] ?? 0,
  sample: limit,
  passages,
}
const table = peersTable(figures, run)
console.log(`\n${table}`)
if (values.write) writeResult(table, figures, run)
