import type { KnowledgeGapDetail, TrackedKnowledgeGap } from '@citewell/contract/knowledge-gaps'
import { presentKnowledgeGap, type QuestionGroup } from '../analytics/analytics.ts'
import type { ListedGap, WholeGap } from './shown-gaps.ts'
import type { GapRow, ShownMember } from './knowledge-gaps-store.ts'

const time = (at: Date | null) => at?.toISOString() ?? null

/**
 * A gap with the figures of its questions.
 *
 * @param elsewhere names it if there are none
 */
export function presentGap(
  gap: GapRow,
  group: QuestionGroup,
  mayReadAll: boolean,
  elsewhere: QuestionGroup = group,
): Omit<TrackedKnowledgeGap, 'count_before'> {
  const isEmpty = group.questions.length === 0
  const figures = presentKnowledgeGap(group, mayReadAll)
  const { label } = isEmpty ? presentKnowledgeGap(elsewhere, mayReadAll) : figures
  return {
    ...figures,
    label,
    first_asked_at: isEmpty ? null : figures.first_asked_at,
    last_asked_at: isEmpty ? null : figures.last_asked_at,
    id: gap.id,
    knowledge_base_id: gap.knowledge_base_id,
    status: gap.status,
    note: gap.note,
    custom_answer_id: gap.custom_answer_id,
    resolved_at: time(gap.resolved_at),
    reopened_at: time(gap.reopened_at),
    last_replay:
      gap.replayed_at === null
        ? null
        : { at: gap.replayed_at.toISOString(), questions: gap.replayed, covered: gap.replay_covered },
    created_at: gap.created_at.toISOString(),
    updated_at: gap.updated_at.toISOString(),
  }
}

export const presentListed = (found: ListedGap, mayReadAll: boolean): TrackedKnowledgeGap => ({
  ...presentGap(found.gap, found.group, mayReadAll, found.elsewhere),
  count_before: found.countBefore,
})

/** Figures of all of its questions: there is no range before them. */
export const presentWhole = ({ gap, group, mayReadAll }: WholeGap): TrackedKnowledgeGap => ({
  ...presentGap(gap, group, mayReadAll),
  count_before: 0,
})

const presentMember = (member: ShownMember): KnowledgeGapDetail['questions'][number] => ({
  message_id: member.id,
  conversation_id: member.thread_id,
  query: member.query,
  // Written by us, from the closed list.
  surface: member.surface as KnowledgeGapDetail['questions'][number]['surface'],
  covered: member.stopped_by === null ? member.covered : null,
  vote: member.vote,
  comment: member.comment,
  asked_at: member.created_at.toISOString(),
  covered_at_replay: member.replay_covered,
})

export const presentDetail = (whole: WholeGap): KnowledgeGapDetail => ({
  ...presentWhole(whole),
  questions: whole.members.map(presentMember),
  closest_pages: whole.pages,
})
