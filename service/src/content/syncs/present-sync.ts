import type { Sync, SyncSummary } from '@citewell/contract/syncs'
import { presentHold, presentLostQuestions } from './present-hold.ts'
import type { SyncError } from './sync-notes-store.ts'
import type { SyncRow } from './syncs-store.ts'

/** The record that lists and sources show. */
export function presentSync(row: SyncRow): SyncSummary {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    source_id: row.source_id,
    status: row.status,
    counts: row.counts,
    error: row.error,
    warnings: row.warnings,
    hold: presentHold(row),
    retried_addresses: row.only_addresses?.length ?? null,
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function presentSyncWithErrors({ sync, errors }: { sync: SyncRow; errors: SyncError[] }): Sync {
  return {
    ...presentSync(sync),
    lost_questions: presentLostQuestions(sync),
    errors: errors.map(({ kind, url, reason }) => ({ kind, url, reason })),
  }
}
