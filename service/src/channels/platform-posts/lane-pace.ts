import { setTimeout as sleep } from 'node:timers/promises'

export interface LanePace {
  /** Waits until the lane may be posted to again. */
  wait(lane: string, signal: AbortSignal): Promise<void>
  /** Keeps the lane free for so long from now, after a post of it has ended. */
  rest(lane: string, spacingMs: number): void
}

/** Keeps a distance between the posts of a lane in this process. The queue sends those of one lane one after the other. */
export function createLanePace(milliseconds: () => number): LanePace {
  const freeAt = new Map<string, number>()
  return {
    wait: async (lane, signal) => {
      const at = freeAt.get(lane) ?? 0
      const now = milliseconds()
      if (at > now) await sleep(at - now, undefined, { signal })
    },
    rest: (lane, spacingMs) => {
      const now = milliseconds()
      for (const [other, at] of freeAt) if (at <= now) freeAt.delete(other)
      if (spacingMs > 0) freeAt.set(lane, now + spacingMs)
    },
  }
}
