import { statfs } from 'node:fs/promises'
import { Refusal } from '../../kernel/refusal.ts'

/** `data`: persistent files. `temporary`: clones, while they are read. */
export type Place = 'data' | 'temporary'

export interface FreeSpaceReading {
  freeBytes: number
  /** Additions are refused when less than this would be free. */
  keptBytes: number
}

/** A reservation for bytes about to be written; other callers cannot use that space until it is released. */
export interface SpaceReservation {
  release(): void
}

export interface FreeSpace {
  /** At most one second old. */
  read(place: Place): Promise<FreeSpaceReading>
  /**
   * Call it before anything is added: content, uploads, clones. Not before a deletion.
   *
   * @throws Refusal UNAVAILABLE if that many bytes would leave less than the reserve
   */
  reserve(place: Place, bytes: number): Promise<SpaceReservation>
}

export interface FreeSpaceDeps {
  directories: Readonly<Record<Place, string>>
  /** Reserve in bytes; undefined: see `defaultKeptBytes`. */
  keptBytes: number | undefined
  /** Monotonic milliseconds. */
  now: () => number
}

const MB = 1_048_576

const CACHE_MS = 1_000

/** 200 MB; on a disk of less than 2 GB a tenth of it, but never less than the embedded storage needs to keep working. */
const defaultKeptBytes = (diskBytes: number) =>
  Math.max(48 * MB, Math.min(200 * MB, Math.floor(diskBytes / 10)))

const refusal = (bytes: number, { freeBytes, keptBytes }: FreeSpaceReading) =>
  new Refusal('UNAVAILABLE', {
    because:
      freeBytes < keptBytes
        ? 'The disk of the service is nearly full: nothing can be added until space is freed. Reading, asking and deleting still work.'
        : `The disk of the service has no room for this (about ${Math.ceil(bytes / MB)} MB). Reading, asking and deleting still work.`,
    retryAfterSeconds: 60,
  })

/** Refuses writes that would fill the disk. */
export function createFreeSpace({ directories, keptBytes, now }: FreeSpaceDeps): FreeSpace {
  const looked = new Map<Place, { at: number; reading: Promise<FreeSpaceReading> }>()
  const held: Record<Place, number> = { data: 0, temporary: 0 }

  async function look(place: Place): Promise<FreeSpaceReading> {
    const disk = await statfs(directories[place])
    return {
      freeBytes: disk.bavail * disk.bsize,
      keptBytes: keptBytes ?? defaultKeptBytes(disk.blocks * disk.bsize),
    }
  }

  function read(place: Place): Promise<FreeSpaceReading> {
    const known = looked.get(place)
    if (known !== undefined && now() - known.at < CACHE_MS) return known.reading
    const reading = look(place)
    looked.set(place, { at: now(), reading })
    return reading
  }

  return {
    read,
    reserve: async (place, bytes) => {
      const reading = await read(place)
      if (reading.freeBytes - held[place] - bytes < reading.keptBytes) throw refusal(bytes, reading)
      held[place] += bytes
      let isHeld = true
      return {
        release: () => {
          if (isHeld) held[place] -= bytes
          isHeld = false
        },
      }
    },
  }
}
