/**
 * Shared out among those who work at the same time: each has one place of its own in any case, and takes further ones here
 * while there are some. Nobody waits for them, so that nobody can be kept waiting.
 */
export interface SharedExtras {
  open(): Extras
}

export interface Extras {
  /** True where one more was there to be had; it is to be given back. */
  take(): boolean
  giveBack(): void
  close(): void
}

export function createSharedExtras(places: number): SharedExtras {
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
        giveBack: () => {
          if (taken.has(me)) taken.set(me, Math.max(0, mine() - 1))
        },
        close: () => {
          taken.delete(me)
        },
      }
    },
  }
}
