import { useState, type FormEvent } from 'react'
import { Button } from './button.tsx'
import { Fault } from './fault.tsx'
import { Select, TextArea, TextInput } from './field.tsx'
import { Form } from './form.tsx'
import { linesOf, textOf } from './form-values.ts'

export interface QuestionFields {
  question: string
  urls: string[]
  answerable: boolean
}

/** A question of the evaluation set, with what should come out. */
export function EvaluationQuestionForm({
  given,
  error,
  isPending,
  onSave,
}: {
  given: QuestionFields
  error: unknown
  isPending: boolean
  onSave: (fields: QuestionFields) => void
}) {
  const [expected, setExpected] = useState(given.answerable ? 'answer' : 'refusal')
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const answerable = expected === 'answer'
    onSave({
      question: textOf(form, 'question'),
      urls: answerable ? linesOf(form, 'urls') : [],
      answerable,
    })
  }
  return (
    <Form hasFailed={error !== undefined && error !== null} onSubmit={submit}>
      <TextInput
        label="Question"
        name="question"
        required
        maxLength={2_000}
        defaultValue={given.question}
        hint="Without names and other personal data: it is kept until you delete it."
      />
      <Select
        label="Expected result"
        value={expected}
        onChange={(event) => setExpected(event.target.value)}
        options={[
          ['answer', 'An answer'],
          ['refusal', '“Not covered”'],
        ]}
      />
      {expected === 'answer' && (
        <TextArea
          label="Pages that answer it"
          name="urls"
          rows={3}
          defaultValue={given.urls.join('\n')}
          hint="Addresses, one per line. One of them is enough. Without any, only whether it was answered is measured."
        />
      )}
      {error !== null && error !== undefined && <Fault error={error} />}
      <Button look="primary" type="submit" disabled={isPending}>
        Save the question
      </Button>
    </Form>
  )
}
