/**
 * Fits the weights of the search ranking and of the coverage gate to the questions of several sets, and reports cross-validated results
 * (fitted on one half of the questions, measured on the other). With `--write` it writes them into the service. The sets must have been
 * loaded by `npm run eval` before.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fitCoverage } from './fitting/fit-coverage.ts'
import { fitOrder } from './fitting/fit-order.ts'
import { collectFeatures, type QuestionFeatures } from './fitting/question-features.ts'
import { weightsSource } from './fitting/write-weights.ts'
import { createProgressBar } from './run/progress-bar.ts'

const SETS = [
  'anthropic_docs',
  'clapnq',
  'squad2',
  'ray_docs_qa',
  'airflow_so',
  'aws_docs_qa',
  'mtrag',
  'code_chunks',
]
const HERE = import.meta.dirname

const bar = createProgressBar(process.stderr)
const folders = {
  evaluationData: resolve(process.env['CITEWELL_EVAL_DIR'] ?? join(HERE, '../../shared/eval')),
  keptData: join(HERE, 'data'),
}
const bySet = new Map<string, QuestionFeatures[]>()
for (const set of SETS) bySet.set(set, await collectFeatures(set, folders, bar))

const order = fitOrder(bySet)
const hybrid = fitCoverage(bySet, 'hybrid')
const lexical = fitCoverage(bySet, 'lexical')
console.log(['\nnDCG@10: fitted, and cross-validated\n', ...order.lines].join('\n'))
console.log(
  ['\nGate, with vectors: cross-validated, and at the best threshold\n', ...hybrid.lines].join('\n'),
)
console.log(
  ['\nGate, keywords only: cross-validated, and at the best threshold\n', ...lexical.lines].join('\n'),
)

const sources = weightsSource(order.weights, { hybrid: hybrid.weights, lexical: lexical.weights })
for (const [file, text] of Object.entries(sources)) {
  if (process.argv.includes('--write')) writeFileSync(join(HERE, '../service/src', file), text)
  else console.log(`\n${text}`)
}
