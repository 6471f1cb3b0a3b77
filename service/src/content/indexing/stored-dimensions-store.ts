import type { IndexDb } from './indexing-tables.ts'
import { pipelinePart } from './pipeline.ts'

/** Dimensions of the newest indexed document whose embedding key begins so and ends with them; undefined if there is none. */
export async function storedDimensions(db: IndexDb, keyPrefix: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('documents')
    .select('indexed_with')
    .where((where) => where(where.fn('strpos', ['indexed_with', where.val(pipelinePart(keyPrefix))]), '>', 0))
    .where('live_version', 'is not', null)
    .orderBy('indexed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const dimensions = Number(/:(\d+)$/.exec(row?.indexed_with ?? '')?.[1])
  return dimensions > 0 ? dimensions : undefined
}
