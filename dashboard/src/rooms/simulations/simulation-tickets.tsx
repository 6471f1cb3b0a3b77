import type { SimulatedTicket } from '@citewell/sdk/management'
import { useState } from 'react'
import { AnswerText } from '../../ui/answer-text.tsx'
import { CitationView } from '../../ui/citation-view.tsx'
import { Select, Switch } from '../../ui/field.tsx'
import { Filters } from '../../ui/filters.tsx'
import { Status } from '../../ui/status.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import type { ComparedTicket } from './compare-runs.ts'
import { TicketStatus } from './simulation-status.tsx'
import classes from './simulations.module.css'

const CHANGES = {
  gained: <Status tone="ok">Answered now</Status>,
  lost: <Status tone="danger">No longer answered</Status>,
  same: <Status tone="quiet">As before</Status>,
  new: <Status tone="quiet">Not in the other run</Status>,
} as const

const FILTERS = [
  ['', 'All tickets'],
  ['deflected', 'Would be answered'],
  ['low_confidence', 'Would go to a person'],
  ['answer_failed', 'No answer could be written'],
] as const

function TicketView({ ticket }: { ticket: SimulatedTicket }) {
  const [isOpen, setOpen] = useState(false)
  const { subject, body, answer, citations } = ticket
  return (
    <details className={classes['ticket']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary dir="auto">{(subject === null ? body : `${subject}: ${body}`).slice(0, 120)}</summary>
      {isOpen && (
        <>
          <p dir="auto">{body}</p>
          {answer !== null && <AnswerText text={answer} citations={citations} />}
          {citations.map((citation) => (
            <CitationView key={citation.index} citation={citation} />
          ))}
        </>
      )}
    </details>
  )
}

/** The tickets of a run, with what became of each, and what was different in another run. */
export function SimulationTickets({
  tickets,
  isCompared,
}: {
  tickets: readonly ComparedTicket[]
  isCompared: boolean
}) {
  const [outcome, setOutcome] = useState('')
  const [isChanged, setChanged] = useState(false)
  const rows = tickets
    .map((one, at) => ({ ...one, at }))
    .filter(({ ticket }) => outcome === '' || ticket.outcome === outcome)
    .filter(({ change }) => !isChanged || change === 'gained' || change === 'lost')
  const columns: Column<(typeof rows)[number]>[] = [
    { name: 'Ticket', of: ({ ticket }) => <TicketView ticket={ticket} /> },
    { name: 'Reference', of: ({ ticket }) => ticket.ref ?? '–' },
    { name: 'Outcome', of: ({ ticket }) => <TicketStatus outcome={ticket.outcome} /> },
    {
      name: 'Confidence',
      isNumber: true,
      of: ({ ticket }) => (ticket.confidence === null ? '–' : ticket.confidence.toFixed(2)),
    },
    ...(isCompared
      ? [{ name: 'Against the other run', of: (row: ComparedTicket) => CHANGES[row.change] }]
      : []),
  ]
  return (
    <>
      <Filters>
        <Select
          label="Show"
          options={FILTERS}
          value={outcome}
          onChange={(event) => setOutcome(event.target.value)}
        />
      </Filters>
      {isCompared && (
        <Switch
          label="Only what changed"
          checked={isChanged}
          onChange={(event) => setChanged(event.target.checked)}
        />
      )}
      {rows.length === 0 ? (
        <p>There is no such ticket in this run.</p>
      ) : (
        <Table label="Tickets" rows={rows} keyOf={({ at }) => String(at)} columns={columns} />
      )}
    </>
  )
}
