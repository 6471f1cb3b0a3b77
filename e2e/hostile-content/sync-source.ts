import { setTimeout as delay } from 'node:timers/promises'
import type { HostileWorld } from './hostile-world.ts'

interface Sync {
  id: string
  status: string
}

/** Timeout of a sync: then it is cancelled, and has as long again to end. */
const TIMEOUT_MS = 60_000
const ENDED = new Set(['succeeded', 'partial', 'failed', 'cancelled'])

/** Syncs a source and waits for the end; returns the final status. */
export async function syncSource({ service }: HostileWorld, sourceId: string): Promise<string> {
  const started = await service.json<Sync>('POST', `/api/v1/sources/${sourceId}/sync`)
  let deadline = Date.now() + TIMEOUT_MS
  let cancelled = false
  for (;;) {
    const sync = await service.json<Sync>('GET', `/api/v1/syncs/${started.id}`)
    if (ENDED.has(sync.status)) return cancelled ? `${sync.status} (cut)` : sync.status
    if (Date.now() > deadline) {
      if (cancelled) throw new Error(`Sync ${started.id} still runs although it was cancelled`)
      cancelled = true
      deadline = Date.now() + TIMEOUT_MS
      await service.json('POST', `/api/v1/syncs/${started.id}/cancel`)
    }
    await delay(50)
  }
}
