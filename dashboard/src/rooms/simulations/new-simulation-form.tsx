import type { HelpdeskIntegration, NewSimulation } from '@citewell/sdk/management'
import { BODY_BYTES, LIMITS } from '@citewell/contract/limits'
import { useId, useState, type FormEvent } from 'react'
import { useRecordChange } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextArea, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf } from '../../ui/form-values.ts'
import { useToasts } from '../../ui/toast.tsx'
import { readTickets } from './read-tickets.ts'
import classes from './simulations.module.css'

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/** Past tickets, pasted or from a file, and the help desk whose settings answer them. */
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
  const { tellFault } = useToasts()
  const [text, setText] = useState('')
  const { tickets, leftOut } = readTickets(text)
  const start = useRecordChange(
    'simulations',
    baseId,
    (api, given: NewSimulation) => api.createSimulation(baseId, given),
    { isInForm: true },
  )
  const isTooBig = bytesOf(tickets) > BODY_BYTES.json - 2_000
  const blocked =
    tickets.length === 0
      ? 'Paste tickets or choose a file first.'
      : isTooBig
        ? 'These tickets are more than a megabyte together. Take fewer.'
        : undefined
  function readFile(file: File | undefined): void {
    if (file === undefined) return
    file
      .slice(0, 8 * BODY_BYTES.json)
      .text()
      .then(setText, tellFault)
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (blocked !== undefined) return
    const form = new FormData(event.currentTarget)
    start.mutate(
      { integration_id: textOf(form, 'integration_id'), name: textOf(form, 'name'), tickets },
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
        <label htmlFor={fileId}>A file of tickets (CSV or text)</label>
        <input
          id={fileId}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={(event) => readFile(event.target.files?.[0])}
        />
      </div>
      <TextArea
        label="Or paste them"
        rows={8}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint={`One question a line; or a table whose first line names a column body, and perhaps subject and ref. At most ${LIMITS.simulationTickets}.`}
      />
      <p role="status">
        {text === '' ? '' : `${tickets.length} ${tickets.length === 1 ? 'ticket' : 'tickets'} to try. `}
        {leftOut.join(' ')}
      </p>
      {start.isError && <Fault error={start.error} />}
      <p>Each ticket counts as a question of this month. Nothing is posted anywhere.</p>
      <Button look="primary" type="submit" disabled={start.isPending} blocked={blocked}>
        Start the simulation
      </Button>
    </Form>
  )
}
