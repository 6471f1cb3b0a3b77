import { touchClientKey, type ClientKeyRow, type ClientKeysDb } from './client-keys-store.ts'

/** `last_used_at` is this exact: a busy key does not write a row on every request. */
const NOTED_EVERY_MS = 60_000

/** Keys that this process remembers at most, so that it need not ask the row. */
const MOST_REMEMBERED = 10_000

/**
 * Makes the function that writes down when a key was last used. It never holds up a request, and never fails one: what is not
 * written now is written a minute later.
 */
export function createKeyUseNotes(deps: { db: ClientKeysDb; onFailed: (fault: unknown) => void }) {
  /** When each key was last noted here, in milliseconds. */
  const noted = new Map<string, number>()

  return ({ id, knowledge_base_id, last_used_at }: ClientKeyRow, now: Date): void => {
    const lastNoted = Math.max(last_used_at?.getTime() ?? 0, noted.get(id) ?? 0)
    if (now.getTime() - lastNoted < NOTED_EVERY_MS) return
    if (noted.size >= MOST_REMEMBERED) noted.clear()
    noted.set(id, now.getTime())
    const unlessSince = new Date(now.getTime() - NOTED_EVERY_MS)
    touchClientKey(deps.db, { knowledgeBaseId: knowledge_base_id, keyId: id, now, unlessSince }).catch(
      deps.onFailed,
    )
  }
}
