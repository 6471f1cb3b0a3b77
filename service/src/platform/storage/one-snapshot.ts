import type { Kysely } from 'kysely'

/**
 * Reads several statements from one state of the database. Without it a document could be replaced between two of them: the
 * first finds passages of the old version, and the second finds them gone.
 */
export async function inOneSnapshot<Tables, Result>(
  db: Kysely<Tables>,
  read: (snapshot: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return await db.transaction().setIsolationLevel('repeatable read').execute(read)
}
