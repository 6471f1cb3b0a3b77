import { sql, type Selectable } from 'kysely'
import type { Served } from '../../platform/jobs/run-slots.ts'
import type { LeasedRun } from '../../platform/storage/leased-runs.ts'
import type { Db, Tables } from '../../platform/storage/tables.ts'

/** The columns by which runs of a base are claimed. */
interface RunTable {
  knowledge_base_id: string
  id: string
  status: string
  lease: string | null
  started_at: Date | null
  created_at: Date
  updated_at: Date
}

/** Tables whose rows are such runs. */
export type RunTables = {
  [Name in keyof Tables]: Selectable<Tables[Name]> extends RunTable ? Name : never
}[keyof Tables]

export type FairRunsDb = Db<'knowledge_bases'>

/** A run as it was claimed. */
export interface HeldRun<Table extends RunTables> extends LeasedRun {
  workspaceId: string
  row: Selectable<Tables[Table]>
}

const uuids = (ids: readonly string[]) => sql`${`{${ids.join(',')}}`}::uuid[]`

/** Two workers that claim at the same time must not both take the last place of a workspace. */
const CLAIM_LOCK = 7_319_005

/** All runs that are open, with their workspaces, and how many run of each. */
const openRuns = (table: RunTables) => sql`
  open_runs as (
    select r.knowledge_base_id, r.id, r.status, r.created_at, b.workspace_id
    from ${sql.table(table)} r join knowledge_bases b on b.id = r.knowledge_base_id
    where r.status in ('queued', 'running')
  ),
  at_work as (
    select workspace_id, count(*)::integer as running from open_runs where status = 'running' group by workspace_id
  )`

/**
 * Claims the run that is next: that of the workspace with the fewest running ones; ties go to the workspace, and then the base, that this
 * process served longest ago. Undefined if no run that waits may start.
 *
 * @param claim.mostOfAWorkspace that run at a time, of all processes
 */
export async function claimNextRun<Table extends RunTables>(
  db: FairRunsDb,
  table: Table,
  claim: { lease: string; now: Date; mostOfAWorkspace: number; served: Served },
): Promise<HeldRun<Table> | undefined> {
  const { lease, now, served } = claim
  return await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK}::bigint)`.execute(transaction)
    const { rows } = await sql<RunTable & { workspace_id: string }>`
      with ${openRuns(table)},
      chosen as (
        select o.* from open_runs o left join at_work w on w.workspace_id = o.workspace_id
        where o.status = 'queued' and coalesce(w.running, 0) < ${claim.mostOfAWorkspace}::integer
        order by coalesce(w.running, 0),
          coalesce(array_position(${uuids(served.workspaces)}, o.workspace_id), 0),
          coalesce(array_position(${uuids(served.bases)}, o.knowledge_base_id), 0), o.created_at, o.id
        limit 1
      )
      update ${sql.table(table)} r set status = 'running', lease = ${lease}::uuid,
        started_at = coalesce(r.started_at, ${now}::timestamptz), updated_at = ${now}::timestamptz
      from chosen
      where r.knowledge_base_id = chosen.knowledge_base_id and r.id = chosen.id and r.status = 'queued'
      returning r.*, chosen.workspace_id`.execute(transaction)
    const [claimed] = rows
    if (claimed === undefined) return undefined
    const { workspace_id: workspaceId, ...row } = claimed
    return {
      knowledgeBaseId: row.knowledge_base_id,
      id: row.id,
      lease,
      workspaceId,
      // All of its columns.
      row: row as unknown as Selectable<Tables[Table]>,
    }
  })
}

/** Whether a run of a workspace waits that runs nothing. */
export async function doesIdleWorkspaceWait(db: FairRunsDb, table: RunTables): Promise<boolean> {
  const { rows } = await sql`
    with ${openRuns(table)}
    select 1 from open_runs o
    where o.status = 'queued' and not exists (select 1 from at_work w where w.workspace_id = o.workspace_id)
    limit 1`.execute(db)
  return rows.length > 0
}

/** Makes running ones wait again that had no sign of life since `before`. Returns whether any waits. */
export async function requeueAbandonedRuns(
  db: FairRunsDb,
  table: RunTables,
  { before, now }: { before: Date; now: Date },
): Promise<boolean> {
  await sql`
    update ${sql.table(table)} set status = 'queued', lease = null, updated_at = ${now}::timestamptz
    where status = 'running' and updated_at <= ${before}::timestamptz`.execute(db)
  const { rows } = await sql`select 1 from ${sql.table(table)} where status = 'queued' limit 1`.execute(db)
  return rows.length > 0
}
