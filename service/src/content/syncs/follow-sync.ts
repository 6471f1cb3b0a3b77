import type { SyncProgress } from '@citewell/contract/syncs'
import { presentSync, presentSyncWithErrors } from './present-sync.ts'
import type { SyncError } from './sync-notes-store.ts'
import type { SyncRow } from './syncs-store.ts'

/** Waits this long, or until the signal is aborted. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}

/**
 * Yields the progress of a sync: its record now, again whenever it has changed, and once more with its errors when it has ended. It polls
 * the row, because the worker may be another process.
 */
export async function* followSync(
  look: () => Promise<{ sync: SyncRow; errors: SyncError[] }>,
  everyMs: number,
  signal: AbortSignal,
): AsyncGenerator<SyncProgress, void, void> {
  let shownAt: number | undefined
  while (!signal.aborted) {
    const seen = await look()
    if (seen.sync.finished_at !== null) {
      yield presentSyncWithErrors(seen)
      return
    }
    const changedAt = seen.sync.updated_at.getTime()
    if (changedAt !== shownAt) yield presentSync(seen.sync)
    shownAt = changedAt
    await pause(everyMs, signal)
  }
}
