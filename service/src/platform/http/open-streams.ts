/** The streams being written, so that a stopping service can end them cleanly. */
export interface OpenStreams {
  /** Registers a stream; `end` writes its last frame and closes it. Returns the function to call when the stream ends normally. */
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
