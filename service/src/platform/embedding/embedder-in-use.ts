import { setTimeout as wait } from 'node:timers/promises'
import type { CreatedEmbedder } from './create-embedder.ts'
import type { Embedder } from './embedder.ts'

/**
 * The embedding model at this moment; undefined while there is none. Work that depends on its key asks once, and goes on with that: it
 * may be another one the next time.
 */
export type EmbedderInUse = () => Embedder | undefined

/** A service that does not answer at the start is asked again after this time, each time after twice as long, up to the most. */
const FIRST_PAUSE_MS = 5_000
const MOST_PAUSE_MS = 60_000

export interface EmbedderInUseDeps {
  open(): Promise<CreatedEmbedder>
  /** Whether one that does not work may work later: a service elsewhere, not a file. */
  mayRecover: boolean
  /** Called when it works, after it did not at the start. */
  onRecovered(embedder: Embedder): void
}

/** Opens the embedding model. One that does not work is tried again in the background, until it works or all is closed. */
export async function openEmbedderInUse({ open, mayRecover, onRecovered }: EmbedderInUseDeps) {
  let used = await open()
  const closing = new AbortController()

  async function recover(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MOST_PAUSE_MS)) {
      await wait(pause, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      if (closing.signal.aborted) return
      // It throws while the storage does not answer.
      const opened = await open().catch(() => used)
      if (opened.reason === undefined) {
        used = opened
        if (!closing.signal.aborted) onRecovered(opened.embedder)
        return
      }
      used = { embedder: used.embedder, reason: opened.reason }
    }
  }
  const recovering = used.reason === undefined || !mayRecover ? undefined : recover()

  return {
    current: (): Embedder | undefined => used.embedder,
    /** Why it does not work; undefined where it does. */
    fault: (): string | undefined => used.reason,
    close: async () => {
      closing.abort()
      await recovering
      await used.embedder?.close()
    },
  }
}
