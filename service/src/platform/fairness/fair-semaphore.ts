import type { Owner } from './owner.ts'
import { createTurns } from './turns.ts'

/** A semaphore with fair scheduling: a free place goes to the waiting owner that was served longest ago. */
export interface FairSemaphore {
  /** Waits for a place. Returns the function that frees it, to be called once; throws the signal's reason if aborted first. */
  acquire(owner: Owner, signal: AbortSignal): Promise<() => void>
}

interface Waiting {
  owner: Owner
  begin: () => void
}

/** @param given.mostEach maximum number of places that one workspace holds at a time */
export function createFairSemaphore(given: { places: number; mostEach?: number }): FairSemaphore {
  const turns = createTurns()
  const held: Owner[] = []
  let waiting: Waiting[] = []

  const placesOf = ({ workspaceId }: Owner) => held.filter((one) => one.workspaceId === workspaceId).length

  const isBefore = (one: Waiting, other: Waiting) =>
    (placesOf(one.owner) - placesOf(other.owner) || turns.compare(one.owner, other.owner)) < 0

  function serve(): void {
    while (held.length < given.places) {
      // Of equals the one that came first.
      const next = waiting
        .filter(({ owner }) => placesOf(owner) < (given.mostEach ?? given.places))
        .reduce<Waiting | undefined>(
          (best, one) => (best === undefined || isBefore(one, best) ? one : best),
          undefined,
        )
      if (next === undefined) return
      waiting = waiting.filter((one) => one !== next)
      held.push(next.owner)
      turns.note(next.owner)
      next.begin()
    }
  }

  return {
    acquire: async (owner, signal) => {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const mine = { owner, begin: resolve }
      const leaveQueue = () => {
        waiting = waiting.filter((one) => one !== mine)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leaveQueue, { once: true })
      waiting.push(mine)
      serve()
      await promise.finally(() => signal.removeEventListener('abort', leaveQueue))
      let hasLeft = false
      return () => {
        if (hasLeft) return
        hasLeft = true
        held.splice(held.indexOf(owner), 1)
        serve()
      }
    },
  }
}
