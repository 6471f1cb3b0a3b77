import type { Analytics } from '@citewell/contract/analytics'
import { LIMITS } from '@citewell/contract/limits'
import type { AskedQuestion } from './analytics-store.ts'
import type { QuestionGroup } from './group-questions.ts'
import { presentRatings } from './present-counts.ts'

type KnowledgeGap = Analytics['knowledge_gaps'][number]
type TopQuestion = Analytics['top_questions'][number]

const { examples: EXAMPLES, messageIds: MESSAGE_IDS } = LIMITS.analytics
const LABEL_CHARACTERS = 200

const isNotCovered = ({ stopped_by: stoppedBy, covered }: AskedQuestion) => stoppedBy === null && !covered

/** A follow-up with what it was completed by: `and push it? (create a branch)`, or the question that a model made of it. */
function completed({ query, rewritten_query: rewritten }: AskedQuestion): string {
  if (rewritten === null || !rewritten.startsWith(query)) return rewritten ?? query
  const added = rewritten.slice(query.length).trim()
  return added === '' ? query : `${query} (${added})`
}

/**
 * The words of the first question that needs no other, if there is one: those that were searched for are not the reader's. Otherwise the
 * completed follow-up, which contains page titles, only for callers who may read all of the pages.
 */
function labelOf({ wordings }: QuestionGroup, mayReadAll: boolean): string {
  const whole = wordings.find((question) => question.opens_thread || question.rewritten_query === null)
  const [first] = wordings
  const shown = whole?.query ?? (first !== undefined && mayReadAll ? completed(first) : first?.query)
  const label = Array.from(shown ?? '')
  return label.length <= LABEL_CHARACTERS
    ? label.join('')
    : `${label.slice(0, LABEL_CHARACTERS - 1).join('')}…`
}

function figuresOf(group: QuestionGroup, mayReadAll: boolean) {
  const { questions } = group
  const rated = (vote: 'up' | 'down') => questions.filter((question) => question.vote === vote).length
  const times = questions.map(({ created_at }) => created_at.toISOString())
  return {
    label: labelOf(group, mayReadAll),
    count: questions.length,
    not_covered: questions.filter(isNotCovered).length,
    up: rated('up'),
    down: rated('down'),
    first_asked_at: times.at(-1) ?? '',
    last_asked_at: times[0] ?? '',
    message_ids: questions.slice(0, MESSAGE_IDS).map(({ id }) => id),
  }
}

const presentQuestion = (question: AskedQuestion): KnowledgeGap['examples'][number] => ({
  message_id: question.id,
  conversation_id: question.thread_id,
  query: question.query,
  covered: question.stopped_by === null ? question.covered : null,
  vote: question.vote,
  comment: question.comment,
  asked_at: question.created_at.toISOString(),
})

export function presentTopQuestion(group: QuestionGroup, mayReadAll: boolean): TopQuestion {
  const { up, down, first_asked_at: _first, ...figures } = figuresOf(group, mayReadAll)
  const others = group.wordings.map(({ query }) => query).filter((query) => query !== figures.label)
  return { ...figures, ratings: presentRatings({ up, down }), examples: others.slice(0, EXAMPLES) }
}

/** A gap without its identity. */
export function presentKnowledgeGap(
  group: QuestionGroup,
  mayReadAll: boolean,
): Omit<KnowledgeGap, 'id' | 'status'> {
  const { up: _up, down, ...figures } = figuresOf(group, mayReadAll)
  return { ...figures, rated_down: down, examples: group.wordings.slice(0, EXAMPLES).map(presentQuestion) }
}
