/** Unavailable storage fails every operation, several times a second: each log message about it is written this often. */
const LOG_INTERVAL_MS = 60_000

const isStorageError = (fault: unknown) =>
  // By its name: libraries pass it on as their own object.
  typeof fault === 'object' && fault !== null && 'name' in fault && fault.name === 'StorageUnavailable'

/** Whether a line should be skipped as a repetition. */
export function createRepeatedFaults(now: () => number): (fault: unknown, sentence: string) => boolean {
  const loggedAt = new Map<string, number>()
  return (fault, sentence) => {
    if (!isStorageError(fault)) return false
    const last = loggedAt.get(sentence)
    if (last !== undefined && now() - last < LOG_INTERVAL_MS) return true
    loggedAt.set(sentence, now())
    return false
  }
}
