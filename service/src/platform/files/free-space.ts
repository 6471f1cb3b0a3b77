import { statfs } from 'node:fs/promises'
import { Refusal } from '../../kernel/refusal.ts'

/** `data`: what is kept. `temporary`: clones, while they are read. */
export type Place = 'data' | 'temporary'

export interface FreeSpaceReading {
  freeBytes: number
  /** Nothing is added once there is less than this. */
  keptBytes: number
}

/** What is about to be written; its space is not given to anybody else meanwhile. */
export interface SpaceHold {
  release(): void
}

export interface FreeSpace {
  /** At most a second old. */
  read(place: Place): Promise<FreeSpaceReading>
  /**
   * Asked before anything is added: content, uploads, clones. Not before what deletes.
   *
   * @throws Refusal UNAVAILABLE where so many bytes would leave less than is kept free
   */
  hold(place: Place, bytes: number): Promise<SpaceHold>
}

export interface FreeSpaceDeps {
  directories: Readonly<Record<Place, string>>
  /** Bytes that are kept free; undefined: see `defaultKeptBytes`. */
  keptBytes: number | undefined
  /** Milliseconds that only grow. */
  now: () => number
}

const MB = 1_048_576

const LOOK_EVERY_MS = 1_000

/** 200 MB; on a disk of less than 2 GB a tenth of it, and never less than the embedded storage needs to go on. */
const defaultKeptBytes = (diskBytes: number) =>
  Math.max(48 * MB, Math.min(200 * MB, Math.floor(diskBytes / 10)))

const refusal = (bytes: number, { freeBytes, keptBytes }: FreeSpaceReading) =>
  new Refusal('UNAVAILABLE', {
    because:
      freeBytes < keptBytes
        ? 'The disk of the service is nearly full: nothing can be added until there is room again. Reading, asking and deleting go on.'
        : `The disk of the service has no room for this (about ${Math.ceil(bytes / MB)} MB). Reading, asking and deleting go on.`,
    retryAfterSeconds: 60,
  })

/** Refuses what would fill the disk before it does. */
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
    if (known !== undefined && now() - known.at < LOOK_EVERY_MS) return known.reading
    const reading = look(place)
    looked.set(place, { at: now(), reading })
    return reading
  }

  return {
    read,
    hold: async (place, bytes) => {
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
