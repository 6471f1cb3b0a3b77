import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { SourceFailure } from '../connector.ts'

const SLICE_BYTES = 1_048_576

/** Reads all bytes of an open file in slices, and closes it. Throws if there are more than `mostBytes`: a file may grow meanwhile. */
export async function readHandle(
  { handle, stats }: { handle: FileHandle; stats: Stats },
  given: { mostBytes: number; signal: AbortSignal },
): Promise<Uint8Array> {
  try {
    const slices: Buffer[] = []
    const slice = Math.min(stats.size + 1, SLICE_BYTES)
    let total = 0
    for (;;) {
      given.signal.throwIfAborted()
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(slice), 0, slice)
      if (bytesRead === 0) return Buffer.concat(slices, total)
      total += bytesRead
      if (total > given.mostBytes)
        throw new SourceFailure(`a file is larger than the limit of ${given.mostBytes} bytes`)
      slices.push(buffer.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}
