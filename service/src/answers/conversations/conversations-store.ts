import { sql, type Insertable } from 'kysely'
import type { Db, WholeDb } from '../../platform/storage/tables.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import type { MessagesTable, ThreadsTable } from './conversations-tables.ts'

export type ConversationsDb = Db<
  'threads' | 'messages' | 'knowledge_bases' | 'workspaces' | 'documents' | 'sources'
>

/** The last turns of a thread, oldest first. */
export async function readTurns(
  db: ConversationsDb,
  knowledgeBaseId: string,
  threadId: string,
  most: number,
) {
  const latestFirst = await db
    .selectFrom('messages')
    .select(['query', 'answer', 'citations', 'covered', 'drew_on'])
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('thread_id', '=', threadId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return latestFirst.toReversed()
}

/** Which documents the asker may read: those of these groups, with or without restricted ones. */
export interface ReadableBy {
  groupIds: readonly string[] | undefined
  includeRestricted: boolean
}

/** The subset of the documents that still exist and may be read. */
export async function findReadable(
  db: Db<'documents' | 'sources'>,
  knowledgeBaseId: string,
  documentIds: readonly string[],
  readableBy: ReadableBy,
): Promise<Set<string>> {
  if (documentIds.length === 0) return new Set()
  const { groupIds, includeRestricted } = readableBy
  const rows = await db
    .selectFrom('documents')
    .innerJoin('sources', withinBase('sources.id', 'documents.source_id'))
    .select('documents.id')
    .where('documents.knowledge_base_id', '=', knowledgeBaseId)
    // One parameter: an export may name more pages than a statement has parameters.
    .where('documents.id', '=', sql<string>`any(${[...documentIds]}::uuid[])`)
    .where('documents.live_version', 'is not', null)
    .$if(!includeRestricted, (query) => query.where('documents.visibility', '=', 'public'))
    .$if(groupIds !== undefined, (query) =>
      query.where('sources.source_group_id', 'in', [...(groupIds ?? [])]),
    )
    .execute()
  return new Set(rows.map((row) => row.id))
}

export type NewMessage = Insertable<MessagesTable>

/**
 * Stores thread and message together or neither; `false` and nothing stored under zero retention. The thread is created with its first
 * message. Of one that was deleted while the answer was written nothing is stored: its reader may have asked for that.
 *
 * @param continues - whether the message is of a thread that there was
 * @param alsoStore - writes the records of other rooms for this turn, in the same transaction
 */
export async function saveTurn(
  db: WholeDb,
  thread: ThreadsTable,
  message: NewMessage,
  continues: boolean,
  alsoStore: (transaction: WholeDb) => Promise<void>,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction: WholeDb) => {
    if (await hasZeroRetention(transaction, thread.knowledge_base_id)) return false
    if (continues && !(await lockThread(transaction, thread))) return false
    await transaction
      .insertInto('threads')
      .values(thread)
      .onConflict((conflict) =>
        conflict.columns(['knowledge_base_id', 'id']).doUpdateSet({ updated_at: thread.updated_at }),
      )
      .execute()
    await transaction.insertInto('messages').values(message).execute()
    await alsoStore(transaction)
    return true
  })
}

/** Whether the thread exists; it then exists until the end of the transaction. */
async function lockThread(
  transaction: ConversationsDb,
  { knowledge_base_id: knowledgeBaseId, id }: ThreadsTable,
): Promise<boolean> {
  const found = await transaction
    .selectFrom('threads')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found !== undefined
}

/** Read in the writing transaction, so that switching zero retention on applies to in-flight answers. */
async function hasZeroRetention(db: ConversationsDb, knowledgeBaseId: string): Promise<boolean> {
  const workspace = await db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .select('workspaces.zero_data_retention')
    .where('knowledge_bases.id', '=', knowledgeBaseId)
    .executeTakeFirst()
  // Nothing is stored for a deleted base either.
  return workspace?.zero_data_retention ?? true
}

/** The thread and base of a message; the id is all that a reader has. */
export async function findMessage(db: ConversationsDb, messageId: string) {
  return await db
    .selectFrom('messages')
    .innerJoin('threads', withinBase('threads.id', 'messages.thread_id'))
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'messages.knowledge_base_id')
    .select(['messages.knowledge_base_id', 'knowledge_bases.workspace_id', 'threads.surface'])
    .where('messages.id', '=', messageId)
    .executeTakeFirst()
}

/** Whether a member got this answer to a question of their own, in this base. */
export async function isMessageOf(
  db: ConversationsDb,
  of: { knowledgeBaseId: string; messageId: string; userId: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('messages')
    .innerJoin('threads', withinBase('threads.id', 'messages.thread_id'))
    .select('messages.id')
    .where('messages.knowledge_base_id', '=', of.knowledgeBaseId)
    .where('messages.id', '=', of.messageId)
    .where('threads.surface', '=', 'team')
    .where('threads.client_key_id', 'is', null)
    .where('threads.user_ref', '=', of.userId)
    .executeTakeFirst()
  return found !== undefined
}
