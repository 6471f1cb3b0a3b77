import type {
  Evaluation,
  EvaluationDetail,
  EvaluationQuestion,
  EvaluationResult,
} from '@citewell/contract/evaluations'
import { webAddress } from '../../kernel/uri.ts'
import type { ComparedRun } from './evaluation-runs.ts'
import type { EvaluationResultRow, EvaluationRow } from './evaluation-runs-store.ts'
import type { EvaluationQuestionRow } from './evaluation-set-store.ts'

export const presentQuestion = (row: EvaluationQuestionRow): EvaluationQuestion => ({
  id: row.id,
  knowledge_base_id: row.knowledge_base_id,
  question: row.question,
  urls: row.urls,
  answerable: row.answerable,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const presentRun = (row: EvaluationRow): Evaluation => ({
  id: row.id,
  knowledge_base_id: row.knowledge_base_id,
  status: row.status,
  total: row.total,
  completed: row.completed,
  figures: {
    hit1: { count: row.hit1, of: row.with_page },
    hit5: { count: row.hit5, of: row.with_page },
    cited: { count: row.cited, of: row.with_page },
    covered: { count: row.covered, of: row.answerable },
    refused_rightly: { count: row.refused, of: row.unanswerable },
    failed: row.failed,
  },
  error: row.error,
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const FIRST_PAGES = 5

function statusOf({ outcome, answerable, urls, rank }: EvaluationResultRow): EvaluationResult['status'] {
  if (outcome === null) return 'waiting'
  if (outcome === 'failed') return 'failed'
  if (!answerable) return outcome === 'refused' ? 'right' : 'wrong'
  const isFound = urls.length === 0 || (rank !== null && rank <= FIRST_PAGES)
  return outcome === 'answered' && isFound ? 'right' : 'wrong'
}

const coveredOf = ({ outcome }: EvaluationResultRow) =>
  outcome === 'answered' ? true : outcome === 'refused' ? false : null

const NOT_FOUND = Number.MAX_SAFE_INTEGER

/** From wrong to right is better, whatever the rank; then a better rank is. */
function changeOf(
  after: EvaluationResultRow,
  before: EvaluationResultRow | undefined,
): EvaluationResult['change'] {
  if (before === undefined) return 'new'
  const [now, then] = [statusOf(after), statusOf(before)]
  const isJudged = [now, then].every((status) => status === 'right' || status === 'wrong')
  if (!isJudged) return 'same'
  if (now !== then) return now === 'right' ? 'better' : 'worse'
  const [rank, rankBefore] = [after.rank ?? NOT_FOUND, before.rank ?? NOT_FOUND]
  if (rank === rankBefore || after.urls.length === 0) return 'same'
  return rank < rankBefore ? 'better' : 'worse'
}

const presentResult = (
  row: EvaluationResultRow,
  before: EvaluationResultRow | undefined,
  mayRead: ComparedRun['mayRead'],
): EvaluationResult => ({
  question: row.question,
  urls: row.urls,
  answerable: row.answerable,
  rank: row.rank,
  covered: coveredOf(row),
  cited: row.cited,
  status: statusOf(row),
  found: row.found
    .filter((page) => mayRead(page.document_id) && webAddress(page.url) !== undefined)
    .map(({ title, url }) => ({ title, url })),
  before:
    before === undefined ? null : { rank: before.rank, covered: coveredOf(before), cited: before.cited },
  change: changeOf(row, before),
})

export function presentCompared({ run, results, other, earlier, mayRead }: ComparedRun): EvaluationDetail {
  const before = new Map(earlier.map((result) => [result.question, result]))
  return {
    ...presentRun(run),
    results: results.map((result) => presentResult(result, before.get(result.question), mayRead)),
    compared_with: other === undefined ? null : presentRun(other),
  }
}
