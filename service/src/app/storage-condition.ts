import type { FreeSpace } from '../platform/files/free-space.ts'
import type { Condition } from '../platform/health/readiness.ts'
import type { Storage } from '../platform/storage/storage.ts'

export interface StorageConditionDeps {
  storage: Storage
  freeSpace: Pick<FreeSpace, 'read'>
  now: () => Date
}

/** After so long with room on the disk, an engine that does not open will not: a new process is the next thing to try. */
const GIVEN_UP_AFTER_MS = 120_000

/** What `/readyz` and `/healthz` tell of the storage and its disk: to everyone, so no name of a folder or a host. */
export function createStorageCondition({ storage, freeSpace, now }: StorageConditionDeps) {
  async function isLow(): Promise<boolean> {
    const { freeBytes, keptBytes } = await freeSpace.read('data')
    return freeBytes < keptBytes
  }

  return {
    storage: async (): Promise<Condition> => {
      const { is } = storage.state()
      if (is === 'opening' || is === 'down') return { is: 'down', because: 'is being opened again' }
      await storage.execute('select 1')
      return { is: 'up' }
    },

    disk: async (): Promise<Condition> => {
      if (storage.state().is === 'read-only')
        return { is: 'degraded', because: 'it is full: nothing is written until there is room' }
      return (await isLow())
        ? { is: 'degraded', because: 'it is nearly full: nothing is added until there is room' }
        : { is: 'up' }
    },

    /** Undefined while it may come back by itself: a full disk is as full after a restart. */
    restartReason: async (): Promise<string | undefined> => {
      const state = storage.state()
      if (state.is !== 'opening' && state.is !== 'down') return undefined
      if (now().getTime() - state.since.getTime() < GIVEN_UP_AFTER_MS) return undefined
      return (await isLow()) ? undefined : 'The storage could not be opened again.'
    },
  }
}
