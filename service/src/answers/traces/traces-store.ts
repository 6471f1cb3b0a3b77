import { MESSAGE_COLUMNS } from '../conversations/conversations.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type TracesDb = Db<'messages' | 'threads' | 'documents' | 'sources'>

export type TracedMessage = NonNullable<Awaited<ReturnType<typeof findTracedMessage>>>

/** A message with its trace, and who asked. */
export async function findTracedMessage(
  db: Db<'messages' | 'threads'>,
  knowledgeBaseId: string,
  messageId: string,
) {
  return await db
    .selectFrom('messages')
    .innerJoin('threads', (join) =>
      join
        .onRef('threads.knowledge_base_id', '=', 'messages.knowledge_base_id')
        .onRef('threads.id', '=', 'messages.thread_id'),
    )
    .select(MESSAGE_COLUMNS)
    .select(['messages.trace', 'threads.surface'])
    .where('messages.knowledge_base_id', '=', knowledgeBaseId)
    .where('messages.id', '=', messageId)
    .executeTakeFirst()
}
