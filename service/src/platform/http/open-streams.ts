/** The streams that are being written, so that a service that stops can end them well. */
export interface OpenStreams {
  /** Takes up a stream; `end` writes its last frame and closes it. Returns what to call when it has ended by itself. */
  add(end: (reason: unknown) => void): () => void
  count(): number
  endAll(reason: unknown): void
}

export function createOpenStreams(): OpenStreams {
  const ends = new Set<(reason: unknown) => void>()
  return {
    add: (end) => {
      ends.add(end)
      return () => ends.delete(end)
    },
    count: () => ends.size,
    endAll: (reason) => {
      for (const end of ends) end(reason)
    },
  }
}
