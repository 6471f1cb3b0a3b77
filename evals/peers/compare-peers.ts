/**
 * Citewell beside what somebody would build a search from instead: the same passages, the same vectors and the same
 * questions, in one run. Writes the table into docs/benchmarks.md. The sets must have been loaded by `npm run eval`.
 *
 * npm run eval:peers -- [--set A,B] [--limit N] [--write]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { meanRanking, measureRanking, type RankingMeasures } from '@citewell/contract/ranking-measures'
import { openPassages } from '../../service/test/open-passages.ts'
import { createProgressBar } from '../run/progress-bar.ts'
import { spread, type Question } from '../sets/read-set.ts'
import { SET_PLANS } from '../sets/set-plans.ts'
import { askCitewell } from './ask-citewell.ts'
import { langChainEnsemble, langChainVectors } from './langchain-peers.ts'
import { llamaIndex } from './llamaindex-peer.ts'
import { miniSearch } from './minisearch-peer.ts'
import { orama } from './orama-peer.ts'
import { peersTable, type PeerFigures } from './peers-table.ts'

const PEERS = [miniSearch, orama, langChainVectors, langChainEnsemble, llamaIndex]
/** Passages asked of each: enough for ten pages. */
const PASSAGES = 60

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

const percentile = (times: readonly number[], share: number) =>
  times.toSorted((left, right) => left - right)[
    Math.min(times.length - 1, Math.floor(share * times.length))
  ] ?? 0

type Find = (question: Question) => Promise<string[]>

async function figuresOf(
  set: string,
  { name, setting, buildMs }: { name: string; setting: string; buildMs: number | undefined },
  questions: readonly Question[],
  find: Find,
): Promise<PeerFigures> {
  const measured: RankingMeasures[] = []
  const times: number[] = []
  // The first questions load code; they are asked once before.
  for (const question of questions.slice(0, 3)) await find(question)
  for (const question of questions) {
    const startedAt = performance.now()
    const pages = await find(question)
    times.push(performance.now() - startedAt)
    const one = measureRanking(pages, question.relevant)
    if (one !== undefined) measured.push(one)
    bar.show(`${set}: ${name}`, times.length, questions.length)
  }
  const mean = meanRanking(measured)
  return {
    set,
    name,
    setting,
    buildMs,
    ndcg10: mean?.ndcg10 ?? 0,
    hit5: mean?.hit5 ?? 0,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  }
}

const figures: PeerFigures[] = []
for (const set of values.set.split(',')) {
  const [part] = SET_PLANS.find(({ name }) => name === set)?.parts(join(evaluationData, set)) ?? []
  if (part === undefined) throw new Error(`There is no set ${set}.`)
  const questions = spread(
    part.questions.filter(({ relevant }) => relevant.size > 0),
    limit,
  )
  {
    await using index = await openPassages(join(keptData, set, 'data'))
    const passages = await index.passagesOf(part.base.name)
    const pagesAt = (places: readonly number[]) => [
      ...new Set(places.flatMap((place) => passages[place]?.page ?? [])),
    ]
    for (const peer of PEERS) {
      const startedAt = performance.now()
      const find = await peer.build(passages, index.embedQuery)
      const buildMs = performance.now() - startedAt
      figures.push(
        await figuresOf(set, { ...peer, buildMs }, questions, async (question) =>
          pagesAt(await find(question.text, PASSAGES)),
        ),
      )
    }
  }
  await using citewell = await askCitewell(part.base, keptData, set)
  const about = { name: 'Citewell', setting: 'its public search API over HTTP', buildMs: undefined }
  figures.push(await figuresOf(set, about, questions, citewell.find))
}

const table = peersTable(figures, {
  cores: availableParallelism(),
  load: loadavg()[0] ?? 0,
  sample: limit,
})
console.log(`\n${table}`)
if (values.write) {
  const file = join(HERE, '../../docs/benchmarks.md')
  const text = readFileSync(file, 'utf8')
  const [before = '', rest = ''] = text.split('<!-- peers -->')
  const [, after = ''] = rest.split('<!-- end of peers -->')
  writeFileSync(file, `${before}<!-- peers -->\n\n${table}\n\n<!-- end of peers -->${after}`)
}
