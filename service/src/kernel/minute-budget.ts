import { MINUTE_MS } from './duration.ts'

/** How often something may be done in any minute, for each key. In this process. */
export function createMinuteBudget(most: number, milliseconds: () => number) {
  const taken = new Map<string, number[]>()
  return {
    /** Whether it may be done now; then it counts. */
    take: (key: string): boolean => {
      const now = milliseconds()
      for (const [other, times] of taken) {
        const recent = times.filter((at) => now - at < MINUTE_MS)
        if (recent.length === 0) taken.delete(other)
        else taken.set(other, recent)
      }
      const times = taken.get(key) ?? []
      if (times.length >= most) return false
      taken.set(key, [...times, now])
      return true
    },
  }
}
