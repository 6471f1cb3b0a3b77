import { sql } from 'kysely'
import type { StoredSync } from './select-syncs-store.ts'
import { isAnyQueued, NO_COUNTS, type SyncsDb } from './syncs-store.ts'

/** Maximum concurrent syncs of one workspace, and of one base, across all processes. */
const MAX_PER_WORKSPACE = 8
const MAX_PER_BASE = 4

/** Maximum of these that are crawls: a crawl may wait for a site for hours and must not hold up the workspace's quick sources. */
const MAX_CRAWLS_PER_WORKSPACE = 6
const MAX_CRAWLS_PER_BASE = 3

/** A base that runs no sync may start one beyond its workspace's limit, up to this many. */
const MAX_BASES_PER_WORKSPACE = 24

/** Maximum syncs in a process. Most of them are waiting for a site at any time; each has bounded memory. */
const SLOTS_FOR_ANY = 12
const SLOTS_FOR_IDLE_BASES = 24
export const MOST_SYNCS = 40

/** Load of the claiming process: as it fills up, only idle bases, and finally only idle workspaces, may start a sync. */
export type Capacity = 'any' | 'idle-bases' | 'idle-workspaces'

/** The load of a process in which so many syncs run. */
export function capacityAt(running: number): Capacity {
  if (running >= SLOTS_FOR_IDLE_BASES) return 'idle-workspaces'
  return running >= SLOTS_FOR_ANY ? 'idle-bases' : 'any'
}

export interface ClaimedSync {
  sync: StoredSync
  workspaceId: string
}

const uuids = (ids: readonly string[]) => sql`${`{${ids.join(',')}}`}::uuid[]`

/** Two workers that claim at the same time must not both take the last slot. */
const CLAIM_LOCK = 7_319_004

/**
 * Claims the queued sync that is next for this worker: that of the workspace, then of the base, with the fewest running syncs; ties go
 * to the one served longest ago. Undefined if no waiting sync may start.
 *
 * @param claim.served workspaces and bases in the order in which this worker served them, the latest last
 */
export async function claimNextSync(
  db: SyncsDb,
  claim: {
    lease: string
    now: Date
    capacity: Capacity
    served: { workspaces: readonly string[]; bases: readonly string[] }
  },
): Promise<ClaimedSync | undefined> {
  const { capacity, served } = claim
  // Workers ask before and after each sync, mostly in vain: that takes one statement, and no lock.
  if (!(await isAnyQueued(db))) return undefined
  return await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK}::bigint)`.execute(transaction)
    const { rows } = await sql<StoredSync & { workspace_id: string }>`
      with known as (
        select s.knowledge_base_id, s.id, s.status, s.created_at, b.workspace_id,
          (c.type in ('website', 'sitemap'))::integer as crawl
        from syncs s
        join knowledge_bases b on b.id = s.knowledge_base_id
        join sources c on c.knowledge_base_id = s.knowledge_base_id and c.id = s.source_id
        where s.status in ('queued', 'running')
      ),
      of_base as (
        select knowledge_base_id, count(*)::integer as running, sum(crawl)::integer as crawls
        from known where status = 'running' group by knowledge_base_id
      ),
      of_workspace as (
        select workspace_id, count(*)::integer as running, sum(crawl)::integer as crawls
        from known where status = 'running' group by workspace_id
      ),
      waiting as (
        select k.*,
          coalesce(w.running, 0) as in_workspace, coalesce(w.crawls, 0) + k.crawl as workspace_crawls,
          coalesce(o.running, 0) as in_base, coalesce(o.crawls, 0) + k.crawl as base_crawls
        from known k
        left join of_workspace w on w.workspace_id = k.workspace_id
        left join of_base o on o.knowledge_base_id = k.knowledge_base_id
        where k.status = 'queued'
      ),
      chosen as (
        select * from waiting
        where (
            (in_base = 0 and in_workspace < ${MAX_BASES_PER_WORKSPACE}::integer)
            or (
              in_workspace < ${MAX_PER_WORKSPACE}::integer and in_base < ${MAX_PER_BASE}::integer
              and (crawl = 0 or workspace_crawls <= ${MAX_CRAWLS_PER_WORKSPACE}::integer)
              and (crawl = 0 or base_crawls <= ${MAX_CRAWLS_PER_BASE}::integer)
            )
          )
          and (${capacity}::text = 'any' or in_base = 0)
          and (${capacity}::text <> 'idle-workspaces' or in_workspace = 0)
        order by in_workspace, coalesce(array_position(${uuids(served.workspaces)}, workspace_id), 0),
          in_base, coalesce(array_position(${uuids(served.bases)}, knowledge_base_id), 0), created_at, id
        limit 1
      )
      update syncs set status = 'running', lease = ${claim.lease}::uuid, heartbeat_at = clock_timestamp(),
        started_at = ${claim.now}::timestamptz, attempts = syncs.attempts + 1, starts = syncs.starts + 1,
        counts = ${JSON.stringify(NO_COUNTS)}::jsonb, updated_at = ${claim.now}::timestamptz
      from chosen
      where syncs.knowledge_base_id = chosen.knowledge_base_id and syncs.id = chosen.id and syncs.status = 'queued'
      returning syncs.*, chosen.workspace_id`.execute(transaction)
    const [row] = rows
    if (row === undefined) return undefined
    const { workspace_id: workspaceId, ...sync } = row
    return { sync, workspaceId }
  })
}
