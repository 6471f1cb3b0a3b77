/** Unavailable storage fails every operation, several times a second: each log message about it is written this often. */
const TELL_EVERY_MS = 60_000

const isStorageError = (fault: unknown) =>
  // By its name: libraries pass it on as their own object.
  typeof fault === 'object' && fault !== null && 'name' in fault && fault.name === 'StorageUnavailable'

/** Whether a line should be skipped as a repetition. */
export function createRepeatedFaults(now: () => number): (fault: unknown, sentence: string) => boolean {
  const toldAt = new Map<string, number>()
  return (fault, sentence) => {
    if (!isStorageError(fault)) return false
    const last = toldAt.get(sentence)
    if (last !== undefined && now() - last < TELL_EVERY_MS) return true
    toldAt.set(sentence, now())
    return false
  }
}
