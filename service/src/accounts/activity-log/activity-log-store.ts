import { sql, type Selectable } from 'kysely'
import type { ActivityLogTable } from './activity-log-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { ChainedEntry } from './activity-chain.ts'
import type { PageRequest } from '../../kernel/paging.ts'

/** Tables that a room which records activity needs in the type of its transaction. */
export type ActivityTables = 'activity_log' | 'activity_heads'

export type ActivityDb = Db<ActivityTables>

/** The same for a room that records what is done to people. */
export type PersonActivityDb = Db<ActivityTables | 'workspace_members'>

/** Also the tables for the current names of actors and targets. */
export type ActivityReaderDb = Db<ActivityTables | 'users' | 'access_tokens'>

/**
 * The next sequence number of a workspace's chain, and the hash that it follows. The row stays locked until the transaction ends, so
 * that concurrent writers append one after the other.
 */
export async function lockChainHead(
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

/** The workspaces of a user, always in the same order, so that locking them cannot deadlock. */
export async function listWorkspaceIdsOf(db: Db<'workspace_members'>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace_members')
    .select('workspace_id')
    .where('user_id', '=', userId)
    .orderBy('workspace_id')
    .execute()
  return rows.map((row) => row.workspace_id)
}

/** Appends an entry at the position that `lockChainHead` gave, and makes it the head of the chain. */
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

export interface ReadActivity extends PageRequest {
  workspaceId: string
  action: string | undefined
  actorId: string | undefined
  knowledgeBaseId: string | undefined
}

/** Entries of a workspace, newest first, with the current names of people who still have an account. */
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

/** The head of every workspace's chain, for the audit of the instance. */
export async function listHeads(db: ActivityDb) {
  return await db.selectFrom('activity_heads').selectAll().orderBy('workspace_id').execute()
}

/** Workspaces that have entries but no chain head: it was deleted. */
export async function listChainsWithoutHead(db: ActivityDb): Promise<string[]> {
  const rows = await db
    .selectFrom('activity_log')
    .leftJoin('activity_heads', 'activity_heads.workspace_id', 'activity_log.workspace_id')
    .select('activity_log.workspace_id')
    .distinct()
    .where('activity_heads.workspace_id', 'is', null)
    .execute()
  return rows.map((row) => row.workspace_id)
}

/** Entries after a sequence number, in order. */
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
