/** How many deliveries are under way at once: to one receiver, and in this process. */
export interface SlotLimits {
  perOrigin: number
  inAll: number
}

export interface Slots {
  /** Takes a place at a receiver, or says that there is none. */
  take(origin: string): boolean
  release(origin: string): void
  /** Receivers whose places are all taken. */
  busyOrigins(): string[]
  isFull(): boolean
}

/** Keeps a receiver that hangs from taking the places of the others. */
export function createSlots(limits: SlotLimits): Slots {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take: (origin) => {
      const here = taken.get(origin) ?? 0
      if (all >= limits.inAll || here >= limits.perOrigin) return false
      taken.set(origin, here + 1)
      all += 1
      return true
    },
    release: (origin) => {
      const left = (taken.get(origin) ?? 0) - 1
      if (left > 0) taken.set(origin, left)
      else taken.delete(origin)
      all -= 1
    },
    busyOrigins: () => [...taken].filter(([, count]) => count >= limits.perOrigin).map(([origin]) => origin),
    isFull: () => all >= limits.inAll,
  }
}
