/** A storage that is down fails whatever asks it, several times a second: so often it is told, by each sentence of the log. */
const TELL_EVERY_MS = 60_000

const isOfStorage = (fault: unknown) =>
  // By its name: libraries hand it on as an object of their own.
  typeof fault === 'object' && fault !== null && 'name' in fault && fault.name === 'StorageUnavailable'

/** Says whether a line would only fill a disk that is full. */
export function createRepeatedFaults(now: () => number): (fault: unknown, sentence: string) => boolean {
  const toldAt = new Map<string, number>()
  return (fault, sentence) => {
    if (!isOfStorage(fault)) return false
    const last = toldAt.get(sentence)
    if (last !== undefined && now() - last < TELL_EVERY_MS) return true
    toldAt.set(sentence, now())
    return false
  }
}
