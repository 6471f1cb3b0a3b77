import type { OutboundFailure } from './outbound-failure.ts'

const REPORT_INTERVAL_MS = 60_000
const MAX_REMEMBERED = 1_000

/** Reports each host and reason once a minute: a site that is down fails thousands of times. */
export function createReportOnce(
  report: (failure: OutboundFailure) => void,
): (failure: OutboundFailure) => void {
  const reportedAt = new Map<string, number>()
  return (failure) => {
    const key = `${failure.reason} ${failure.chosenBy} ${failure.host}`
    const now = performance.now()
    const before = reportedAt.get(key)
    if (before !== undefined && now - before < REPORT_INTERVAL_MS) return
    if (reportedAt.size >= MAX_REMEMBERED) reportedAt.clear()
    reportedAt.set(key, now)
    report(failure)
  }
}
