import type { TicketMessage, TicketOutcome } from '@citewell/sdk/management'
import { LIMITS } from '@citewell/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { percent } from '../../ui/percent.ts'
import { useApi } from '../../api/session.ts'
import { AnswerText } from '../../ui/answer-text.tsx'
import { Button } from '../../ui/button.tsx'
import { CitationView } from '../../ui/citation-view.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { textOf } from '../../ui/form-values.ts'
import { Status } from '../../ui/status.tsx'

const OUTCOMES = {
  answered: ['ok', 'Answered: this would be posted'],
  unanswered: ['warn', 'Not covered: people handle it'],
  escalated: ['info', 'Handed to a person'],
} as const

const REASONS: Record<NonNullable<TicketOutcome['reason']>, string> = {
  customer_replied: 'the customer wrote again',
  customer_asked: 'the customer asked for a person',
  turn_cap: 'the chat has had all of its answers',
  low_confidence: 'the answer was not sure enough',
  answer_failed: 'no answer could be written',
}

function Outcome({ outcome }: { outcome: TicketOutcome }) {
  const [tone, says] = OUTCOMES[outcome.outcome]
  return (
    <div role="status">
      <p>
        <Status tone={tone}>{says}</Status>
        {outcome.reason !== null && `: ${REASONS[outcome.reason]}`}
        {outcome.confidence !== null && ` · confidence ${percent(outcome.confidence)}`}
        {` · answers given: ${outcome.answers_given}`}
      </p>
      {outcome.answer !== null && <AnswerText text={outcome.answer} citations={outcome.citations} />}
      {outcome.citations.map((citation) => (
        <CitationView key={citation.index} citation={citation} />
      ))}
    </div>
  )
}

/** Not `randomUUID`, which pages without https do not have. */
const newTicketId = (): string => `try-${(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0).toString(16)}`

/** Hands in the message of a made-up customer, in a ticket of its own. */
export function TryTicket({
  id,
  handles,
  blocked,
}: {
  id: string
  handles: 'tickets' | 'chats'
  /** Why none can be handed in. */
  blocked: string | undefined
}) {
  const api = useApi()
  const [ticketId, setTicketId] = useState(newTicketId)
  const take = useMutation({ mutationFn: (message: TicketMessage) => api.takeTicketMessage(id, message) })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (blocked !== undefined) return
    const form = new FormData(event.currentTarget)
    const subject = textOf(form, 'subject')
    take.mutate({
      ticket_id: ticketId,
      ...(subject !== '' && { subject }),
      body: textOf(form, 'body'),
      customer_asked_for_person: form.get('person') === 'on',
    })
  }
  function beginAnew(): void {
    setTicketId(newTicketId())
    take.reset()
  }
  return (
    <details>
      <summary>Try a {handles === 'tickets' ? 'ticket' : 'chat'}</summary>
      <form onSubmit={submit}>
        <p>
          Nothing is posted anywhere. It counts as a question of this month, and is stored as a conversation.
          Send again to write as the same customer.
        </p>
        <TextInput label="Subject" name="subject" maxLength={500} />
        <TextArea label="Customer’s message" name="body" required maxLength={LIMITS.ticketText} rows={3} />
        {handles === 'chats' && <Switch label="The customer asks for a person" name="person" />}
        {take.isError && <Fault error={take.error} />}
        <Button look="primary" type="submit" blocked={blocked} disabled={take.isPending}>
          Hand it in
        </Button>{' '}
        {take.data !== undefined && <Button onClick={beginAnew}>Start with another customer</Button>}
      </form>
      {take.data !== undefined && <Outcome outcome={take.data} />}
    </details>
  )
}
