import { StorageUnavailable } from '../../platform/storage/storage-unavailable.ts'

/** Writes what a later read writes again: where the storage takes no writes, as on a full disk, the read goes on without it. */
export async function writeIfPossible(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
  }
}
