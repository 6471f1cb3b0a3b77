import type { ClaimedSync, Room } from './claim-sync-store.ts'

/** Syncs in this process. Most of them wait for a site at any time; what they hold is bounded for each. */
const ROOM_FOR_ANY = 12
const ROOM_FOR_IDLE_BASES = 24
const MOST = 40

/** Beyond so many the longest served are forgotten, and are then the first again. */
const MOST_SERVED = 200

/** A queue's job is held for no longer than this; another one goes on where it ends. */
const HELD_MS = 60 * 60 * 1_000

export interface RunSlotsDeps {
  /** Takes the sync whose turn it is; undefined where none may begin. */
  claim(room: Room, served: { workspaces: string[]; bases: string[] }): Promise<ClaimedSync | undefined>
  /** Runs it to its end. Never throws. */
  run(claimed: ClaimedSync, shutdown: AbortSignal): Promise<void>
}

/** Runs queued syncs side by side, as long as there are some that may begin. */
export interface RunSlots {
  /** Begins what may begin. One call stays until nothing runs any more, or for an hour; false where something still runs. */
  work(shutdown: AbortSignal): Promise<boolean>
}

function noteServed(ids: string[], id: string): void {
  const before = ids.indexOf(id)
  if (before >= 0) ids.splice(before, 1)
  ids.push(id)
  if (ids.length > MOST_SERVED) ids.shift()
}

export function createRunSlots(deps: RunSlotsDeps): RunSlots {
  const running = new Set<Promise<void>>()
  const served = { workspaces: [] as string[], bases: [] as string[] }
  /** One claim after another: each has to know of the one before. */
  let filling: Promise<void> = Promise.resolve()
  let isAttended = false

  const roomNow = (): Room | undefined => {
    if (running.size >= MOST) return undefined
    if (running.size >= ROOM_FOR_IDLE_BASES) return 'idle-workspaces'
    return running.size >= ROOM_FOR_ANY ? 'idle-bases' : 'any'
  }

  async function fill(shutdown: AbortSignal): Promise<void> {
    for (let room = roomNow(); room !== undefined && !shutdown.aborted; room = roomNow()) {
      const claimed = await deps.claim(room, served)
      if (claimed === undefined) return
      noteServed(served.workspaces, claimed.workspaceId)
      noteServed(served.bases, claimed.sync.knowledge_base_id)
      const run = deps.run(claimed, shutdown).finally(() => {
        running.delete(run)
        // The claim may fail with the storage; the next look for abandoned syncs comes in seconds.
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
