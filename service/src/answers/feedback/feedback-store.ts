import type { Db } from '../../platform/storage/tables.ts'
import type { FeedbackTable } from './feedback-table.ts'

/** One vote per message: a later vote replaces the earlier one, and the record keeps its id, source and first time. */
export async function saveVote(db: Db<'feedback'>, vote: FeedbackTable): Promise<FeedbackTable> {
  return await db
    .insertInto('feedback')
    .values(vote)
    .onConflict((conflict) =>
      conflict
        .columns(['knowledge_base_id', 'message_id'])
        // The base is part of the key: a caller of another base can never overwrite this row.
        .doUpdateSet({ vote: vote.vote, comment: vote.comment, updated_at: vote.updated_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
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
