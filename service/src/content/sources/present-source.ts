import type { Source } from '@citewell/contract/sources'
import { WRITTEN_SOURCE_TYPES, type SourceType } from '@citewell/contract/source-configs'
import { presentSync, type SyncRow } from '../syncs/syncs.ts'
import type { CountedSource } from './sources-store.ts'

const STATUS_OF_SYNC = {
  queued: 'queued',
  running: 'syncing',
  failed: 'failed',
  succeeded: 'idle',
  partial: 'idle',
  cancelled: 'idle',
} as const satisfies Record<SyncRow['status'], Source['status']>

/** What a source is doing, derived from its last sync. */
function statusOf(lastSync: Pick<SyncRow, 'status'> | undefined): Source['status'] {
  return lastSync === undefined ? 'idle' : STATUS_OF_SYNC[lastSync.status]
}

/** The record that the management API shows. */
export function presentSource({
  source,
  lastSync,
}: {
  source: CountedSource
  lastSync: SyncRow | undefined
}): Source {
  return {
    id: source.id,
    knowledge_base_id: source.knowledge_base_id,
    name: source.name,
    type: source.type as SourceType,
    config: source.config,
    has_credentials: source.sealed_credentials !== null,
    connection_id: source.connection_id,
    version_label: source.version_label,
    source_group_id: source.source_group_id,
    visibility: source.visibility,
    refresh: source.refresh,
    next_sync_at: WRITTEN_SOURCE_TYPES.has(source.type) ? null : (source.next_sync_at?.toISOString() ?? null),
    hold_back_drop: source.hold_back_drop,
    held_sync_id: source.held_sync_id,
    status: statusOf(lastSync),
    document_count: source.document_count,
    last_sync: lastSync === undefined ? null : presentSync(lastSync),
    created_at: source.created_at.toISOString(),
    updated_at: source.updated_at.toISOString(),
  }
}
