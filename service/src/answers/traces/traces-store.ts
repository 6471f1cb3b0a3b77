import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import { MESSAGE_COLUMNS, type ConversationPosition } from '../conversations/conversations.ts'

export type TracesDb = Db<'messages' | 'threads' | 'feedback' | 'documents' | 'sources'>

export type TracedMessage = NonNullable<Awaited<ReturnType<typeof findTracedMessage>>>

/** A message with its trace, and who asked. */
export async function findTracedMessage(
  db: Db<'messages' | 'threads'>,
  knowledgeBaseId: string,
  messageId: string,
) {
  return await db
    .selectFrom('messages')
    .innerJoin('threads', withinBase('threads.id', 'messages.thread_id'))
    .select(MESSAGE_COLUMNS)
    .select(['messages.trace', 'threads.surface'])
    .where('messages.knowledge_base_id', '=', knowledgeBaseId)
    .where('messages.id', '=', messageId)
    .executeTakeFirst()
}

export type ListedMessage = Awaited<ReturnType<typeof listTracedMessages>>[number]

/** Messages of a base, newest first. */
export async function listTracedMessages(
  db: Db<'messages' | 'threads' | 'feedback'>,
  of: {
    knowledgeBaseId: string
    covered: boolean | undefined
    surface: string | undefined
    vote: 'up' | 'down' | undefined
    after: ConversationPosition | undefined
    limit: number
  },
) {
  const { covered, surface, vote, after } = of
  return await db
    .selectFrom('messages')
    .innerJoin('threads', withinBase('threads.id', 'messages.thread_id'))
    .leftJoin('feedback', withinBase('feedback.message_id', 'messages.id'))
    .select([
      'messages.id',
      'messages.thread_id',
      'messages.query',
      'messages.covered',
      'messages.confidence',
      'messages.stopped_by',
      'messages.total_ms',
      'messages.created_at',
      'threads.surface',
      'feedback.vote',
    ])
    .where('messages.knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(covered !== undefined, (query) =>
      query.where('messages.stopped_by', 'is', null).where('messages.covered', '=', covered ?? true),
    )
    .$if(surface !== undefined, (query) => query.where('threads.surface', '=', surface ?? ''))
    .$if(vote !== undefined, (query) => query.where('feedback.vote', '=', vote ?? 'up'))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(messages.created_at, messages.id) < (${after?.createdAt}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .orderBy('messages.created_at', 'desc')
    .orderBy('messages.id', 'desc')
    .limit(of.limit)
    .execute()
}
