import { randomFillSync } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'

/** Bytes reserved on the disk for the moment when it is full. */
export interface DiskReserve {
  /** Allocates the reserve unless it exists. A failed attempt leaves nothing behind. */
  take(): Promise<void>
  /** Frees the reserve. False if there was none. */
  release(): Promise<boolean>
}

const PART = 1_048_576

export function createDiskReserve(file: string, bytes: number): DiskReserve {
  const sizeOf = async () => (await stat(file).catch(() => undefined))?.size

  return {
    take: async () => {
      if ((await sizeOf()) === bytes) return
      const unfinished = `${file}.new`
      // Random data, since a file system with compression would reserve nothing for zeros.
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
