import { touchClientKey, type ClientKeyRow, type ClientKeysDb } from './client-keys-store.ts'

/** Resolution of `last_used_at`: a busy key does not write a row on every request. */
const WRITE_INTERVAL_MS = 60_000

/** Keys whose last write this process remembers, to skip the query. */
const MAX_REMEMBERED_KEYS = 10_000

/**
 * Creates the function that records when a key was last used. It never delays or fails a request: a write that failed is repeated
 * a minute later.
 */
export function createKeyUseRecorder(deps: { db: ClientKeysDb; onFailed: (error: unknown) => void }) {
  /** When the use of each key was last written by this process, in milliseconds. */
  const writtenAt = new Map<string, number>()

  return ({ id, knowledge_base_id, last_used_at }: ClientKeyRow, now: Date): void => {
    const lastWritten = Math.max(last_used_at?.getTime() ?? 0, writtenAt.get(id) ?? 0)
    if (now.getTime() - lastWritten < WRITE_INTERVAL_MS) return
    if (writtenAt.size >= MAX_REMEMBERED_KEYS) writtenAt.clear()
    writtenAt.set(id, now.getTime())
    const unlessSince = new Date(now.getTime() - WRITE_INTERVAL_MS)
    touchClientKey(deps.db, { knowledgeBaseId: knowledge_base_id, keyId: id, now, unlessSince }).catch(
      deps.onFailed,
    )
  }
}
