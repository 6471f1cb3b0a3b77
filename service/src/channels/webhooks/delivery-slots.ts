/** Maximum number of concurrent deliveries: to one receiver, and in this process. */
export interface SlotLimits {
  perOrigin: number
  inAll: number
}

export interface Slots {
  /** Takes a slot for a receiver; false if none is free. */
  take(origin: string): boolean
  release(origin: string): void
  /** Receivers without a free slot. */
  busyOrigins(): string[]
  isFull(): boolean
}

/** Limits concurrent deliveries per receiver, so that a hanging receiver cannot occupy the slots of the others. */
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
