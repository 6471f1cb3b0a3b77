import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextArea, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { count, counted } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'

/** Characters that the service takes. */
const MOST = 2_000_000

/** Questions from a file, or pasted. */
export function ImportForm({ baseId, onDone }: { baseId: string; onDone: () => Promise<void> }) {
  const api = useApi()
  const { tell } = useToasts()
  const [text, setText] = useState('')
  const [format, setFormat] = useState<'csv' | 'jsonl'>('csv')
  const [fault, setFault] = useState<string>()
  const add = useMutation({
    mutationFn: () => api.importEvaluationQuestions(baseId, { format, text }),
    onSuccess: async ({ added, known }) => {
      tell(`Added: ${counted(added, 'question')}${known > 0 ? `. In the set already: ${count(known)}` : ''}.`)
      await onDone()
    },
  })
  async function read(file: File | undefined): Promise<void> {
    if (file === undefined) return
    if (file.size > MOST) {
      setFault('The file is too large: a set has at most 500 questions.')
      return
    }
    setFault(undefined)
    setText(await file.text())
    setFormat(/\.(?:jsonl|ndjson|json)$/i.test(file.name) ? 'jsonl' : 'csv')
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    add.mutate()
  }
  return (
    <Form hasFailed={add.isError} onSubmit={submit}>
      <TextInput
        label="File"
        type="file"
        accept=".csv,.jsonl,.ndjson,.json,text/csv"
        onChange={(event) => void read(event.target.files?.[0])}
        error={fault}
      />
      <Select
        label="Format"
        value={format}
        onChange={(event) => setFormat(event.target.value === 'jsonl' ? 'jsonl' : 'csv')}
        options={[
          ['csv', 'CSV with the columns question, url, answerable'],
          ['jsonl', 'JSON Lines, as for citewell eval'],
        ]}
      />
      <TextArea
        label="Text"
        required
        rows={8}
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint={
          format === 'csv'
            ? 'question,url,answerable · then a line for each; “no” under answerable for what must be refused'
            : '{"question": "…", "url": "https://…"} or {"question": "…", "answerable": false}'
        }
      />
      {add.isError && <Fault error={add.error} />}
      <Button look="primary" type="submit" disabled={add.isPending}>
        Import the questions
      </Button>
    </Form>
  )
}
