import type { Db, Tables } from './tables.ts'

/**
 * Runs several reads on one snapshot of the database. Otherwise a document could be replaced between two of them: the first would find
 * passages of the old version, and the second would find them deleted.
 */
export async function inOneSnapshot<Names extends keyof Tables, Result>(
  db: Db<Names>,
  read: (snapshot: Db<Names>) => Promise<Result>,
): Promise<Result> {
  return await db.transaction().setIsolationLevel('repeatable read').execute(read)
}
