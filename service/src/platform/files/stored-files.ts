import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

interface StoredFile {
  /** In hex: the name under which the bytes are stored. */
  sha256: string
  byteLength: number
}

export interface StoredFiles {
  /**
   * Streams bytes to the disk and returns once they would survive a power failure. Identical bytes are stored once. A partial file is
   * removed when the source of the bytes fails.
   */
  store(bytes: AsyncIterable<Uint8Array>): Promise<StoredFile>
  read(sha256: string): Promise<Uint8Array>
  /** The bytes as a stream from the disk, with backpressure. */
  stream(sha256: string): Promise<ReadableStream<Uint8Array>>
  /** Removes files stored before `before` that `isKept` does not return. Returns how many. */
  sweep(before: Date, isKept: (sha256: string[]) => Promise<Set<string>>): Promise<number>
}

const SHA256 = /^[0-9a-f]{64}$/

/** Uploaded bytes in a folder, named by their hash: a name sent by a client is never used as a path. */
export function createStoredFiles({ directory }: { directory: string }): StoredFiles {
  const incoming = join(directory, 'incoming')

  /** `ab/abcd…`: keeps the number of files per folder small enough for any file system. */
  function pathOf(sha256: string): string {
    if (!SHA256.test(sha256)) throw new Error('This is not the hash of a stored file.')
    return join(directory, sha256.slice(0, 2), sha256)
  }

  async function store(bytes: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    await mkdir(incoming, { recursive: true })
    const arriving = join(incoming, randomUUID())
    const hash = createHash('sha256')
    let byteLength = 0
    try {
      const file = await open(arriving, 'wx')
      try {
        for await (const chunk of bytes) {
          hash.update(chunk)
          byteLength += chunk.byteLength
          await file.writeFile(chunk)
        }
        await file.sync()
      } finally {
        await file.close()
      }
      const sha256 = hash.digest('hex')
      await mkdir(join(directory, sha256.slice(0, 2)), { recursive: true })
      await rename(arriving, pathOf(sha256))
      await syncFolder(join(directory, sha256.slice(0, 2)))
      return { sha256, byteLength }
    } catch (error) {
      await rm(arriving, { force: true })
      throw error
    }
  }

  async function sweep(before: Date, isKept: (sha256: string[]) => Promise<Set<string>>): Promise<number> {
    let removed = 0
    for (const folder of await foldersOf(directory)) {
      const old = await oldFilesOf(join(directory, folder), before)
      const hashes = old.filter((name) => SHA256.test(name))
      const kept = hashes.length === 0 ? new Set<string>() : await isKept(hashes)
      for (const name of old.filter((name) => !kept.has(name))) {
        const path = join(directory, folder, name)
        // The same bytes may have been stored again since: then a newer file has the same name.
        if (!(await isOlder(path, before))) continue
        await rm(path, { force: true })
        removed += 1
      }
    }
    return removed
  }

  async function stream(sha256: string): Promise<ReadableStream<Uint8Array>> {
    const file = await open(pathOf(sha256))
    return Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>
  }

  return { store, read: (sha256) => readFile(pathOf(sha256)), stream, sweep }
}

/** The folders of stored files, and the folder of files still being received or left by a crash. */
async function foldersOf(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.filter((name) => name === 'incoming' || /^[0-9a-f]{2}$/.test(name))
}

async function oldFilesOf(folder: string, before: Date): Promise<string[]> {
  const names = await readdir(folder)
  const old = await Promise.all(names.map((name) => isOlder(join(folder, name), before)))
  return names.filter((_, index) => old[index])
}

async function isOlder(path: string, before: Date): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.mtime < before
}

/** Makes a new name in a folder survive a power failure, if the system supports it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
