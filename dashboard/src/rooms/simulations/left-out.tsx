import type { LeftOutTickets } from '@citewell/sdk/management'
import { count } from '../../ui/time.tsx'

const REASONS: Record<LeftOutTickets['reason'], string> = {
  automatic: 'written by a program',
  spam: 'spam, or deleted',
  empty: 'without words from the customer',
  attachment_only: 'nothing but an attachment',
  merged: 'merged into another ticket',
  agent_made: 'made by an agent',
  too_long: 'longer than 20,000 characters',
}

/** What was left out, and why. */
export function LeftOut({ tickets }: { tickets: readonly LeftOutTickets[] }) {
  if (tickets.length === 0) return null
  return (
    <>
      <p>Left out; they still count among all tickets, as not answered:</p>
      <ul>
        {tickets.map(({ reason, count: number, refs }) => (
          <li key={reason}>
            {count(number)} {REASONS[reason]}
            {refs.length > 0 && ` (${refs.join(', ')}${number > refs.length ? ', …' : ''})`}
          </li>
        ))}
      </ul>
    </>
  )
}
