import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { PlatformPostsTable } from './platform-posts-table.ts'

/** Includes the tables of tickets, approvals and webhooks, because what follows from a post is recorded in the same transaction. */
export type PlatformPostsDb = Db<
  | 'platform_hand_overs'
  | 'platform_posts'
  | 'integrations'
  | 'knowledge_bases'
  | 'workspaces'
  | 'helpdesk_tickets'
  | 'approvals'
  | 'webhook_triggers'
  | 'webhook_deliveries'
>

export type PlatformPostRow = Selectable<PlatformPostsTable>

export type ClaimedPost = Pick<
  PlatformPostRow,
  'knowledge_base_id' | 'id' | 'integration_id' | 'lane' | 'sealed_body' | 'attempts' | 'created_at'
>

/** Whether a knowledge base still answers. */
export async function isActiveBase(db: PlatformPostsDb, knowledgeBaseId: string): Promise<boolean> {
  const row = await db
    .selectFrom('knowledge_bases')
    .select('status')
    .where('id', '=', knowledgeBaseId)
    .executeTakeFirst()
  return row?.status === 'active'
}

export async function insertPosts(
  db: Db<'platform_posts'>,
  rows: readonly Omit<PlatformPostRow, 'seq'>[],
): Promise<void> {
  // One statement each: their order is that of the column `seq`.
  for (const row of rows) await db.insertInto('platform_posts').values(row).execute()
}

/**
 * Marks posts as being sent, before anything is sent: after a crash the mark shows that an attempt may have been made. Only the first open
 * post of a lane is taken.
 */
export async function claimPosts(
  db: PlatformPostsDb,
  given: { most: number; now: Date },
): Promise<ClaimedPost[]> {
  // Most looks find nothing, and the other statement costs much more.
  const due = await db
    .selectFrom('platform_posts')
    .select('id')
    .where('status', '=', 'pending')
    .where((is) => is.or([is('not_before', 'is', null), is('not_before', '<=', given.now)]))
    .limit(1)
    .execute()
  if (due.length === 0) return []
  return await db.transaction().execute(async (transaction) => {
    const waiting = await transaction
      .selectFrom('platform_posts as post')
      .select(['knowledge_base_id', 'id'])
      .where('status', '=', 'pending')
      .where((is) => is.or([is('not_before', 'is', null), is('not_before', '<=', given.now)]))
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('platform_posts as earlier')
              .select(sql`1`.as('one'))
              .whereRef('earlier.knowledge_base_id', '=', 'post.knowledge_base_id')
              .whereRef('earlier.integration_id', '=', 'post.integration_id')
              .whereRef('earlier.lane', '=', 'post.lane')
              .whereRef('earlier.seq', '<', 'post.seq')
              .where('earlier.status', 'in', ['pending', 'sending']),
          ),
        ),
      )
      .orderBy('seq')
      .limit(given.most)
      .forUpdate()
      .skipLocked()
      .execute()
    if (waiting.length === 0) return []
    return await transaction
      .updateTable('platform_posts')
      .set((set) => ({
        status: 'sending' as const,
        attempts: set('attempts', '+', 1),
        attempted_at: given.now,
        updated_at: given.now,
      }))
      .where((is) =>
        is(
          is.refTuple('knowledge_base_id', 'id'),
          'in',
          waiting.map((row) => is.tuple(row.knowledge_base_id, row.id)),
        ),
      )
      .returningAll()
      .execute()
  })
}

type Settled =
  | { status: 'posted'; platformRef: string | undefined }
  | { status: 'failed' | 'unknown'; error: string }
  /** `sealedBody`: another form of it. */
  | { status: 'pending'; notBefore: Date; sealedBody?: string }

/** Stores the outcome of an attempt, unless another process has done so; returns whether it did. What was posted is no longer kept. */
export async function settlePost(
  db: PlatformPostsDb,
  post: Pick<ClaimedPost, 'knowledge_base_id' | 'id'>,
  to: Settled,
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('platform_posts')
    .set({
      status: to.status,
      updated_at: now,
      ...(to.status === 'pending' ? { not_before: to.notBefore } : { sealed_body: null }),
      ...(to.status === 'pending' && to.sealedBody !== undefined && { sealed_body: to.sealedBody }),
      ...(to.status === 'posted' && { platform_ref: to.platformRef ?? null }),
      ...('error' in to && { error: to.error }),
    })
    .where('knowledge_base_id', '=', post.knowledge_base_id)
    .where('id', '=', post.id)
    .where('status', '=', 'sending')
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

/** The answer that a post of the platform shows; undefined if it is not known any more. */
export async function findPostedMessage(
  db: Db<'platform_posts'>,
  of: { knowledgeBaseId: string; integrationId: string; platformRef: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('platform_posts')
    .select('message_id')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('integration_id', '=', of.integrationId)
    .where('platform_ref', '=', of.platformRef)
    .where('message_id', 'is not', null)
    .executeTakeFirst()
  return row?.message_id ?? undefined
}

/** Posts whose process died while it sent them: they may have arrived. */
export async function listLostPosts(db: PlatformPostsDb, attemptedBefore: Date): Promise<ClaimedPost[]> {
  return await db
    .selectFrom('platform_posts')
    .selectAll()
    .where('status', '=', 'sending')
    .where('attempted_at', '<=', attemptedBefore)
    .orderBy('seq')
    .limit(1_000)
    .execute()
}

export async function deleteOldPosts(db: PlatformPostsDb, before: Date): Promise<void> {
  await db
    .deleteFrom('platform_posts')
    .where('created_at', '<', before)
    .where('status', 'in', ['posted', 'failed', 'unknown'])
    .execute()
}
