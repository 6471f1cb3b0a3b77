import type { SimulatedTicket } from '@citewell/sdk/management'

/** A ticket of a run, and what became of it in an earlier one. */
export interface ComparedTicket {
  ticket: SimulatedTicket
  /** Undefined: the earlier run does not have it. */
  before: SimulatedTicket | undefined
  change: 'gained' | 'lost' | 'same' | 'new'
}

const keyOf = ({ ref, subject, body }: SimulatedTicket): string =>
  JSON.stringify([ref ?? '', subject ?? '', body])

function changeOf(now: SimulatedTicket, before: SimulatedTicket | undefined): ComparedTicket['change'] {
  if (before === undefined) return 'new'
  const [is, was] = [now.outcome === 'deflected', before.outcome === 'deflected']
  if (is === was) return 'same'
  return is ? 'gained' : 'lost'
}

/** What became of each ticket of a run, against an earlier run. A ticket is the same if its reference, subject and text are. */
export function compareRuns(
  now: readonly SimulatedTicket[],
  before: readonly SimulatedTicket[],
): ComparedTicket[] {
  const known = new Map(before.map((ticket) => [keyOf(ticket), ticket]))
  return now.map((ticket) => {
    const earlier = known.get(keyOf(ticket))
    return { ticket, before: earlier, change: changeOf(ticket, earlier) }
  })
}
