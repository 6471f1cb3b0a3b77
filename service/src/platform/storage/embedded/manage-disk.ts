import { readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { createDiskReserve } from './disk-reserve.ts'

export interface DiskManager {
  /** Called before the engine is reopened: its recovery may need a segment of its log, 16 MB. */
  makeRoom(): Promise<void>
  /** Whether the engine must be read-only, given the current free space. */
  mustBeReadOnly(): Promise<boolean>
  isReadOnly(): boolean
  /** Called after the engine was opened, with whether it was made read-only. */
  opened(isReadOnly: boolean): void
  stop(): void
}

export interface DiskManagerDeps {
  directory: string
  /** Both run while the manager holds the session. */
  setReadOnly: (isReadOnly: boolean) => Promise<void>
  checkpoint: () => Promise<void>
  report: (fault: unknown, what: string) => void
}

const MB = 1_048_576

/** Below this the engine is read-only: a write that needs a new segment of the log (16 MB) would end it. */
const READ_ONLY_BELOW = 24 * MB

/** Above this it is writable again. */
const WRITES_FROM = 32 * MB

/** Size of each of the two reserves: one keeps small changes and deletions possible, the other the reopening of the engine. */
const RESERVE = 24 * MB

/** The reserves are allocated (again) when this much is free. */
const RESERVES_FROM = 3 * RESERVE

/** Minimum free space for a checkpoint: one that cannot write its small files ends the engine. */
const CHECKPOINT_FROM = 4 * MB

const CHECK_INTERVAL_MS = 1_000

/**
 * Maximum number of log segments, of 16 MB each. The embedded engine has no process that makes checkpoints, so that its log would only
 * grow, and opening after a crash would read all of it. A checkpoint takes 20 to 70 ms.
 */
const MAX_LOG_SEGMENTS = 6

/** Manages the disk of the embedded engine: its log, its reserves, and read-only mode before the disk is full. */
export function manageDisk({ directory, setReadOnly, checkpoint, report }: DiskManagerDeps): DiskManager {
  const forChanges = createDiskReserve(`${directory}-reserve-1`, RESERVE)
  const forOpening = createDiskReserve(`${directory}-reserve-2`, RESERVE)
  let isOpen = false
  let isReadOnly = false
  let isChecking = false

  const freeBytes = async () => {
    const disk = await statfs(directory).catch(() => undefined)
    // The directory does not exist yet, or its file system gives no figures: that does not count as full.
    return disk === undefined ? Infinity : disk.bavail * disk.bsize
  }

  async function check(): Promise<void> {
    const free = await freeBytes()
    if (free < READ_ONLY_BELOW && !isReadOnly) {
      if (await forChanges.release()) {
        report(
          undefined,
          'the disk is nearly full: the space reserved for changes and deletions is now in use',
        )
      } else {
        await setReadOnly(true)
        isReadOnly = true
        report(undefined, 'the disk is full: the embedded storage is read-only until space is freed')
      }
    } else if (free >= WRITES_FROM && isReadOnly) {
      await setReadOnly(false)
      isReadOnly = false
      report(undefined, 'the disk has room again: the embedded storage is writable')
    } else if (free >= RESERVES_FROM + RESERVE) {
      await forOpening.take()
      if ((await freeBytes()) >= RESERVES_FROM) await forChanges.take()
    }
    if (free >= CHECKPOINT_FROM && (await countSegments(directory)) >= MAX_LOG_SEGMENTS) await checkpoint()
  }

  const timer = setInterval(() => {
    if (isChecking || !isOpen) return
    isChecking = true
    check()
      .catch((error: unknown) => report(error, 'checking the disk of the embedded storage failed'))
      .finally(() => {
        isChecking = false
      })
  }, CHECK_INTERVAL_MS)
  timer.unref()

  return {
    makeRoom: async () => {
      if ((await freeBytes()) < READ_ONLY_BELOW) await forOpening.release()
    },
    mustBeReadOnly: async () => {
      if ((await freeBytes()) >= READ_ONLY_BELOW) return false
      return !(await forChanges.release())
    },
    isReadOnly: () => isReadOnly,
    opened: (readOnly) => {
      isOpen = true
      isReadOnly = readOnly
    },
    stop: () => clearInterval(timer),
  }
}

async function countSegments(directory: string): Promise<number> {
  const names = await readdir(join(directory, 'pg_wal')).catch(() => [])
  return names.filter((name) => /^[0-9A-F]{24}$/.test(name)).length
}
