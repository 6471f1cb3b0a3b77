import type { TrackedKnowledgeGap } from '@citewell/sdk/management'
import { Status } from './status.tsx'

/** Lists of analytics have the state alone. */
type Known = Pick<TrackedKnowledgeGap, 'status'> &
  Partial<Pick<TrackedKnowledgeGap, 'reopened_at' | 'custom_answer_id'>>

/** What has been done about a gap, and whether it held. */
export function GapState({ gap }: { gap: Known }) {
  if (gap.status === 'dismissed') return <Status tone="quiet">Dismissed</Status>
  if (gap.status === 'resolved') return <Status tone="ok">Resolved</Status>
  if (typeof gap.reopened_at === 'string') return <Status tone="danger">Did not hold</Status>
  if (typeof gap.custom_answer_id === 'string') return <Status tone="info">Answered</Status>
  return <Status tone="warn">Open</Status>
}

/** How the number compares with the same number of days before. */
export function Trend({ gap: { count, count_before: before } }: { gap: TrackedKnowledgeGap }) {
  const more = count - before
  if (more === 0) return <span title={`${before} in the days before`}>–</span>
  return <span title={`${before} in the days before`}>{more > 0 ? `↑ +${more}` : `↓ −${-more}`}</span>
}
