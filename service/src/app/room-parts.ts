import type { Storage } from '../platform/storage/storage.ts'
import type { ComposeInput, Platform } from './compose-platform.ts'

/** What rooms of every floor are made of. */
export interface RoomParts extends Pick<ComposeInput, 'settings' | 'storage' | 'log'> {
  db: Storage['db']
  now: () => Date
  newId: () => string
  platform: Platform
  /** Aborted when the service shuts down. */
  stopping: AbortSignal
  /** Where the service is reached, without a slash at its end; known once it listens. */
  publicUrl: () => string
  /** Logs an error of background work, which nobody waits for. */
  report: (error: unknown, activity: string) => void
}

export function createRoomParts(
  input: ComposeInput,
  platform: Platform,
  given: Pick<RoomParts, 'stopping' | 'publicUrl'>,
): RoomParts {
  const { settings, storage, log, surroundings } = input
  return {
    settings,
    storage,
    log,
    db: storage.db,
    now: surroundings.now,
    newId: surroundings.newId,
    platform,
    report: (error, activity) => log.error({ err: error }, `${activity} failed`),
    ...given,
  }
}
