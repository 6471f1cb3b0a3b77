import type { Kysely } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** Resolution of a recorded last use: what is busy does not write a row on every request. */
const LAST_USE_INTERVAL_MS = 60_000

/** Ids whose last write this process remembers, to skip the query. */
const MAX_REMEMBERED = 10_000

/** A use to be recorded. `recorded` is the last one in storage. */
export interface Use {
  id: string
  recorded: Date | null
  now: Date
}

/**
 * Creates the function that records when something was last used. It never delays or fails a request, which may only read, and on a
 * full disk has to: a write that failed is repeated a minute later.
 *
 * @param write records the use, unless one was recorded after `unlessSince`
 */
export function createUseRecorder(
  write: (use: { id: string; now: Date; unlessSince: Date }) => Promise<void>,
  onFailed: (error: unknown) => void,
) {
  /** When this process last tried to write the use of each, in milliseconds. */
  const triedAt = new Map<string, number>()

  return ({ id, recorded, now }: Use): void => {
    const lastTry = Math.max(recorded?.getTime() ?? 0, triedAt.get(id) ?? 0)
    if (now.getTime() - lastTry < LAST_USE_INTERVAL_MS) return
    if (triedAt.size >= MAX_REMEMBERED) triedAt.clear()
    triedAt.set(id, now.getTime())
    write({ id, now, unlessSince: new Date(now.getTime() - LAST_USE_INTERVAL_MS) }).catch(onFailed)
  }
}

type UsedTables = {
  [Name in keyof Tables]: Tables[Name] extends { id: string; last_used_at: Date | null } ? Name : never
}[keyof Tables]

/** Records the last use of a row of a table, unless one was recorded after `unlessSince`. */
export const touchIn =
  <Name extends UsedTables>(db: Db<Name>, table: Name) =>
  async ({ id, now, unlessSince }: { id: string; now: Date; unlessSince: Date }): Promise<void> => {
    // Treats all of these tables as one type: the statement only uses the two columns that each of them has.
    await (db as unknown as Kysely<Pick<Tables, 'client_keys'>>)
      .updateTable(table as 'client_keys')
      .set({ last_used_at: now })
      .where('id', '=', id)
      .where((where) =>
        where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', unlessSince)]),
      )
      .execute()
  }
