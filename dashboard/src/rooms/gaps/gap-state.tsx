import type { TrackedKnowledgeGap } from '@citewell/sdk/management'
import { Status } from '../../ui/status.tsx'

/** What has been done about a gap, and whether it held. */
export function GapState({ gap }: { gap: TrackedKnowledgeGap }) {
  if (gap.status === 'dismissed') return <Status tone="quiet">Dismissed</Status>
  if (gap.status === 'resolved') return <Status tone="ok">Resolved</Status>
  if (gap.reopened_at !== null) return <Status tone="danger">Did not hold</Status>
  if (gap.custom_answer_id !== null) return <Status tone="info">Answered</Status>
  return <Status tone="warn">Open</Status>
}

/** How the number compares with the same number of days before. */
export function Trend({ gap: { count, count_before: before } }: { gap: TrackedKnowledgeGap }) {
  const more = count - before
  if (more === 0) return <span title={`${before} in the days before`}>–</span>
  return <span title={`${before} in the days before`}>{more > 0 ? `▲ +${more}` : `▼ −${-more}`}</span>
}
