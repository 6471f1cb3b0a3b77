import { StorageUnavailable } from '../storage-unavailable.ts'

/** Releases the session; its holder calls this once. */
export type Release = () => void

export interface SessionQueue {
  /** Waits until the caller has the session. */
  join(): Promise<Release>
}

export interface QueueLimits {
  /** Longest time to wait for the session. */
  waitMs: number
  /** Maximum number of waiting callers. */
  mostWaiting: number
}

/** A queue for the only session: callers get it one after the other, in order of arrival. */
export function createSessionQueue({ waitMs, mostWaiting }: QueueLimits): SessionQueue {
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
