import type { HelpdeskIntegration, NewSimulation, TicketsOfFile } from '@citewell/sdk/management'
import { LIMITS } from '@citewell/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { useRecordChange } from '../../api/records.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextArea, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf } from '../../ui/form-values.ts'
import { count, counted } from '../../ui/time.tsx'
import { LeftOut } from './left-out.tsx'
import { drawnBy, seconds } from './figures-in-words.ts'
import classes from './simulations.module.css'
import { beginningOf } from '../../ui/beginning-of.ts'

const SAMPLES = [
  ['random', 'At random'],
  ['month_and_tag', 'By month and tag, in proportion'],
] as const

const isNumberToTry = (typed: string): boolean =>
  /^\d{1,5}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= LIMITS.simulationTickets

/** What was found in the file, and what it takes to try it. */
function FoundTickets({ found: { found, tickets, left_out, sample, estimate } }: { found: TicketsOfFile }) {
  const { questions_left: left, seconds: takes, model, embedding } = estimate
  return (
    <div role="status" className={classes['found']}>
      <p>
        {counted(found, 'ticket', 'tickets')} in the file, {count(tickets.length)} to try
        {sample === null ? '' : `, drawn ${drawnBy(sample)} from ${count(sample.drawn_from)}`}.{' '}
        {takes === null ? '' : `It will take about ${seconds(takes)}, as answers took lately.`}
      </p>
      {tickets[0] !== undefined && (
        <p>
          The first one: <q>{beginningOf(tickets[0].subject ?? tickets[0].body, 150)}</q>
        </p>
      )}
      <LeftOut tickets={left_out} />
      <p>
        Each ticket counts as a question of this month
        {left === null ? '' : `, of which ${count(left)} are left`}.{' '}
        {embedding !== null && `The words of the tickets are sent to ${embedding.host} to be compared. `}
        {model === null
          ? `The answers are quoted from your pages${embedding === null ? ': nothing leaves this service' : ''}.`
          : `The tickets are sent to the language model ${model.name}${model.host === null ? '' : ` at ${model.host}`}.`}{' '}
        Nothing is posted to the help desk.
      </p>
    </div>
  )
}

/** Why a run cannot begin; undefined if it can. */
function whyNotYet(found: TicketsOfFile | undefined): string | undefined {
  if (found === undefined) return 'Read the tickets first.'
  if (found.tickets.length === 0) return 'There is no ticket to try.'
  return (found.estimate.questions_left ?? Infinity) < found.tickets.length
    ? 'There are more tickets than questions left in this month. Read them again with a smaller number to try at most, or wait for the next month.'
    : undefined
}

/** Past tickets, pasted or from a file, and the help desk whose settings answer them. They are read first, and tried when it is known what that takes. */
export function NewSimulationForm({
  baseId,
  helpdesks,
  onMade,
}: {
  baseId: string
  helpdesks: readonly HelpdeskIntegration[]
  onMade: (simulationId: string) => void
}) {
  const fileId = useId()
  const api = useApi()
  const [file, setFile] = useState<File>()
  const [text, setText] = useState('')
  const [most, setMost] = useState(String(LIMITS.simulationTickets))
  const [by, setBy] = useState<'random' | 'month_and_tag'>('random')
  const read = useMutation({
    mutationFn: (given: File) => api.readTicketFile(baseId, { file: given }, { by, most: Number(most) }),
  })
  const start = useRecordChange(
    'simulations',
    baseId,
    (client, given: NewSimulation) => client.createSimulation(baseId, given),
    { isInForm: true },
  )
  const given = file ?? (text.trim() === '' ? undefined : new File([text], 'pasted.txt'))
  const found = read.data
  const blocked = whyNotYet(found)
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (blocked !== undefined || found === undefined) return
    const form = new FormData(event.currentTarget)
    const { tickets, left_out, sample } = found
    start.mutate(
      {
        integration_id: textOf(form, 'integration_id'),
        name: textOf(form, 'name'),
        tickets,
        left_out,
        sample,
      },
      { onSuccess: ({ id }) => onMade(id) },
    )
  }
  return (
    <Form hasFailed={start.isError} onSubmit={submit}>
      <TextInput
        label="Name"
        name="name"
        required
        maxLength={LIMITS.name}
        defaultValue="Past tickets"
        hint="To tell it from other runs."
      />
      <Select
        label="Help desk"
        name="integration_id"
        options={helpdesks.map(({ id, name }) => [id, name] as const)}
      />
      <div className={classes['file']}>
        <label htmlFor={fileId}>A file of tickets</label>
        <input
          id={fileId}
          type="file"
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.mbox"
          onChange={(event) => {
            setFile(event.target.files?.[0])
            read.reset()
          }}
          aria-describedby={`${fileId}-hint`}
        />
        <p id={`${fileId}-hint`} className={classes['hint']}>
          A table (CSV) with a column body, and perhaps id, subject, created_at, tags and first_agent_reply;
          JSON with the same fields; an export of Zendesk; or a mailbox (mbox). Of more than{' '}
          {count(LIMITS.simulationTickets)} a sample is drawn.
        </p>
      </div>
      {file === undefined && (
        <TextArea
          label="Or paste them"
          rows={5}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            read.reset()
          }}
          hint="One question per line, or a table as above."
        />
      )}
      <TextInput
        label="How many to try at most"
        type="number"
        min={1}
        max={LIMITS.simulationTickets}
        required
        value={most}
        onChange={(event) => {
          setMost(event.target.value)
          read.reset()
        }}
      />
      <Select
        label="If there are more, pick them"
        options={SAMPLES}
        value={by}
        onChange={(event) => {
          setBy(event.target.value === 'random' ? 'random' : 'month_and_tag')
          read.reset()
        }}
      />
      <p>
        <Button
          disabled={read.isPending}
          blocked={
            given === undefined
              ? 'Choose a file, or paste tickets.'
              : isNumberToTry(most)
                ? undefined
                : `Try 1 to ${count(LIMITS.simulationTickets)} tickets.`
          }
          onClick={() => given !== undefined && read.mutate(given)}
        >
          {read.isPending ? 'Reading the tickets…' : 'Read the tickets'}
        </Button>
      </p>
      {read.isError && <Fault error={read.error} />}
      {found !== undefined && <FoundTickets found={found} />}
      {start.isError && <Fault error={start.error} />}
      <Button look="primary" type="submit" disabled={start.isPending} blocked={blocked}>
        Start the simulation
      </Button>
    </Form>
  )
}
