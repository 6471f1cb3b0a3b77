import { sql, type Selectable } from 'kysely'
import type { ActivityLogTable } from '../../platform/storage/accounts-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { ChainedEntry } from './activity-chain.ts'

/** What a room that records needs to have in the type of its transaction. */
export type ActivityTables = 'activity_log' | 'activity_heads'

export type ActivityDb = Db<ActivityTables>

/** The same for a room that records what is done to people. */
export type PersonActivityDb = Db<ActivityTables | 'workspace_members'>

/** Also who did it, and what the records of people are called now. */
export type ActivityReaderDb = Db<ActivityTables | 'users' | 'access_tokens'>

/**
 * The place of the next entry of a workspace, and the hash that it follows. The row stays locked until the transaction ends, so
 * that of many who append at once each sees the one before.
 */
export async function takeNextPlace(
  transaction: ActivityDb,
  workspaceId: string,
  chainStart: string,
): Promise<{ sequence: number; previousHash: string }> {
  const head = await transaction
    .insertInto('activity_heads')
    .values({ workspace_id: workspaceId, sequence: 1, hash: chainStart })
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet({ sequence: sql`activity_heads.sequence + 1` }),
    )
    .returning(['sequence', 'hash'])
    .executeTakeFirstOrThrow()
  return { sequence: Number(head.sequence), previousHash: head.hash }
}

/** The workspaces that somebody is in, in one order for everybody. */
export async function listWorkspaceIdsOf(db: Db<'workspace_members'>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace_members')
    .select('workspace_id')
    .where('user_id', '=', userId)
    .orderBy('workspace_id')
    .execute()
  return rows.map((row) => row.workspace_id)
}

/** Appends an entry at the place that `takeNextPlace` gave, and makes it the end of the chain. */
export async function appendEntry(transaction: ActivityDb, entry: ChainedEntry, hash: string): Promise<void> {
  await transaction
    .insertInto('activity_log')
    .values({ ...entry, details: JSON.stringify(entry.details), hash })
    .execute()
  await transaction
    .updateTable('activity_heads')
    .set({ hash })
    .where('workspace_id', '=', entry.workspace_id)
    .execute()
}

export type ActivityRow = Selectable<ActivityLogTable>

export interface ReadActivity {
  workspaceId: string
  after: string | undefined
  limit: number
  action: string | undefined
  actorId: string | undefined
  knowledgeBaseId: string | undefined
}

/** Entries of a workspace, the newest first; people by their present names, where they are still known. */
export async function listEntries(db: ActivityReaderDb, read: ReadActivity) {
  return await db
    .selectFrom('activity_log')
    .leftJoin('users as actors', 'actors.id', 'activity_log.actor_user_id')
    .leftJoin('access_tokens', 'access_tokens.id', 'activity_log.actor_token_id')
    .leftJoin('users as targets', (join) =>
      join
        .on('activity_log.target_type', '=', 'member')
        .on((on) => on(sql`targets.id::text`, '=', on.ref('activity_log.target_id'))),
    )
    .selectAll('activity_log')
    .select([
      'actors.name as actor_name',
      'actors.email as actor_email',
      'access_tokens.name as token_name',
      'targets.email as person_email',
    ])
    .where('activity_log.workspace_id', '=', read.workspaceId)
    .$if(read.action !== undefined, (query) => query.where('activity_log.action', '=', read.action ?? ''))
    .$if(read.actorId !== undefined, (query) =>
      query.where('activity_log.actor_user_id', '=', read.actorId ?? ''),
    )
    .$if(read.knowledgeBaseId !== undefined, (query) =>
      query.where('activity_log.knowledge_base_id', '=', read.knowledgeBaseId ?? ''),
    )
    .$if(read.after !== undefined, (query) =>
      query.where('activity_log.sequence', '<', (older) =>
        older
          .selectFrom('activity_log as last')
          .select('last.sequence')
          .where('last.workspace_id', '=', read.workspaceId)
          .where('last.id', '=', read.after ?? ''),
      ),
    )
    .orderBy('activity_log.sequence', 'desc')
    .limit(read.limit)
    .execute()
}

export type ListedEntry = Awaited<ReturnType<typeof listEntries>>[number]

/** Where every chain ends, whoever's it is: the audit is the instance's. */
export async function listHeads(db: ActivityDb) {
  return await db.selectFrom('activity_heads').selectAll().orderBy('workspace_id').execute()
}

/** Workspaces that have entries and no end of a chain: somebody deleted it. */
export async function listHeadless(db: ActivityDb): Promise<string[]> {
  const rows = await db
    .selectFrom('activity_log')
    .leftJoin('activity_heads', 'activity_heads.workspace_id', 'activity_log.workspace_id')
    .select('activity_log.workspace_id')
    .distinct()
    .where('activity_heads.workspace_id', 'is', null)
    .execute()
  return rows.map((row) => row.workspace_id)
}

/** Entries after a place, in their order. */
export async function readChain(
  db: ActivityDb,
  of: { workspaceId: string; after: number; limit: number },
): Promise<ActivityRow[]> {
  return await db
    .selectFrom('activity_log')
    .selectAll()
    .where('workspace_id', '=', of.workspaceId)
    .where('sequence', '>', String(of.after))
    .orderBy('sequence')
    .limit(of.limit)
    .execute()
}
