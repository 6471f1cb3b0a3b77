import { EXPECTED, type TicketKind } from './ticket-cases.ts'

/** What became of a ticket. */
export interface Outcome {
  ticket: string
  kind: TicketKind
  /** Answers that its customer got. */
  answers: number
  events: readonly string[]
  /** As it is stored; undefined if it is not. */
  status: string | undefined
}

/** What differs from what had to be, and the figures for each kind of ticket. */
export function compareCases(outcomes: readonly Outcome[]) {
  const faults: string[] = []
  const table: Record<string, { tickets: number; answers: number; deflected: number; escalated: number }> = {}
  for (const { ticket, kind, answers, events, status } of outcomes) {
    const expected = EXPECTED[kind]
    const row = (table[kind] ??= { tickets: 0, answers: 0, deflected: 0, escalated: 0 })
    row.tickets += 1
    row.answers += answers
    row.deflected += events.filter((event) => event === 'ticket.deflected').length
    row.escalated += events.filter((event) => event.startsWith('ticket.escalated')).length
    const isAsExpected =
      answers === expected.answers &&
      JSON.stringify(events) === JSON.stringify(expected.events) &&
      (expected.status === undefined || status === expected.status)
    if (!isAsExpected)
      faults.push(
        `${ticket} (${kind}): ${JSON.stringify({ answers, events, status })}, not ${JSON.stringify(expected)}`,
      )
  }
  return { faults, table }
}
