import type { Kysely } from 'kysely'
import type { BaseRecords } from './base-records.ts'
import type { Db, Tables } from './tables.ts'

/** What the table of runs in the background has: one worker at a time holds a run, by its lease. */
interface RunColumns {
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  error: string | null
  lease: string | null
  started_at: Date | null
  finished_at: Date | null
  updated_at: Date
}

type Runs = { [Name in BaseRecords]: Tables[Name] extends RunColumns ? Name : never }[BaseRecords]

export interface Run {
  knowledgeBaseId: string
  id: string
}

/** A run that one worker holds. A worker that has lost the lease changes nothing; only a run that is running has one. */
export interface LeasedRun extends Run {
  lease: string
}

/** Changes a run of a base. Treats all of these tables as one type: the statements only use columns that each of them has. */
const changeRun = <Name extends Runs>(
  db: Db<Name>,
  table: Name,
  { knowledgeBaseId, id }: Run,
  changes: Partial<RunColumns>,
) =>
  (db as unknown as Kysely<Pick<Tables, 'evaluations'>>)
    .updateTable(table as 'evaluations')
    .set(changes)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)

/** Renews the lease of a run, as the worker's sign of life. False if it is lost: the run was cancelled, deleted or taken over. */
export async function renewRun<Name extends Runs>(
  db: Db<Name>,
  table: Name,
  held: LeasedRun,
  now: Date,
): Promise<boolean> {
  const renewed = await changeRun(db, table, held, { updated_at: now })
    .where('lease', '=', held.lease)
    .executeTakeFirst()
  return renewed.numUpdatedRows > 0n
}

/** Ends a run that is held, or puts it back into the queue. False if the lease was lost. */
export async function releaseRun<Name extends Runs>(
  db: Db<Name>,
  table: Name,
  held: LeasedRun,
  to: { status: 'queued' | 'succeeded' | 'failed'; error: string | null },
  now: Date,
): Promise<boolean> {
  const finished_at = to.status === 'queued' ? null : now
  const released = await changeRun(db, table, held, { ...to, lease: null, finished_at, updated_at: now })
    .where('lease', '=', held.lease)
    .executeTakeFirst()
  return released.numUpdatedRows > 0n
}

/** Cancels a run that has not ended. */
export async function cancelRun<Name extends Runs>(
  db: Db<Name>,
  table: Name,
  run: Run,
  now: Date,
): Promise<void> {
  await changeRun(db, table, run, { status: 'cancelled', lease: null, finished_at: now, updated_at: now })
    .where('status', 'in', ['queued', 'running'])
    .execute()
}
