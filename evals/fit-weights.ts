/**
 * Fits the weights of the search ranking and of the coverage gate to the questions of several sets, and reports cross-validated results
 * (the ranking: fitted on one half of the questions, measured on the other; the gate: fitted without the set). With `--write` it writes them
 * into the service. The sets must have been loaded by `npm run eval` before; `--sets=a,b` fits with these alone.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fitCoverage, type GateSet } from './fitting/fit-coverage.ts'
import { fitOrder } from './fitting/fit-order.ts'
import { collectFeatures, type QuestionFeatures } from './fitting/question-features.ts'
import { weightsSource } from './fitting/write-weights.ts'
import { createProgressBar } from './run/progress-bar.ts'

/**
 * The sets, each with how much it counts for the gate: questions on an encyclopedia are nearer to its pages than plain questions are to
 * documentation, which is what the service is for. Pages of crawled sites have no ids of their own, so that `plain_questions` does not
 * count for the ranking.
 */
const SETS: Record<string, { gate: number; isRanked: boolean }> = {
  anthropic_docs: { gate: 1, isRanked: true },
  clapnq: { gate: 0.5, isRanked: true },
  squad2: { gate: 0.2, isRanked: true },
  ray_docs_qa: { gate: 1, isRanked: true },
  airflow_so: { gate: 1, isRanked: true },
  aws_docs_qa: { gate: 1, isRanked: true },
  mtrag: { gate: 0.5, isRanked: true },
  code_chunks: { gate: 0, isRanked: true },
  plain_questions: { gate: 1, isRanked: false },
}
const HERE = import.meta.dirname

const bar = createProgressBar(process.stderr)
const folders = {
  evaluationData: resolve(process.env['CITEWELL_EVAL_DIR'] ?? join(HERE, '../../shared/eval')),
  keptData: join(HERE, 'data'),
}
const wanted = process.argv
  .find((word) => word.startsWith('--sets='))
  ?.slice('--sets='.length)
  .split(',')
const ranked = new Map<string, QuestionFeatures[]>()
const gated: GateSet[] = []
for (const [set, { gate, isRanked }] of Object.entries(SETS)) {
  if (wanted !== undefined && !wanted.includes(set)) continue
  for (const [name, seen] of await collectFeatures(set, folders, bar)) {
    if (isRanked) ranked.set(name, seen)
    if (gate > 0) gated.push({ name, seen, weight: gate })
  }
}

const order = fitOrder(ranked)
const compared = fitCoverage(gated, 'compared')
const hybrid = fitCoverage(gated, 'hybrid')
const lexical = fitCoverage(gated, 'lexical')
console.log(['\nnDCG@10: fitted, and cross-validated\n', ...order.lines].join('\n'))
console.log(
  ['\nGate, read together: fitted without the set, and at its best threshold\n', ...compared.lines].join(
    '\n',
  ),
)
console.log(
  ['\nGate, with vectors: fitted without the set, and at its best threshold\n', ...hybrid.lines].join('\n'),
)
console.log(
  ['\nGate, keywords only: fitted without the set, and at its best threshold\n', ...lexical.lines].join('\n'),
)

const sources = weightsSource(order.weights, {
  hybrid: hybrid.weights,
  compared: compared.weights,
  lexical: lexical.weights,
})
for (const [file, text] of Object.entries(sources)) {
  if (process.argv.includes('--write')) writeFileSync(join(HERE, '../service/src', file), text)
  else console.log(`\n${text}`)
}
