import type { Owner } from '../fairness/owner.ts'

/** Beyond this many, the entries served longest ago are dropped and then count as never served. */
const MAX_SERVED = 200

/** Maximum time that one queue job is held; another job then continues. */
const HELD_MS = 60 * 60 * 1_000

/** Workspaces and bases in the order in which this process served them, the latest last. */
export interface Served {
  workspaces: readonly string[]
  bases: readonly string[]
}

export interface RunSlotsDeps<Claimed> {
  /** How many this process runs at a time. */
  most: number
  /** Claims what is next, while so many run here; undefined if nothing may start. */
  claim(running: number, served: Served): Promise<Claimed | undefined>
  ownerOf(claimed: Claimed): Owner
  /** Runs it to its end. Never throws. */
  run(claimed: Claimed, shutdown: AbortSignal): Promise<void>
}

/** Runs concurrently what is queued in the database, as long as some of it may start. */
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

export function createRunSlots<Claimed>(deps: RunSlotsDeps<Claimed>): RunSlots {
  const running = new Set<Promise<void>>()
  const served = { workspaces: [] as string[], bases: [] as string[] }
  /** Claims run one after another: each has to see the one before. */
  let filling: Promise<void> = Promise.resolve()
  let isAttended = false

  async function fill(shutdown: AbortSignal): Promise<void> {
    while (running.size < deps.most && !shutdown.aborted) {
      const claimed = await deps.claim(running.size, served)
      if (claimed === undefined) return
      const { workspaceId, knowledgeBaseId } = deps.ownerOf(claimed)
      recordServed(served.workspaces, workspaceId)
      recordServed(served.bases, knowledgeBaseId)
      const run = deps.run(claimed, shutdown).finally(() => {
        running.delete(run)
        // The claim may fail with the storage; the next look for what was abandoned comes in seconds.
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
