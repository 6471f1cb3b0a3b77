import { LIMITS } from '@citewell/contract/limits'
import type { KnowledgeBase, KnowledgeBaseChange } from '@citewell/sdk/management'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import classes from './try-masking.module.css'

/** Masks a text with what stands in the fields above, saved or not. Nothing of it is stored. */
export function TryMasking({
  base,
  readMasking,
}: {
  base: KnowledgeBase
  /** What the fields above say. */
  readMasking: (form: FormData) => KnowledgeBaseChange
}) {
  const api = useApi()
  const [text, setText] = useState('')
  const trying = useMutation({
    mutationFn: async () => {
      const fields = document.querySelector<HTMLTextAreaElement>('textarea[name=custom_patterns]')?.form
      const isThere = fields !== null && fields !== undefined && base.status === 'active'
      const masking = isThere ? readMasking(new FormData(fields)).pii_masking : undefined
      return await api.tryPiiMasking(base.id, { text, ...(masking && { pii_masking: masking }) })
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (text.trim() !== '') trying.mutate()
  }
  const masked = trying.data
  return (
    <Card title="Try it">
      <p>The text is masked with the fields above as they are now. None of it is stored or logged.</p>
      <form onSubmit={submit}>
        <TextArea
          label="Sample text"
          value={text}
          maxLength={LIMITS.query}
          rows={3}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" disabled={trying.isPending}>
          Mask it
        </Button>
      </form>
      {trying.isError && <Fault error={trying.error} />}
      {masked !== undefined && (
        <div role="status" aria-label="The masked text" className={classes['result']}>
          <p className={classes['text']} dir="auto">
            {masked.text}
          </p>
          <p className={classes['note']}>
            {masked.found.length === 0
              ? 'Nothing was found to mask.'
              : `Masked: ${masked.found.map(({ kind, text: part }) => `${part} (${kind.replaceAll('_', ' ')})`).join(', ')}`}
          </p>
        </div>
      )}
    </Card>
  )
}
