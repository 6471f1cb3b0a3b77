import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { PlatformPostsTable } from './platform-posts-table.ts'

export type PlatformPostsDb = Db<'platform_posts' | 'integrations' | 'knowledge_bases'>

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
  db: PlatformPostsDb,
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
  | { status: 'pending'; notBefore: Date }

/** Stores the outcome of an attempt. What was posted is no longer kept. */
export async function settlePost(
  db: PlatformPostsDb,
  post: Pick<ClaimedPost, 'knowledge_base_id' | 'id'>,
  to: Settled,
  now: Date,
): Promise<void> {
  await db
    .updateTable('platform_posts')
    .set({
      status: to.status,
      updated_at: now,
      ...(to.status === 'pending' ? { not_before: to.notBefore } : { sealed_body: null }),
      ...(to.status === 'posted' && { platform_ref: to.platformRef ?? null }),
      ...('error' in to && { error: to.error }),
    })
    .where('knowledge_base_id', '=', post.knowledge_base_id)
    .where('id', '=', post.id)
    .where('status', '=', 'sending')
    .execute()
}

/** Gives up on posts whose process died while it sent them: they may have arrived, so they are not sent again. */
export async function markLostPosts(
  db: PlatformPostsDb,
  attemptedBefore: Date,
  error: string,
  now: Date,
): Promise<{ knowledge_base_id: string; integration_id: string }[]> {
  return await db
    .updateTable('platform_posts')
    .set({ status: 'unknown', error, sealed_body: null, updated_at: now })
    .where('status', '=', 'sending')
    .where('attempted_at', '<=', attemptedBefore)
    .returning(['knowledge_base_id', 'integration_id'])
    .execute()
}

export async function deleteOldPosts(db: PlatformPostsDb, before: Date): Promise<void> {
  await db
    .deleteFrom('platform_posts')
    .where('created_at', '<', before)
    .where('status', 'in', ['posted', 'failed', 'unknown'])
    .execute()
}
