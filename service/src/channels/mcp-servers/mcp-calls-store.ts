import { sql } from 'kysely'
import type { McpServersDb } from './mcp-servers-store.ts'

export interface CountedCall {
  knowledgeBaseId: string
  serverId: string
  /** A pseudonym; undefined if the reader is not told apart. */
  reader: string | undefined
}

/** Days of which calls are kept, the current one included. */
const CALL_DAYS = 30

/** Readers of a server that are told apart in one day: everyone may come from many addresses. */
const READERS_A_DAY = 2_000

/** The last use of a server is written at most once a minute. */
const USED_EVERY = sql`interval '1 minute'`

const DAY_FORMAT = 'YYYY-MM-DD'
const today = sql<string>`to_char(now() at time zone 'utc', ${sql.lit(DAY_FORMAT)})`
const daysAgo = (days: unknown) =>
  sql<string>`to_char((now() at time zone 'utc') - make_interval(days => ${days}), ${sql.lit(DAY_FORMAT)})`

/** Counts one call, in one statement; nothing for a server that was deleted meanwhile. */
export async function countCall(
  db: McpServersDb,
  { knowledgeBaseId, serverId, reader = '' }: CountedCall,
): Promise<void> {
  const ofToday = sql`knowledge_base_id = ${knowledgeBaseId}::uuid and mcp_server_id = ${serverId}::uuid and day = ${today}`
  await sql`
    with counted as (
      insert into mcp_server_calls (knowledge_base_id, mcp_server_id, day, reader, calls)
      select s.knowledge_base_id, s.id, ${today},
        case when ${reader}::text = ''
            or exists (select from mcp_server_calls where ${ofToday} and reader = ${reader}::text)
            or (select count(*) from
                 (select from mcp_server_calls where ${ofToday} limit ${READERS_A_DAY}::int) r) < ${READERS_A_DAY}::int
          then ${reader}::text else '' end, 1
      from mcp_servers s
      where s.knowledge_base_id = ${knowledgeBaseId}::uuid and s.id = ${serverId}::uuid
      on conflict (knowledge_base_id, mcp_server_id, day, reader) do update set calls = mcp_server_calls.calls + 1
    )
    update mcp_servers set last_used_at = now()
    where knowledge_base_id = ${knowledgeBaseId}::uuid and id = ${serverId}::uuid
      and (last_used_at is null or last_used_at <= now() - ${USED_EVERY})`.execute(db)
}

/** Calls and readers of the last days, of each server of a base that was called. */
export async function countCallsOfBase(
  db: McpServersDb,
  knowledgeBaseId: string,
): Promise<Map<string, { calls: number; readers: number }>> {
  const rows = await db
    .selectFrom('mcp_server_calls')
    .select((row) => [
      'mcp_server_id',
      row.fn.sum<string>('calls').as('calls'),
      sql<string>`count(distinct reader) filter (where reader <> '')`.as('readers'),
    ])
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('day', '>', daysAgo(CALL_DAYS))
    .groupBy('mcp_server_id')
    .execute()
  return new Map(
    rows.map((row) => [row.mcp_server_id, { calls: Number(row.calls), readers: Number(row.readers) }]),
  )
}

/**
 * Deletes calls that are older than the last days, and readers that are older than the retention of their workspace, or with zero retention
 * all of them. What they called is counted without them.
 */
export async function deleteOldCalls(db: McpServersDb): Promise<void> {
  await sql`delete from mcp_server_calls where day <= ${daysAgo(CALL_DAYS)}`.execute(db)
  await sql`
    with forgotten as (
      delete from mcp_server_calls c using knowledge_bases b, workspaces w
      where b.id = c.knowledge_base_id and w.id = b.workspace_id and c.reader <> ''
        and (w.zero_data_retention or c.day <= ${daysAgo(sql`w.retention_days`)})
      returning c.knowledge_base_id, c.mcp_server_id, c.day, c.calls
    )
    insert into mcp_server_calls (knowledge_base_id, mcp_server_id, day, reader, calls)
    select knowledge_base_id, mcp_server_id, day, '', sum(calls) from forgotten
    group by knowledge_base_id, mcp_server_id, day
    on conflict (knowledge_base_id, mcp_server_id, day, reader)
      do update set calls = mcp_server_calls.calls + excluded.calls`.execute(db)
}
