import { randomFillSync } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'

/** Bytes that are kept on the disk for the moment in which it is full. */
export interface DiskReserve {
  /** Takes the space, where it is not taken yet. Nothing is left of a try that fails. */
  take(): Promise<void>
  /** Gives the space back. False where there was none. */
  release(): Promise<boolean>
}

const PART = 1_048_576

export function createDiskReserve(file: string, bytes: number): DiskReserve {
  const sizeOf = async () => (await stat(file).catch(() => undefined))?.size

  return {
    take: async () => {
      if ((await sizeOf()) === bytes) return
      const unfinished = `${file}.new`
      // Random, since a file system that packs its files would keep nothing free for zeros.
      const part = randomFillSync(Buffer.allocUnsafe(PART))
      try {
        const handle = await open(unfinished, 'w', 0o600)
        try {
          for (let written = 0; written < bytes; written += part.byteLength)
            await handle.writeFile(part.subarray(0, Math.min(PART, bytes - written)))
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(unfinished, file)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    release: async () => {
      await rm(`${file}.new`, { force: true })
      if ((await sizeOf()) === undefined) return false
      await rm(file, { force: true })
      return true
    },
  }
}
