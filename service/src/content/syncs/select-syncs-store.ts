import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { SyncsTable } from './syncs-tables.ts'

/** With the addresses that it reads again, up to 2 MB: for the worker that runs it. */
export type StoredSync = Selectable<SyncsTable>

/** As it is shown: of these addresses only how many they are. */
export type SyncRow = Omit<StoredSync, 'only_addresses'> & {
  only_addresses: Pick<readonly string[], 'length'> | null
}

/** The syncs of a statement that shows them. */
export const selectSyncs = (db: Db<'syncs'>) =>
  db
    .selectFrom('syncs')
    .select([
      'knowledge_base_id',
      'id',
      'source_id',
      'status',
      'counts',
      'error',
      'accepts_deletions',
      'cancel_requested',
      'lease',
      'heartbeat_at',
      'attempts',
      'starts',
      'warnings',
      'started_at',
      'finished_at',
      'hold_status',
      'hold_figures',
      'hold_decided_at',
      'created_at',
      'updated_at',
    ])
    .select((row) => {
      const addresses = row.ref('only_addresses')
      return sql<SyncRow['only_addresses']>`case when ${addresses} is not null
        then jsonb_build_object('length', jsonb_array_length(${addresses})) end`.as('only_addresses')
    })
