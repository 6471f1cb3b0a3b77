import { readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { createDiskReserve } from './disk-reserve.ts'

export interface DiskKeeper {
  /** Before the engine is opened again: its recovery may need a segment of its log, 16 MB. */
  makeRoom(): Promise<void>
  /** Whether the engine has to be read-only, by the disk as it is now. */
  mustOnlyRead(): Promise<boolean>
  isReadOnly(): boolean
  /** Told of an engine that was just opened, and whether it was made read-only. */
  opened(isReadOnly: boolean): void
  stop(): void
}

export interface DiskKeeperDeps {
  directory: string
  /** Both run when it is the keeper's turn at the session. */
  setReadOnly: (isReadOnly: boolean) => Promise<void>
  checkpoint: () => Promise<void>
  report: (fault: unknown, what: string) => void
}

const MB = 1_048_576

/** Below this the engine only reads: a write that needs a new segment of the log (16 MB) would end it. */
const READ_ONLY_BELOW = 24 * MB

/** From here on it writes again. */
const WRITES_FROM = 32 * MB

/** Of each of the two reserves: one lets small changes and deletions go on, the other the engine be opened again. */
const RESERVE = 24 * MB

/** With so much left beside them the reserves are taken (again). */
const RESERVES_FROM = 3 * RESERVE

/** A checkpoint that cannot write its small files ends the engine. */
const CHECKPOINT_FROM = 4 * MB

const LOOK_EVERY_MS = 1_000

/**
 * Segments of the log, of 16 MB. The embedded engine has no process that makes checkpoints, so that its log would only grow, and
 * an opening after a crash would read all of it. A checkpoint takes 20 to 70 ms.
 */
const MOST_LOG_SEGMENTS = 6

/** Looks after the disk of the embedded engine: its log, its reserves, and that it stops writing in time. */
export function tendDisk({ directory, setReadOnly, checkpoint, report }: DiskKeeperDeps): DiskKeeper {
  const forChanges = createDiskReserve(`${directory}-reserve-1`, RESERVE)
  const forOpening = createDiskReserve(`${directory}-reserve-2`, RESERVE)
  let isOpen = false
  let isReadOnly = false
  let isLooking = false

  const freeBytes = async () => {
    const disk = await statfs(directory).catch(() => undefined)
    // Not there yet, or not to be asked: that is not full.
    return disk === undefined ? Infinity : disk.bavail * disk.bsize
  }

  async function look(): Promise<void> {
    const free = await freeBytes()
    if (free < READ_ONLY_BELOW && !isReadOnly) {
      if (await forChanges.release()) {
        report(undefined, 'the disk is nearly full: what was kept free for changes and deletions is used now')
      } else {
        await setReadOnly(true)
        isReadOnly = true
        report(undefined, 'the disk is full: the embedded storage only reads until there is room')
      }
    } else if (free >= WRITES_FROM && isReadOnly) {
      await setReadOnly(false)
      isReadOnly = false
      report(undefined, 'there is room on the disk again: the embedded storage writes')
    } else if (free >= RESERVES_FROM + RESERVE) {
      await forOpening.take()
      if ((await freeBytes()) >= RESERVES_FROM) await forChanges.take()
    }
    if (free >= CHECKPOINT_FROM && (await countSegments(directory)) >= MOST_LOG_SEGMENTS) await checkpoint()
  }

  const timer = setInterval(() => {
    if (isLooking || !isOpen) return
    isLooking = true
    look()
      .catch((error: unknown) => report(error, 'looking after the disk failed'))
      .finally(() => {
        isLooking = false
      })
  }, LOOK_EVERY_MS)
  timer.unref()

  return {
    makeRoom: async () => {
      if ((await freeBytes()) < READ_ONLY_BELOW) await forOpening.release()
    },
    mustOnlyRead: async () => {
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
