import type { OutboundFailure } from './outbound-failure.ts'

const FORGOTTEN_AFTER_MS = 60_000
const MOST_REMEMBERED = 1_000

/** Reports each host and reason once a minute: a site that is down fails thousands of times. */
export function createReportOnce(
  tell: (failure: OutboundFailure) => void,
): (failure: OutboundFailure) => void {
  const told = new Map<string, number>()
  return (failure) => {
    const key = `${failure.reason} ${failure.chosenBy} ${failure.host}`
    const now = performance.now()
    const before = told.get(key)
    if (before !== undefined && now - before < FORGOTTEN_AFTER_MS) return
    if (told.size >= MOST_REMEMBERED) told.clear()
    told.set(key, now)
    tell(failure)
  }
}
