import type { Insertable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { MessagesTable, ThreadsTable } from '../../platform/storage/answers-tables.ts'

/** Also the tables of what is kept along with a turn: other rooms write them, on this handle. */
export type ConversationsDb = Db<
  | 'threads'
  | 'messages'
  | 'knowledge_bases'
  | 'workspaces'
  | 'documents'
  | 'sources'
  | 'webhook_triggers'
  | 'webhook_deliveries'
>

/** The thread, if it belongs to this base. */
export async function findThread(
  db: Db<'threads'>,
  knowledgeBaseId: string,
  threadId: string,
): Promise<ThreadsTable | undefined> {
  return await db
    .selectFrom('threads')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', threadId)
    .executeTakeFirst()
}

/** The last turns of a thread, oldest first. */
export async function readTurns(
  db: ConversationsDb,
  knowledgeBaseId: string,
  threadId: string,
  most: number,
) {
  const latestFirst = await db
    .selectFrom('messages')
    .select(['query', 'answer', 'citations', 'drew_on'])
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('thread_id', '=', threadId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return latestFirst.toReversed()
}

/** Which documents someone may read: those of these groups, and restricted ones or not. */
export interface ReadableBy {
  groupIds: readonly string[] | undefined
  includeRestricted: boolean
}

/** Those of the documents that are there now, and may be read. */
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
    .innerJoin('sources', (join) =>
      join
        .onRef('sources.knowledge_base_id', '=', 'documents.knowledge_base_id')
        .onRef('sources.id', '=', 'documents.source_id'),
    )
    .select('documents.id')
    .where('documents.knowledge_base_id', '=', knowledgeBaseId)
    .where('documents.id', 'in', documentIds)
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
 * Thread and message together or neither; `false` and nothing where the workspace keeps no data. The thread is made on
 * its first message; one that was deleted while the answer was written begins again with this message.
 *
 * @param alsoKeep - writes what other rooms keep of the turn, in the same transaction
 */
export async function saveTurn(
  db: ConversationsDb,
  thread: ThreadsTable,
  message: NewMessage,
  alsoKeep: (transaction: ConversationsDb) => Promise<void>,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    if (await keepsNothing(transaction, thread.knowledge_base_id)) return false
    await transaction
      .insertInto('threads')
      .values(thread)
      .onConflict((conflict) =>
        conflict.columns(['knowledge_base_id', 'id']).doUpdateSet({ updated_at: thread.updated_at }),
      )
      .execute()
    await transaction.insertInto('messages').values(message).execute()
    await alsoKeep(transaction)
    return true
  })
}

/** Read in the transaction that writes, so that a switch thrown while an answer is written counts for that answer. */
async function keepsNothing(db: ConversationsDb, knowledgeBaseId: string): Promise<boolean> {
  const workspace = await db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .select('workspaces.zero_data_retention')
    .where('knowledge_bases.id', '=', knowledgeBaseId)
    .executeTakeFirst()
  // A base that is gone keeps nothing either.
  return workspace?.zero_data_retention ?? true
}

/** Where a message belongs; its id alone is what a reader holds. */
export async function findMessage(db: ConversationsDb, messageId: string) {
  return await db
    .selectFrom('messages')
    .innerJoin('threads', (join) =>
      join
        .onRef('threads.knowledge_base_id', '=', 'messages.knowledge_base_id')
        .onRef('threads.id', '=', 'messages.thread_id'),
    )
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'messages.knowledge_base_id')
    .select(['messages.knowledge_base_id', 'knowledge_bases.workspace_id', 'threads.surface'])
    .where('messages.id', '=', messageId)
    .executeTakeFirst()
}
