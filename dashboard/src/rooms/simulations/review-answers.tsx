import type { SimulatedTicket, SimulationReport } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { AnswerText } from '../../ui/answer-text.tsx'
import { Button } from '../../ui/button.tsx'
import { CitationView } from '../../ui/citation-view.tsx'
import { Fault } from '../../ui/fault.tsx'
import { count } from '../../ui/time.tsx'
import classes from './simulations.module.css'

const CHOICES = [
  ['right', 'Right'],
  ['partly', 'Partly right'],
  ['wrong', 'Wrong'],
] as const

const AT_ONCE = 10
const ENOUGH = 30

function Reviewed({
  ticket: { subject, body, answer, citations, agent_reply: reply },
}: {
  ticket: SimulatedTicket
}) {
  return (
    <div className={classes['review']}>
      <section>
        <h3>The customer</h3>
        {subject !== null && (
          <p dir="auto">
            <strong>{subject}</strong>
          </p>
        )}
        <p dir="auto" className={classes['words']}>
          {body}
        </p>
        {reply !== null && (
          <>
            <h3>What an agent answered</h3>
            <p dir="auto" className={classes['words']}>
              {reply}
            </p>
          </>
        )}
      </section>
      <section>
        <h3>The answer</h3>
        {answer !== null && <AnswerText text={answer} citations={citations} />}
        {citations.map((citation) => (
          <CitationView key={citation.index} citation={citation} />
        ))}
      </section>
    </div>
  )
}

/** One answer after the other, drawn by chance: what people find right stands for all. */
export function ReviewAnswers({
  simulationId,
  reviews,
  blocked,
}: {
  simulationId: string
  reviews: SimulationReport['reviews']
  blocked: string | undefined
}) {
  const api = useApi()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [done, setDone] = useState<readonly number[]>([])
  const queue = useQuery({
    queryKey: ['simulation', simulationId, 'to-review'],
    queryFn: async ({ signal }) =>
      (await api.listSimulatedTickets(simulationId, { to_review: 'true', limit: AT_ONCE }, { signal })).data,
    enabled: isOpen,
  })
  const review = useMutation({
    mutationFn: (given: { number: number; review: 'right' | 'partly' | 'wrong' }) =>
      api.reviewSimulatedTicket(simulationId, given),
    onSuccess: async (_, { number }) => {
      const left = (queue.data ?? []).filter(
        (ticket) => ticket.number !== number && !done.includes(ticket.number),
      )
      setDone([...done, number])
      await client.invalidateQueries({ queryKey: ['simulation-report', simulationId] })
      if (left.length === 0) await queue.refetch()
    },
  })
  const reviewed = reviews.right + reviews.partly + reviews.wrong
  const next = queue.data?.find(({ number }) => !done.includes(number))
  return (
    <section className={classes['reviews']}>
      <h2>Were the answers right?</h2>
      <p>
        {reviews.enough
          ? `${count(reviewed)} reviewed: enough to tell. More reviews make the interval narrower.`
          : `${count(reviewed)} of ${ENOUGH} reviewed.`}
      </p>
      {!isOpen && (
        <Button blocked={blocked} onClick={() => setOpen(true)}>
          Review answers
        </Button>
      )}
      {isOpen && queue.isError && <Fault error={queue.error} onRetry={() => void queue.refetch()} />}
      {isOpen && queue.isSuccess && next === undefined && (
        <p role="status">Every answer has been reviewed.</p>
      )}
      {isOpen && next !== undefined && (
        <>
          <Reviewed key={next.number} ticket={next} />
          <p className={classes['choices']}>
            {CHOICES.map(([value, word]) => (
              <Button
                key={value}
                disabled={review.isPending}
                onClick={() => review.mutate({ number: next.number, review: value })}
              >
                {word}
              </Button>
            ))}
          </p>
          {review.isError && <Fault error={review.error} />}
        </>
      )}
    </section>
  )
}
