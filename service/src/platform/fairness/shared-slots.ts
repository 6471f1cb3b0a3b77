/**
 * Extra places shared among concurrent workers: each worker always has one place of its own, and takes further ones here while they
 * are available. It never waits for them, so no worker can be blocked.
 */
export interface SharedSlots {
  open(): Slots
}

export interface Slots {
  /** True if another place was available; the caller must give it back. */
  take(): boolean
  release(): void
  close(): void
}

export function createSharedSlots(places: number): SharedSlots {
  const taken = new Map<object, number>()
  const allTaken = () => [...taken.values()].reduce((sum, one) => sum + one, 0)

  return {
    open: () => {
      const me = {}
      taken.set(me, 0)
      const mine = () => taken.get(me) ?? 0
      return {
        take: () => {
          const share = Math.max(1, Math.floor(places / taken.size))
          if (!taken.has(me) || mine() >= share || allTaken() >= places) return false
          taken.set(me, mine() + 1)
          return true
        },
        release: () => {
          if (taken.has(me)) taken.set(me, Math.max(0, mine() - 1))
        },
        close: () => {
          taken.delete(me)
        },
      }
    },
  }
}
