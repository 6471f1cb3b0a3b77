import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { FieldFaultsProvider, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useAddSource, usePreview } from '../../api/sources.ts'
import classes from './new-source-page.module.css'
import { NewFilesForm } from './new-files-form.tsx'
import { NewPushForm } from './new-push-form.tsx'
import { PreviewedSource } from './previewed-source.tsx'
import { SourceFields } from './source-fields.tsx'
import { sourceOf } from './source-of-form.ts'
import { SourceOptions } from './source-options.tsx'
import { isOffered, SOURCE_TYPE_FORMS, type OfferedType } from './source-types.ts'

const FILES = 'files'
const PUSH = 'push'
const TYPES = [
  ...Object.entries(SOURCE_TYPE_FORMS).map(([type, { label }]) => [type, label] as const),
  [FILES, 'Files of this computer: PDF, Word, Markdown'] as const,
  [PUSH, 'Documents that a program of yours sends'] as const,
]

/** Adds a source, which is read at once. What would be read can be seen before, while nothing is stored; files are sent right away. */
export function NewSourcePage() {
  const { baseId } = useParams({ from: '/kb/$baseId/sources/new' })
  const base = useKnowledgeBase(baseId)
  const [type, setType] = useState<OfferedType | typeof FILES | typeof PUSH>('website')
  const form = useRef<HTMLFormElement>(null)
  const preview = usePreview(baseId)
  const add = useAddSource(baseId)
  const navigate = useNavigate()
  const isInternal = base.data?.type === 'internal'
  const blocked = base.data?.status === 'archived' ? 'This knowledge base is archived.' : undefined
  const read = () =>
    form.current === null || !isOffered(type) ? undefined : sourceOf(new FormData(form.current), type)

  function look(event: FormEvent): void {
    event.preventDefault()
    const source = blocked === undefined ? read() : undefined
    if (source !== undefined) preview.mutate(source)
  }
  async function save(): Promise<void> {
    const source = form.current?.reportValidity() === true ? read() : undefined
    if (source === undefined) return
    const made = await add.mutateAsync(source).catch(() => undefined)
    // Its page shows how far reading is; in a list of many it may stand anywhere.
    if (made !== undefined)
      await navigate({ to: '/kb/$baseId/sources/$sourceId', params: { baseId, sourceId: made.id } })
  }

  return (
    <Page
      title="Add a source"
      lead={
        isOffered(type)
          ? 'You can see what would be read first: nothing is stored by that. Adding it stores it, and begins to read it.'
          : undefined
      }
    >
      <NeedsPermission base={base.data} permission="config">
        <Card>
          <Select
            label="Type"
            name="type"
            options={TYPES}
            value={type}
            onChange={({ target }) => {
              const { value } = target
              if (value === FILES || value === PUSH || isOffered(value)) setType(value)
              preview.stop()
              add.reset()
            }}
          />
          {type === FILES ? (
            <NewFilesForm baseId={baseId} isInternal={isInternal} blocked={blocked} />
          ) : type === PUSH ? (
            <NewPushForm baseId={baseId} isInternal={isInternal} blocked={blocked} />
          ) : (
            <Form ref={form} hasFailed isSaved={add.isPending || add.isSuccess} onSubmit={look}>
              <FieldFaultsProvider value={add.error ?? preview.error}>
                <SourceFields key={type} type={type} baseId={baseId} />
              </FieldFaultsProvider>
              <SourceOptions
                isInternal={isInternal}
                nameHint="If it is empty: the host of the address, or the product."
              />
              <div className={classes['buttons']}>
                <Button type="submit" blocked={blocked} disabled={preview.isPending}>
                  {preview.isPending ? 'Reading a few pages…' : 'Show what would be read'}
                </Button>
                {preview.isPending && <Button onClick={preview.stop}>Stop</Button>}
                <Button look="primary" blocked={blocked} disabled={add.isPending} onClick={() => void save()}>
                  Add and read it
                </Button>
              </div>
            </Form>
          )}
        </Card>
        {preview.isPending && (
          <p role="status">
            Finding the address, and reading its first pages. One that does not answer is tried again, which
            takes some seconds.
          </p>
        )}
        {preview.isError && <Fault error={preview.error} />}
        {add.isError && <Fault error={add.error} />}
        {preview.data !== undefined && <PreviewedSource preview={preview.data} />}
      </NeedsPermission>
    </Page>
  )
}
