import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MB = 1_048_576

/** PostgreSQL's own default: it is also what searching 100,000 passages is measured with. */
const MOST = 128

/** Enough for a new database and its first thousand pages; reading more comes from the system's file cache. */
const LEAST = 32

/** Bytes of the files below a folder; 0 if there is none. */
function bytesBelow(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce(
        (sum, file) =>
          sum + (statSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      )
  } catch {
    return 0
  }
}

/** Megabytes of PostgreSQL's shared buffers for the data in this folder: all of it if that fits, since pages in the buffers are read fastest. */
export function bufferMegabytes(directory: string | undefined): number {
  const data = directory === undefined ? 0 : bytesBelow(join(directory, 'base')) / MB
  return Math.round(Math.min(MOST, Math.max(LEAST, data)))
}
