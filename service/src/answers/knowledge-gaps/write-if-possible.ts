import { StorageUnavailable } from '../../platform/storage/storage-unavailable.ts'

/**
 * Writes what a later read writes again: where the storage takes no writes, as on a full disk, the read goes on without it.
 *
 * @returns whether it was written
 */
export async function writeIfPossible(write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    return false
  }
}
