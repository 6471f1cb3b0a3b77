import { StorageUnavailable } from '../storage-unavailable.ts'

/** Whoever holds the only session calls this once, when done. */
export type Release = () => void

export interface SessionLine {
  /** Waits for the turn. */
  join(): Promise<Release>
}

export interface LineLimits {
  /** Longest time to wait for the turn. */
  waitMs: number
  /** Most that wait at once. */
  mostWaiting: number
}

/** Lets callers have the only session one after the other, in the order they came. */
export function createSessionLine({ waitMs, mostWaiting }: LineLimits): SessionLine {
  const waiting = new Set<(release: Release) => void>()
  let isHeld = false

  function hold(): Release {
    isHeld = true
    let isDone = false
    return () => {
      if (isDone) return
      isDone = true
      const [next] = waiting
      if (next === undefined) isHeld = false
      else next(hold())
    }
  }

  return {
    join: () => {
      if (!isHeld) return Promise.resolve(hold())
      if (waiting.size >= mostWaiting) return Promise.reject(new StorageUnavailable('busy'))
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(take)
          reject(new StorageUnavailable('busy'))
        }, waitMs)
        const take = (release: Release) => {
          waiting.delete(take)
          clearTimeout(timer)
          resolve(release)
        }
        waiting.add(take)
      })
    },
  }
}
