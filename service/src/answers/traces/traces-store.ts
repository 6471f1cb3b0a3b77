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
    .select([
      'messages.knowledge_base_id',
      'messages.id',
      'messages.thread_id',
      'messages.query',
      'messages.rewritten_query',
      'messages.answer',
      'messages.citations',
      'messages.drew_on',
      'messages.covered',
      'messages.confidence',
      'messages.stopped_by',
      'messages.trace',
      'messages.created_at',
      'messages.updated_at',
      'threads.surface',
    ])
    .where('messages.knowledge_base_id', '=', knowledgeBaseId)
    .where('messages.id', '=', messageId)
    .executeTakeFirst()
}
