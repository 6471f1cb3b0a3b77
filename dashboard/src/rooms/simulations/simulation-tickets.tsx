import type { SimulatedTicket } from '@citewell/sdk/management'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { percent } from '../../ui/percent.ts'
import { useApi } from '../../api/session.ts'
import { AnswerText } from '../../ui/answer-text.tsx'
import { Button } from '../../ui/button.tsx'
import { CitationView } from '../../ui/citation-view.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select } from '../../ui/field.tsx'
import { Filters } from '../../ui/filters.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { Table } from '../../ui/table.tsx'
import { TicketStatus } from './simulation-status.tsx'
import classes from './simulations.module.css'
import { beginningOf } from '../../ui/beginning-of.ts'

const FILTERS = [
  ['', 'All tickets'],
  ['deflected', 'Would be answered'],
  ['low_confidence', 'Would go to a person'],
  ['answer_failed', 'No answer could be written'],
] as const

const REVIEWS = { right: 'Right', partly: 'Partly right', wrong: 'Wrong' } as const
const PAGE = 50

/** The beginning of a ticket; many begin with their subject. */
const titleOf = ({ subject, body }: SimulatedTicket): string =>
  beginningOf(subject === null || body.startsWith(subject) ? body : `${subject}: ${body}`, 120)

function TicketView({ ticket }: { ticket: SimulatedTicket }) {
  const [isOpen, setOpen] = useState(false)
  const { body, answer, citations, agent_reply: reply } = ticket
  return (
    <details className={classes['ticket']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary dir="auto">{titleOf(ticket)}</summary>
      {isOpen && (
        <>
          <p dir="auto">{body}</p>
          {answer !== null && <AnswerText text={answer} citations={citations} />}
          {citations.map((citation) => (
            <CitationView key={citation.index} citation={citation} />
          ))}
          {reply !== null && (
            <>
              <h3>What an agent answered</h3>
              <p dir="auto">{reply}</p>
            </>
          )}
        </>
      )}
    </details>
  )
}

/** The tickets of a run, with what became of each. */
export function SimulationTickets({ simulationId, completed }: { simulationId: string; completed: number }) {
  const api = useApi()
  const [outcome, setOutcome] = useState<'' | 'deflected' | 'low_confidence' | 'answer_failed'>('')
  const tickets = useInfiniteQuery({
    // What was tried meanwhile has an outcome.
    queryKey: ['simulation', simulationId, 'tickets', outcome, completed],
    queryFn: async ({ pageParam, signal }) =>
      await api.listSimulatedTickets(
        simulationId,
        {
          limit: PAGE,
          ...(outcome !== '' && { outcome }),
          ...(pageParam !== undefined && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    placeholderData: (before) => before,
  })
  const rows = tickets.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section className={classes['section']}>
      <h2>Tickets</h2>
      <Filters>
        <Select
          label="Show"
          options={FILTERS}
          value={outcome}
          onChange={(event) => setOutcome(FILTERS.find(([value]) => value === event.target.value)?.[0] ?? '')}
        />
      </Filters>
      {tickets.isPending && <Skeleton />}
      {tickets.isError && <Fault error={tickets.error} onRetry={() => void tickets.refetch()} />}
      {tickets.isSuccess && rows.length === 0 && <p>There is no such ticket in this run.</p>}
      {rows.length > 0 && (
        <Table
          label="Tickets"
          rows={rows}
          keyOf={({ number }) => String(number)}
          columns={[
            { name: 'Ticket', of: (ticket) => <TicketView ticket={ticket} /> },
            { name: 'Reference', of: ({ ref }) => ref ?? '–' },
            { name: 'Outcome', of: (ticket) => <TicketStatus outcome={ticket.outcome} /> },
            {
              name: 'Confidence',
              isNumber: true,
              of: ({ confidence }) => percent(confidence),
            },
            { name: 'Review', of: ({ review }) => (review === null ? '–' : REVIEWS[review]) },
          ]}
        />
      )}
      {tickets.hasNextPage && (
        <p>
          <Button onClick={() => void tickets.fetchNextPage()} disabled={tickets.isFetchingNextPage}>
            Show more
          </Button>
        </p>
      )}
    </section>
  )
}
