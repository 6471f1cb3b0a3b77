import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { isRead, whyNotSent } from '../../api/chosen-files.ts'
import { useAddFiles } from '../../api/uploads.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { FieldFaultsProvider } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf } from '../../ui/form-values.ts'
import { ChooseFiles } from './choose-files.tsx'
import classes from './new-source-page.module.css'
import { optionsOf } from './source-of-form.ts'
import { SourceOptions } from './source-options.tsx'

/** Adds a source of files that are sent from this computer. */
export function NewFilesForm({
  baseId,
  isInternal,
  blocked,
}: {
  baseId: string
  isInternal: boolean
  blocked: string | undefined
}) {
  const [files, choose] = useState<readonly File[]>([])
  const add = useAddFiles(baseId)
  const navigate = useNavigate()

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = textOf(form, 'name')
    const sent = files.filter(isRead)
    const sourceId = await add
      .mutateAsync({
        files: sent,
        source: {
          type: 'files',
          name: name === '' ? (sent.length === 1 ? (sent[0]?.name ?? 'Files') : 'Files') : name,
          config: {},
          ...optionsOf(form),
          refresh: 'none',
        },
      })
      .catch(() => undefined)
    if (sourceId !== undefined)
      await navigate({ to: '/kb/$baseId/sources/$sourceId', params: { baseId, sourceId } })
  }

  return (
    <Form hasFailed={add.isError} onSubmit={(event) => void send(event)}>
      <FieldFaultsProvider value={add.error}>
        <ChooseFiles files={files} onChoose={choose} />
        <SourceOptions
          nameHint="If it is empty: the name of the file, or Files."
          isInternal={isInternal}
          isRefreshed={false}
        />
      </FieldFaultsProvider>
      {add.isError && <Fault error={add.error} />}
      <div className={classes['buttons']}>
        <Button
          look="primary"
          type="submit"
          blocked={blocked}
          disabled={add.isPending || whyNotSent(files) !== undefined}
        >
          {add.isPending ? 'Sending…' : 'Add and read them'}
        </Button>
      </div>
      {add.isPending && <p role="status">Sending the files. They are read as soon as they are there.</p>}
    </Form>
  )
}
