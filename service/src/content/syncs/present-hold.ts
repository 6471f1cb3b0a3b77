import type { Sync, SyncSummary } from '@citewell/contract/syncs'
import type { SyncRow } from './syncs-store.ts'

/** What became of the documents of a sync that were held; null if none were. */
export function presentHold(row: SyncRow): SyncSummary['hold'] {
  if (row.hold_status === null) return null
  const open = row.finished_at === null ? 'reading' : 'measuring'
  const figures = row.hold_figures
  return {
    status: row.hold_status === 'open' ? open : row.hold_status,
    hit5_before: figures && { count: figures.hit5_before, of: figures.questions },
    hit5_after: figures && { count: figures.hit5_after, of: figures.questions },
    decided_at: row.hold_decided_at?.toISOString() ?? null,
  }
}

export const presentLostQuestions = (row: SyncRow): Sync['lost_questions'] =>
  (row.hold_figures?.lost ?? []).map(({ question, rank_before, rank_after }) => ({
    question,
    rank_before,
    rank_after,
  }))
