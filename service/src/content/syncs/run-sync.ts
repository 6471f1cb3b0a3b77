import { Refusal } from '../../kernel/refusal.ts'
import type { SyncCounts } from './syncs-tables.ts'
import { SourceFailure, SourcePaused } from '../connectors/connectors.ts'
import { StorageUnavailable } from '../../platform/storage/storage-unavailable.ts'
import { createReachedLimits, MAX_TOLD, toldOf } from './reached-limits.ts'
import { readSource } from './read-source.ts'
import type { RunSyncDeps, SyncToRun } from './sync-to-run.ts'
import type { SyncChange, SyncError } from './sync-notes-store.ts'
import { listLeftOut } from './source-documents-store.ts'
import { finishSync, giveBack, NO_COUNTS, writeHeartbeat } from './syncs-store.ts'

/** How often counts are written and cancellation is checked. */
const HEARTBEAT_MS = 1_000

class SyncCancelled extends Error {}
class SyncLost extends Error {}

export interface SyncResult {
  status: 'succeeded' | 'partial' | 'failed' | 'cancelled'
  counts: SyncCounts
}

/**
 * Reads a source to its end and makes the index match it: added, changed, unchanged, removed. Documents become visible one by one as they
 * are done; those that the source no longer has are removed at the end, and only if the whole source was seen. Undefined if another worker
 * took the sync over.
 */
export async function runSync(
  deps: RunSyncDeps,
  sync: SyncToRun,
  shutdown: AbortSignal,
): Promise<SyncResult | undefined> {
  const { db, now } = deps
  const counts: SyncCounts = { ...NO_COUNTS }
  const errors: SyncError[] = []
  const changes: SyncChange[] = []
  const limits = createReachedLimits()
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, shutdown])
  const beating = setInterval(() => {
    void writeHeartbeat(db, { ...sync, counts, now: now() })
      .then((leaseState) => {
        if (leaseState === 'cancel') stop.abort(new SyncCancelled('The sync was cancelled.'))
        if (leaseState === 'lost') stop.abort(new SyncLost('Another worker took the sync over.'))
      })
      .catch((error: unknown) =>
        deps.log.warn({ err: error, sync_id: sync.syncId }, 'cannot write the heartbeat of a sync'),
      )
  }, HEARTBEAT_MS)

  const finish = async (status: SyncResult['status'], error: string | undefined) => {
    const leftOut = await listLeftOut(db, { ...sync, most: MAX_TOLD })
    await finishSync(db, {
      ...sync,
      status,
      counts,
      error,
      errors,
      changes,
      warnings: [...limits.told(), ...leftOut.map((one) => toldOf(one.limit, one))].slice(0, MAX_TOLD),
      now: now(),
    })
    return { status, counts }
  }
  try {
    // If the disk is full, nothing is fetched.
    for (const place of ['data', 'temporary'] as const) (await deps.freeSpace?.reserve(place, 0))?.release()
    const { heldBack } = await readSource(deps, sync, { counts, errors, changes, limits }, signal)
    return await finish(counts.failed > 0 || heldBack !== undefined ? 'partial' : 'succeeded', heldBack)
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error
    if (reason instanceof SyncLost) return undefined
    if (reason instanceof SyncCancelled) return await finish('cancelled', undefined)
    // Shutting down: another process continues it, or the next one to start; at the latest when its heartbeat is missed.
    if (shutdown.aborted) {
      await giveBack(db, { ...sync, counts, now: now() }).catch((failure: unknown) =>
        deps.log.warn({ err: failure, sync_id: sync.syncId }, 'cannot give a sync back'),
      )
      return undefined
    }
    // The same if the storage is down: the sync is resumed when it is back.
    if (reason instanceof StorageUnavailable) return undefined
    if (reason instanceof SourcePaused) return await finish('partial', reason.message)
    if (reason instanceof SourceFailure || reason instanceof Refusal)
      return await finish('failed', reason.message)
    deps.log.warn({ err: reason, sync_id: sync.syncId }, 'sync failed')
    return await finish('failed', 'The sync failed because of an internal error. See the log of the service.')
  } finally {
    clearInterval(beating)
  }
}
