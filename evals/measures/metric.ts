interface Metric {
  label: string
  /** Its meaning, in a sentence. */
  about: string
  better: 'higher' | 'lower'
  /** How far below the measured figure a floor is set: about the effect of a harmless change. */
  tolerance: number
  /** `none`: reported without a floor. */
  floor: 'held' | 'none'
}

const share = (label: string, about: string, tolerance: number): Metric => ({
  label,
  about,
  better: 'higher',
  tolerance,
  floor: 'held',
})

/** Every figure of a run. All are from 0 to 1, except counts. */
export const METRICS = {
  ndcg10: share('nDCG@10', 'Order of the first ten pages against the best possible one.', 0.01),
  hit1: share('hit@1', 'Questions whose first page answers.', 0.02),
  hit5: share('hit@5', 'Questions with a page that answers among the first five.', 0.02),
  mrr10: share('MRR@10', 'One divided by the place of the first page that answers.', 0.01),
  recall10: share('recall@10', 'Pages that answer, among the first ten.', 0.02),
  span_recall: share(
    'span recall',
    'Part of the gold passages’ characters in the first five passages.',
    0.02,
  ),
  version_first: share('right version first', 'Questions whose first page is of the version they name.', 0),
  outside_group: {
    label: 'outside the group',
    about: 'Number of results and citations from sources that were not requested.',
    better: 'lower',
    tolerance: 0,
    floor: 'held',
  },
  balanced_accuracy: share(
    'balanced accuracy',
    'Mean of the fractions correctly answered and correctly refused, at the product’s threshold.',
    0.02,
  ),
  answered: { ...share('answered', 'Answerable questions that were answered.', 0), floor: 'none' },
  refused: { ...share('refused', 'Unanswerable questions that were refused.', 0), floor: 'none' },
  best_balanced_accuracy: {
    ...share('best balanced accuracy', 'The same at the best threshold on the confidence.', 0),
    floor: 'none',
  },
  best_threshold: { ...share('best threshold', 'That threshold.', 0), floor: 'none' },
  auroc: share('AUROC', 'How well the confidence orders answerable before unanswerable questions.', 0.02),
  calibration_error: {
    label: 'calibration error',
    about: 'Mean distance between the confidence and the fraction that is answerable (ten bins).',
    better: 'lower',
    tolerance: 0,
    floor: 'none',
  },
  gold_answer: share(
    'gold answer inside',
    'Answerable questions whose answer contains the gold answer, in at most three sentences.',
    0.02,
  ),
  evidence_overlap: share(
    'evidence overlap',
    'Words of the answer’s sentences that are in gold evidence sentences; 0 if it was refused.',
    0.02,
  ),
  evidence_found: share(
    'evidence found',
    'Answerable questions with a gold evidence sentence in the answer.',
    0.02,
  ),
  cites_gold: share(
    'cites a gold page',
    'Answerable questions answered with a citation of a page that answers.',
    0.03,
  ),
  gold_text: share(
    'gold text in the answer',
    'Answerable questions whose answer contains the gold text.',
    0.03,
  ),
  gold_in_reply: share('gold text in the reply', 'The same, with the passages that a refusal shows.', 0.03),
  same_topic_refused: share(
    'same topic refused',
    'Unanswerable questions on the topic that were refused.',
    0.05,
  ),
  off_topic_refused: share('off topic refused', 'Questions on something else that were refused.', 0.05),
  gold_per_100_words: {
    ...share('gold per 100 words', 'Answers with the gold text, for each 100 words of answers.', 0),
    floor: 'none',
  },
  gold_words: share('gold words', 'Words of the gold answer that are in the answer.', 0.02),
  yes_no: { ...share('yes or no', 'Answers that begin with the right one of the two.', 0.02), floor: 'none' },
  right_value: share('right value', 'Answers with the right version’s value, and no other version’s.', 0.05),
  names_version: share('names the version', 'Answers that name their version.', 0.05),
  grounded: share('grounded', 'Sentences of answers that are in an excerpt that they cite.', 0),
  in_passage: share('in the passage', 'Sentences of answers that are in a passage that they cite.', 0),
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof METRICS

export type Figures = Partial<Record<MetricName, number>>

export const METRIC_NAMES = Object.keys(METRICS) as MetricName[]

/** Figures that are counts, not fractions. */
export const isCount = (name: MetricName) => name === 'outside_group'
