import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate disk, small enough to be filled. */
export interface SmallDisk extends Disposable {
  directory: string
  freeBytes(): number
  /** A file of another program that takes everything except `leftBytes`, immediately. */
  fill(leftBytes?: number): void
  /** Removes that file. */
  free(): void
}

const MB = 1_048_576

/** Undefined if this user may not mount one: then skip the test, with the reason. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'citewell-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], {
      stdio: 'ignore',
    })
  } catch {
    rmdirSync(directory)
    return undefined
  }
  const filler = join(directory, 'filler')
  const freeBytes = () => {
    const disk = statfsSync(directory)
    return disk.bavail * disk.bsize
  }
  return {
    directory,
    freeBytes,
    fill: (leftBytes = 0) => {
      const file = openSync(filler, 'a')
      const part = Buffer.alloc(MB, 1)
      try {
        for (let most = freeBytes() - leftBytes; most > 0; most = freeBytes() - leftBytes)
          writeSync(file, part, 0, Math.min(MB, most))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => {
      // Lazily: a killed program may still hold a file for a moment.
      execFileSync('umount', ['-l', directory])
      rmdirSync(directory)
    },
  }
}

export const NO_SMALL_DISK = 'This user may not mount a small disk.'
