import type { Figures } from '../measures/metric.ts'

interface Reference {
  /** Plain BM25 over whole pages, on the same questions. */
  bm25?: Figures
  /** Targets. */
  target?: Figures
  /** Published results of others on the same questions. */
  published?: string
}

const bm25 = (ndcg10: number, recall10: number, mrr10: number, hit5: number): Figures => ({
  ndcg10,
  recall10,
  mrr10,
  hit5,
})

const ALL_GROUNDED = { grounded: 1 }

/** Reference figures of each part. */
export const REFERENCES: Readonly<Record<string, Reference>> = {
  ray_docs_qa: {
    bm25: bm25(0.452, 0.608, 0.343, 0.494),
    target: { ndcg10: 0.63, hit5: 0.8, balanced_accuracy: 0.92, ...ALL_GROUNDED },
    published: 'gte-large on a larger index: hit@1 .290, hit@5 .653, MRR .446',
  },
  airflow_so: {
    bm25: bm25(0.26, 0.449, 0.24, 0.369),
    target: { ndcg10: 0.4, hit5: 0.52, balanced_accuracy: 0.96, ...ALL_GROUNDED },
  },
  aws_docs_qa: {
    bm25: bm25(0.771, 0.89, 0.665, 0.85),
    target: { ndcg10: 0.89, hit5: 0.96, balanced_accuracy: 0.98, ...ALL_GROUNDED },
  },
  anthropic_docs: {
    bm25: bm25(0.665, 0.805, 0.784, 0.93),
    target: { ndcg10: 0.87, hit5: 1, balanced_accuracy: 0.98, ...ALL_GROUNDED },
    published: 'embeddings, top 3: MRR .74; with a re-ranking language model .87',
  },
  squad2: {
    bm25: bm25(0.902, 0.972, 0.892, 0.956),
    target: { ndcg10: 0.95, hit5: 0.98, balanced_accuracy: 0.68, gold_answer: 0.82, ...ALL_GROUNDED },
  },
  clapnq: {
    bm25: bm25(0.93, 0.983, 0.935, 0.967),
    target: { ndcg10: 0.988, hit5: 1, balanced_accuracy: 0.84, evidence_overlap: 0.7, ...ALL_GROUNDED },
  },
  mtrag: {
    bm25: bm25(0.665, 0.755, 0.694, 0.792),
    target: { ndcg10: 0.8, balanced_accuracy: 0.78, ...ALL_GROUNDED },
  },
  'mtrag without history': { bm25: bm25(0.665, 0.755, 0.694, 0.792) },
  python_faq: { bm25: bm25(0.676, 0.77, 0.775, 0.938), target: ALL_GROUNDED },
  'python_faq FAQ-out': { bm25: bm25(0.175, 0.321, 0.188, 0.299) },
  multi_faq: { bm25: bm25(0.858, 0.87, 0.935, 0.975), target: ALL_GROUNDED },
  'multi_faq in its group': { target: { outside_group: 0 } },
  'multi_faq FAQ-out': { bm25: bm25(0.418, 0.629, 0.378, 0.5) },
  vite_versions: {
    bm25: bm25(0.285, 0.529, 0.14, 0.265),
    target: { version_first: 0.95, names_version: 1, ...ALL_GROUNDED },
  },
  airflow_so_answers: { bm25: bm25(0.474, 0.638, 0.438, 0.552) },
  code_chunks: {
    bm25: bm25(0.618, 0.801, 0.583, 0.762),
    target: { recall10: 0.9 },
    published: 'embeddings .872 recall@10; with contextual chunks and BM25 .932',
  },
  chunking_eval: { target: { span_recall: 0.85 } },
  xquad: { target: { hit5: 0.93 } },
  'xquad en': { bm25: bm25(0.963, 1, 0.962, 0.994) },
  'xquad de': { bm25: bm25(0.91, 0.979, 0.912, 0.967) },
  'xquad es': { bm25: bm25(0.946, 0.988, 0.952, 0.982) },
  'xquad ru': { bm25: bm25(0.891, 0.94, 0.865, 0.919) },
  'xquad ar': { bm25: bm25(0.904, 0.949, 0.872, 0.934) },
  'xquad zh': { bm25: bm25(0.955, 0.994, 0.959, 0.994) },
  'xquad hi': { bm25: bm25(0.779, 0.874, 0.747, 0.82) },
  'xquad tr': { bm25: bm25(0.895, 0.961, 0.876, 0.931) },
  'xquad vi': { bm25: bm25(0.96, 0.997, 0.957, 0.991) },
  'xquad th': { bm25: bm25(0.907, 0.982, 0.896, 0.958) },
  'xquad el': { bm25: bm25(0.917, 0.967, 0.901, 0.961) },
  'xquad ro': { bm25: bm25(0.949, 0.979, 0.918, 0.964) },
  cranfield: { bm25: bm25(0.432, 0.445, 0.805, 0.902) },
}
