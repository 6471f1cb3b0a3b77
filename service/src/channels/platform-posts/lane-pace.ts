import { setTimeout as sleep } from 'node:timers/promises'

export interface LanePace {
  /** Waits until the lane may be posted to again, and takes that place. */
  wait(lane: string, spacingMs: number, signal: AbortSignal): Promise<void>
}

/** Keeps a distance between the posts of a lane in this process. */
export function createLanePace(milliseconds: () => number): LanePace {
  const freeAt = new Map<string, number>()
  return {
    wait: async (lane, spacingMs, signal) => {
      const now = milliseconds()
      for (const [other, at] of freeAt) if (at <= now) freeAt.delete(other)
      const at = Math.max(now, freeAt.get(lane) ?? now)
      freeAt.set(lane, at + spacingMs)
      if (at > now) await sleep(at - now, undefined, { signal })
    },
  }
}
