import type { CustomAnswer } from '@citewell/sdk/management'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { AnswerText } from '../../ui/answer-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextArea, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf, textOrNull } from '../../ui/form-values.ts'
import { useToasts } from '../../ui/toast.tsx'
import { VisibilitySelect } from '../../ui/visibility-select.tsx'

/** Writes an answer by hand, or changes one. What readers will see is shown below while it is written. */
export function CustomAnswerForm({
  baseId,
  answer,
  question,
  onSaved,
}: {
  baseId: string
  /** The answer that is changed; undefined for a new one. */
  answer: CustomAnswer | undefined
  /** Of a new one. */
  question: string
  onSaved: (saved: CustomAnswer) => void | Promise<void>
}) {
  const api = useApi()
  const client = useQueryClient()
  const { tell } = useToasts()
  const base = useKnowledgeBase(baseId)
  const [text, setText] = useState(answer?.answer ?? '')
  const save = useMutation({
    mutationFn: async (form: FormData) => {
      const fields = {
        question: textOf(form, 'question'),
        answer: textOf(form, 'answer'),
        url: textOrNull(form, 'url'),
        visibility: form.get('visibility') === 'restricted' ? ('restricted' as const) : ('public' as const),
      }
      return answer === undefined
        ? await api.createCustomAnswer(baseId, fields)
        : await api.updateCustomAnswer(answer.id, fields)
    },
    onSuccess: async (saved) => {
      tell('The answer was saved. Readers get it from now on.')
      await onSaved(saved)
      await client.invalidateQueries({ queryKey: ['custom-answers', baseId] })
    },
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  return (
    <Form hasFailed={save.isError} onSubmit={submit}>
      <TextInput
        label="Question"
        name="question"
        required
        defaultValue={answer?.question ?? question}
        hint="In a reader’s words. It becomes the title of its citations."
      />
      <TextArea
        label="Answer"
        name="answer"
        required
        rows={6}
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint="Markdown."
      />
      {text.trim() !== '' && <AnswerText text={text} citations={[]} />}
      <TextInput
        label="Link"
        name="url"
        type="url"
        defaultValue={answer?.url ?? ''}
        hint="Where its citations lead. Leave empty to link to a page of this service that shows it."
      />
      <VisibilitySelect isInternal={base.data?.type === 'internal'} defaultValue={answer?.visibility} />
      {save.isError && <Fault error={save.error} />}
      <Button look="primary" type="submit" disabled={save.isPending}>
        Save the answer
      </Button>
    </Form>
  )
}
