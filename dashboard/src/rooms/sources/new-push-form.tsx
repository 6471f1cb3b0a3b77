import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useAddSource } from '../../api/sources.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Fault } from '../../ui/fault.tsx'
import { FieldFaultsProvider } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf } from '../../ui/form-values.ts'
import classes from './new-source-page.module.css'
import { WhereTokensAre } from './push-documents.tsx'
import { newPushSourceSnippet } from './push-snippets.ts'
import { optionsOf } from './source-of-form.ts'
import { SourceOptions } from './source-options.tsx'

/** Adds a source to which a program sends documents. */
export function NewPushForm({
  baseId,
  isInternal,
  blocked,
}: {
  baseId: string
  isInternal: boolean
  blocked: string | undefined
}) {
  const add = useAddSource(baseId)
  const navigate = useNavigate()

  async function make(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (blocked !== undefined) return
    const form = new FormData(event.currentTarget)
    const made = await add
      .mutateAsync({
        type: 'push',
        name: textOf(form, 'name') || 'Pushed documents',
        config: {},
        ...optionsOf(form),
      })
      .catch(() => undefined)
    if (made !== undefined)
      await navigate({ to: '/kb/$baseId/sources/$sourceId', params: { baseId, sourceId: made.id } })
  }

  return (
    <>
      <Form hasFailed={add.isError || blocked !== undefined} onSubmit={(event) => void make(event)}>
        <FieldFaultsProvider value={add.error}>
          <SourceOptions
            nameHint="If it is empty: Pushed documents."
            isInternal={isInternal}
            isRefreshed={false}
          />
        </FieldFaultsProvider>
        <div className={classes['buttons']}>
          <Button look="primary" type="submit" blocked={blocked} disabled={add.isPending}>
            Add it, and show how to send documents
          </Button>
        </div>
        {add.isError && <Fault error={add.error} />}
      </Form>
      <details className={`${classes['more']} ${classes['below']}`}>
        <summary>Add it from a program</summary>
        <WhereTokensAre />
        <CopyField
          label="Makes the source; its answer has the id to send documents to"
          text={newPushSourceSnippet({ origin: location.origin, baseId })}
        />
      </details>
    </>
  )
}
