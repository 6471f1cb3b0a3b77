import { LIMITS } from '@citewell/contract/limits'
import type { KnowledgeBase, KnowledgeBaseChange } from '@citewell/sdk/management'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useApi } from '../../api/session.ts'
import { AnswerText } from '../../ui/answer-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextInput } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'

/** Asks a question with what stands in the fields above, saved or not. Nothing of it is stored. */
export function TryVoice({
  base,
  readVoice,
}: {
  base: KnowledgeBase
  /** What the fields above say. */
  readVoice: (form: FormData) => KnowledgeBaseChange
}) {
  const api = useApi()
  const [query, setQuery] = useState('')
  const trying = useMutation({
    mutationFn: async (asked: string) => {
      const fields = document.querySelector<HTMLTextAreaElement>('textarea[name=persona]')?.form
      const { persona, tone, standing_instructions } =
        fields === null || fields === undefined ? base : readVoice(new FormData(fields))
      return await api.tryQuestion(base.id, { query: asked, persona, tone, standing_instructions })
    },
  })
  const blocked =
    base.status === 'archived'
      ? 'The knowledge base is archived.'
      : base.your_permissions.includes('chat')
        ? undefined
        : 'This needs the permission Chat on the knowledge base.'
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (blocked === undefined && query.trim() !== '') trying.mutate(query.trim())
  }
  const steps = trying.data
  return (
    <Card title="Try it">
      <p>The answer is written with the fields above as they are now. It is not stored and not counted.</p>
      <form onSubmit={submit}>
        <TextInput
          label="Sample question"
          value={query}
          maxLength={LIMITS.query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Button type="submit" blocked={blocked} disabled={trying.isPending}>
          {trying.isPending ? 'Answering…' : 'Ask it'}
        </Button>
      </form>
      {trying.isError && <Fault error={trying.error} />}
      {steps !== undefined && (
        <div role="status">
          <p>
            {steps.covered ? <Status tone="ok">Covered</Status> : <Status tone="warn">Not covered</Status>}{' '}
            {steps.writer === 'model'
              ? `Written by ${steps.model ?? 'a language model'}.`
              : 'No language model wrote it: persona, tone and instructions have no effect on quotes.'}
          </p>
          <AnswerText text={steps.answer ?? ''} citations={steps.citations} />
        </div>
      )}
    </Card>
  )
}
