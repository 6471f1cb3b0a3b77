import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function watch(tell: () => void): () => void {
  watchers.add(tell)
  timer ??= setInterval(() => {
    for (const each of watchers) each()
  }, MINUTE_MS)
  return () => {
    watchers.delete(tell)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The minute that it is, since 1970. What is told relative to now is told anew with each, by one timer for the whole page. */
export const useMinute = (): number => useSyncExternalStore(watch, () => Math.floor(Date.now() / MINUTE_MS))
