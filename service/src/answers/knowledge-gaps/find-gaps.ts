import { LIMITS } from '@citewell/contract/limits'
import {
  groupQuestions,
  readQuestions,
  SAME_TOPIC,
  type AskedQuestion,
  type InRange,
  type QuestionGroup,
  type QuestionVectors,
} from '../analytics/analytics.ts'
import {
  readGaps,
  readGapsOf,
  readRepresentatives,
  reopenGaps,
  saveMembers,
  type GapRow,
  type KnowledgeGapsDb,
} from './knowledge-gaps-store.ts'
import { writeIfPossible } from './write-if-possible.ts'

export interface FindGapsDeps {
  db: KnowledgeGapsDb
  vectors: Pick<QuestionVectors, 'of'>
  newId: () => string
  now: () => Date
}

/** A gap with its questions in a range; none if it was not asked there. */
export interface FoundGap {
  gap: GapRow
  group: QuestionGroup
  /** Questions of it that were asked at other times, if there are none in the range: they tell what it is about. */
  elsewhere: QuestionGroup
}

// The latest questions stand for a gap when new ones are compared with it. 200 gaps of three: less work than the questions of a range.
const REPRESENTATIVES = { perGap: 3, inAll: 600 }

const isOf = (ids: ReadonlySet<string>) => (question: AskedQuestion) => ids.has(question.id)

const part = (group: QuestionGroup, isIn: (question: AskedQuestion) => boolean): QuestionGroup => ({
  questions: group.questions.filter(isIn),
  wordings: group.wordings.filter(isIn),
})

interface GapsInRange {
  gaps: FoundGap[]
  count: number
  isAll: boolean
}

/**
 * The gaps of a base. A question that is in a gap stays there. New questions of the range join the gap that is about the same topic, or
 * make a new one, so that a gap is the same gap for ever, whichever range is looked at.
 */
export async function findGaps(
  deps: FindGapsDeps,
  inRange: InRange,
  signal: AbortSignal,
): Promise<GapsInRange> {
  const { isOvertaken, ...found } = await findGapsOnce(deps, inRange, signal)
  if (!isOvertaken) return found
  const { gaps, count, isAll } = await findGapsOnce(deps, inRange, signal)
  return { gaps, count, isAll }
}

/** @returns isOvertaken - another request has put the same new questions into gaps of its own meanwhile, and those count */
async function findGapsOnce(
  { db, vectors, newId, now }: FindGapsDeps,
  inRange: InRange,
  signal: AbortSignal,
): Promise<GapsInRange & { isOvertaken: boolean }> {
  const { knowledgeBaseId } = inRange
  const most = LIMITS.analytics.groupedQuestions
  const read = await readQuestions(db, inRange, { gaps: true, most: most + 1 })
  const questions = read.slice(0, most)
  const inRangeIds = new Set(questions.map(({ id }) => id))
  const kept = await readGapsOf(db, knowledgeBaseId, [...inRangeIds])
  const others = await readRepresentatives(db, knowledgeBaseId, REPRESENTATIVES)
  const fixed = new Map([...kept, ...others.map(({ id, gap_id: gapId }) => [id, gapId] as const)])
  const compared = [...questions, ...others.filter(({ id }) => !inRangeIds.has(id))]
  const given = { knowledgeBaseId, questions: compared, from: SAME_TOPIC, fixed }
  const { groups } = await groupQuestions(given, vectors, signal)
  const named = groups.map((group) => ({
    group,
    gapId: group.questions.map(({ id }) => fixed.get(id)).find((id) => id !== undefined) ?? newId(),
  }))
  const members = named.flatMap(({ group, gapId }) =>
    group.questions.filter(({ id }) => !fixed.has(id)).map(({ id }) => ({ messageId: id, gapId })),
  )
  const isWritten = await writeIfPossible(async () => {
    if (members.length > 0) await saveMembers(db, { knowledgeBaseId, members, now: now() })
    await reopenGaps(db, knowledgeBaseId)
  })
  const rows = await readGaps(
    db,
    knowledgeBaseId,
    named.map(({ gapId }) => gapId),
  )
  const gaps = named.flatMap(({ group, gapId }): FoundGap[] => {
    const gap = rows.get(gapId)
    if (gap === undefined) return []
    const isIn = isOf(inRangeIds)
    return [{ gap, group: part(group, isIn), elsewhere: part(group, (question) => !isIn(question)) }]
  })
  const lastAsked = ({ group }: FoundGap) => group.questions[0]?.created_at.getTime() ?? 0
  const sorted = gaps.toSorted(
    (one, other) =>
      other.group.questions.length - one.group.questions.length || lastAsked(other) - lastAsked(one),
  )
  const isOvertaken = isWritten && gaps.length < named.length
  return { gaps: sorted, count: questions.length, isAll: read.length <= most, isOvertaken }
}
