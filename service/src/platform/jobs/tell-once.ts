import { StorageUnavailable } from '../storage/storage-unavailable.ts'

/** A storage that is down is told of so often: the queue asks it several times a second. */
const TELL_EVERY_MS = 60_000

/** Tells of every fault, but of a storage that is down once a minute. */
export function tellOnce(tell: (error: unknown) => void, now: () => number): (error: unknown) => void {
  let toldAt: number | undefined
  return (error) => {
    if (error instanceof StorageUnavailable) {
      if (toldAt !== undefined && now() - toldAt < TELL_EVERY_MS) return
      toldAt = now()
    }
    tell(error)
  }
}
