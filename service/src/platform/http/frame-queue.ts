/** Maximum bytes per write: small frames that wait together are sent in one write. */
const MAX_WRITE_BYTES = 65_536

/** A queue of bytes for one reader, with the idle time of both sides. Times are on the monotonic clock. */
export function createFrameQueue() {
  const waiting: Uint8Array[] = []
  let waitingBytes = 0
  let isClosed = false
  let lastPut = performance.now()
  /** When bytes were last taken, or when the queue last stopped being empty. */
  let lastTaken = performance.now()
  let wakeTaker: (() => void) | undefined
  let wakeDrained: (() => void) | undefined

  function put(bytes: Uint8Array): void {
    if (isClosed) return
    lastPut = performance.now()
    if (waitingBytes === 0) lastTaken = lastPut
    waiting.push(bytes)
    waitingBytes += bytes.byteLength
    wakeTaker?.()
  }

  /** What waits, as one write; undefined when the queue is closed and empty. */
  function takeWaiting(): Uint8Array | undefined {
    const taken: Uint8Array[] = []
    let takenBytes = 0
    while (takenBytes < MAX_WRITE_BYTES) {
      const next = waiting.shift()
      if (next === undefined) break
      taken.push(next)
      takenBytes += next.byteLength
    }
    waitingBytes -= takenBytes
    lastTaken = performance.now()
    if (waiting.length === 0) wakeDrained?.()
    if (taken.length === 0) return undefined
    return taken.length === 1 ? taken[0] : Buffer.concat(taken)
  }

  /** The next bytes, once there are any; undefined when the queue is closed and empty. */
  function take(): Promise<Uint8Array | undefined> {
    if (waiting.length > 0 || isClosed) return Promise.resolve(takeWaiting())
    // Not `async`: it is called for each piece of each answer.
    return new Promise<void>((resolve) => {
      wakeTaker = resolve
    }).then(takeWaiting)
  }

  function close(): void {
    isClosed = true
    wakeTaker?.()
    wakeDrained?.()
  }

  return {
    put,
    take,
    close,
    /** Closes the queue and drops its contents. */
    clear: () => {
      waiting.length = 0
      waitingBytes = 0
      close()
    },
    /** Resolves when everything has been taken, or the queue is closed. */
    drained: async () => {
      if (waiting.length === 0 || isClosed) return
      await new Promise<void>((resolve) => {
        wakeDrained = resolve
      })
    },
    byteLength: () => waitingBytes,
    /** Time since the last put. */
    silentMs: () => performance.now() - lastPut,
    /** Time since the last take. */
    untakenMs: () => performance.now() - lastTaken,
  }
}
