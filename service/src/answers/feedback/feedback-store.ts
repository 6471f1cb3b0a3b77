import { sql, type Selectable } from 'kysely'
import { baseThatKeeps } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import type { ConversationPosition } from '../conversations/conversations.ts'
import type { FeedbackTable } from './feedback-table.ts'

/**
 * One vote per message: a later vote replaces the earlier one, and the record keeps its id, source and first time. Undefined under zero
 * retention, which is read in the statement that writes.
 */
export async function saveVote(
  db: Db<'feedback' | 'knowledge_bases' | 'workspaces'>,
  vote: FeedbackTable,
): Promise<FeedbackTable | undefined> {
  return await db
    .insertInto('feedback')
    .columns([
      'knowledge_base_id',
      'message_id',
      'id',
      'vote',
      'comment',
      'source',
      'created_at',
      'updated_at',
    ])
    .expression(
      baseThatKeeps(db, vote.knowledge_base_id).select([
        'knowledge_bases.id',
        sql<string>`${vote.message_id}::uuid`.as('message_id'),
        sql<string>`${vote.id}::uuid`.as('rating_id'),
        sql<FeedbackTable['vote']>`${vote.vote}::text`.as('vote'),
        sql<string | null>`${vote.comment}::text`.as('comment'),
        sql<string>`${vote.source}::text`.as('source'),
        sql<Date>`${vote.created_at.toISOString()}::timestamptz`.as('created_at'),
        sql<Date>`${vote.updated_at.toISOString()}::timestamptz`.as('updated_at'),
      ]),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['knowledge_base_id', 'message_id'])
        // The base is part of the key: a caller of another base can never overwrite this row.
        .doUpdateSet({ vote: vote.vote, comment: vote.comment, updated_at: vote.updated_at }),
    )
    .returningAll()
    .executeTakeFirst()
}

export async function deleteVote(
  db: Db<'feedback'>,
  knowledgeBaseId: string,
  messageId: string,
): Promise<void> {
  await db
    .deleteFrom('feedback')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('message_id', '=', messageId)
    .execute()
}

/** A rating with its question. */
export type RatedQuestion = Selectable<FeedbackTable> & { thread_id: string; query: string; covered: boolean }

/** The ratings of a base, first given last. */
export async function listVotes(
  db: Db<'feedback' | 'messages'>,
  of: {
    knowledgeBaseId: string
    vote: 'up' | 'down' | undefined
    hasComment: boolean | undefined
    after: ConversationPosition | undefined
    limit: number
  },
): Promise<RatedQuestion[]> {
  const { vote, hasComment, after } = of
  return await db
    .selectFrom('feedback')
    .innerJoin('messages', withinBase('messages.id', 'feedback.message_id'))
    .selectAll('feedback')
    .select(['messages.thread_id', 'messages.query', 'messages.covered'])
    .where('feedback.knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(vote !== undefined, (query) => query.where('feedback.vote', '=', vote ?? 'up'))
    .$if(hasComment === true, (query) => query.where(sql<boolean>`coalesce(feedback.comment, '') <> ''`))
    .$if(hasComment === false, (query) => query.where(sql<boolean>`coalesce(feedback.comment, '') = ''`))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(feedback.created_at, feedback.id) < (${after?.createdAt}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .orderBy('feedback.created_at', 'desc')
    .orderBy('feedback.id', 'desc')
    .limit(of.limit)
    .execute()
}
