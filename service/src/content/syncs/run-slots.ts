import type { ClaimedSync, Capacity } from './claim-sync-store.ts'

/** Maximum syncs in this process. Most of them are waiting for a site at any time; each has bounded memory. */
const SLOTS_FOR_ANY = 12
const SLOTS_FOR_IDLE_BASES = 24
const MOST = 40

/** Beyond this many, the entries served longest ago are dropped and then count as never served. */
const MAX_SERVED = 200

/** Maximum time that one queue job is held; another job then continues. */
const HELD_MS = 60 * 60 * 1_000

export interface RunSlotsDeps {
  /** Claims the next sync; undefined if none may start. */
  claim(
    capacity: Capacity,
    served: { workspaces: string[]; bases: string[] },
  ): Promise<ClaimedSync | undefined>
  /** Runs it to its end. Never throws. */
  run(claimed: ClaimedSync, shutdown: AbortSignal): Promise<void>
}

/** Runs queued syncs concurrently, as long as some may start. */
export interface RunSlots {
  /** Starts what may start. One call stays until nothing runs any more, or for an hour; false if something still runs. */
  work(shutdown: AbortSignal): Promise<boolean>
}

function recordServed(ids: string[], id: string): void {
  const before = ids.indexOf(id)
  if (before >= 0) ids.splice(before, 1)
  ids.push(id)
  if (ids.length > MAX_SERVED) ids.shift()
}

export function createRunSlots(deps: RunSlotsDeps): RunSlots {
  const running = new Set<Promise<void>>()
  const served = { workspaces: [] as string[], bases: [] as string[] }
  /** Claims run one after another: each has to see the one before. */
  let filling: Promise<void> = Promise.resolve()
  let isAttended = false

  const capacityNow = (): Capacity | undefined => {
    if (running.size >= MOST) return undefined
    if (running.size >= SLOTS_FOR_IDLE_BASES) return 'idle-workspaces'
    return running.size >= SLOTS_FOR_ANY ? 'idle-bases' : 'any'
  }

  async function fill(shutdown: AbortSignal): Promise<void> {
    for (
      let capacity = capacityNow();
      capacity !== undefined && !shutdown.aborted;
      capacity = capacityNow()
    ) {
      const claimed = await deps.claim(capacity, served)
      if (claimed === undefined) return
      recordServed(served.workspaces, claimed.workspaceId)
      recordServed(served.bases, claimed.sync.knowledge_base_id)
      const run = deps.run(claimed, shutdown).finally(() => {
        running.delete(run)
        // The claim may fail with the storage; the next check for abandoned syncs comes in seconds.
        begin(shutdown).catch(() => {})
      })
      running.add(run)
    }
  }

  function begin(shutdown: AbortSignal): Promise<void> {
    const next = filling.then(
      () => fill(shutdown),
      () => fill(shutdown),
    )
    filling = next
    next.catch(() => {})
    return next
  }

  return {
    work: async (shutdown) => {
      await begin(shutdown)
      if (isAttended) return true
      isAttended = true
      const { promise: isOver, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, HELD_MS)
      const end = performance.now() + HELD_MS
      while (running.size > 0 && performance.now() < end) {
        await Promise.race([...running, isOver])
        await filling.catch(() => {})
      }
      clearTimeout(timer)
      isAttended = false
      return running.size === 0
    },
  }
}
