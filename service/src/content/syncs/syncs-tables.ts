import type { ColumnType } from 'kysely'
import type { Json } from '../../platform/storage/json-column.ts'

type Nullable<Column> =
  Column extends ColumnType<infer Read, infer Inserted, infer Updated>
    ? ColumnType<Read | null, Inserted | null | undefined, Updated | null>
    : never

type HoldStatus = 'open' | 'waiting' | 'released' | 'accepted' | 'discarded' | 'superseded'

export interface SyncCounts {
  discovered: number
  fetched: number
  added: number
  changed: number
  unchanged: number
  removed: number
  skipped: number
  failed: number
}

/** How well the pages that answer are found: of the questions of the evaluation set that name a page. */
export interface HoldFigures {
  questions: number
  hit5_before: number
  hit5_after: number
  /** Questions whose page was among the first five, and no longer is; at most some tens. */
  lost: { question: string; rank_before: number; rank_after: number | null }[]
}

export interface SyncsTable {
  knowledge_base_id: string
  id: string
  source_id: string
  status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled'
  counts: Json<SyncCounts>
  error: string | null
  /** Whoever started it accepts that many documents are removed at once. */
  accepts_deletions: ColumnType<boolean, boolean | undefined, boolean>
  cancel_requested: ColumnType<boolean, boolean | undefined, boolean>
  /** Addresses that it reads again, without following links; null: the whole source. */
  only_addresses: Nullable<Json<string[]>>
  lease: string | null
  heartbeat_at: Date | null
  /** How often it was begun since it last got on. */
  attempts: ColumnType<number, number | undefined, number>
  /** How often it was begun at all. */
  starts: ColumnType<number, number | undefined, number>
  /** What limits of this service left out, in sentences for the owner. */
  warnings: Json<string[]>
  started_at: Date | null
  finished_at: Date | null
  /**
   * Of a sync whose documents wait, or waited. `open`: it is being read or measured. `released`: measured, and not held back.
   * `superseded`: a later sync took its documents over.
   */
  hold_status: ColumnType<HoldStatus | null, HoldStatus | null | undefined, HoldStatus | null>
  hold_figures: Nullable<Json<HoldFigures>>
  hold_decided_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Date
  updated_at: Date
}

export interface SyncErrorsTable {
  knowledge_base_id: string
  sync_id: string
  ordinal: number
  kind: 'failed' | 'skipped'
  url: string
  reason: string
}

export interface SyncChangesTable {
  knowledge_base_id: string
  sync_id: string
  ordinal: number
  kind: 'added' | 'changed' | 'removed'
  title: string
  url: string
}

export interface SourcePagesTable {
  knowledge_base_id: string
  source_id: string
  url: string
  etag: string | null
  last_modified: string | null
  body_hash: string | null
  external_id: string | null
  state: Json<Record<string, unknown>>
  updated_at: Date
}

export interface SourceProgressTable {
  knowledge_base_id: string
  source_id: string
  /** Where the next reading goes on; null: everything is read. */
  cursor: Nullable<Json<Record<string, unknown>>>
  /** What the cursor depends on: config and pipeline. */
  read_as: string
  /** External ids to be read first the next time. */
  retry: Json<string[]>
  /** When the source was last seen as a whole. */
  whole_at: Date | null
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    syncs: SyncsTable
    sync_changes: SyncChangesTable
    sync_errors: SyncErrorsTable
    source_pages: SourcePagesTable
    source_progress: SourceProgressTable
  }
}
