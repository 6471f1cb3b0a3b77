import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { FieldFaultsProvider, Select, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useAddSource, usePreview } from '../../api/sources.ts'
import classes from './new-source-page.module.css'
import { PreviewedSource } from './previewed-source.tsx'
import { SourceFields } from './source-fields.tsx'
import { REFRESHES, sourceOf } from './source-of-form.ts'
import { isOffered, SOURCE_TYPE_FORMS, type OfferedType } from './source-types.ts'

const TYPES = Object.entries(SOURCE_TYPE_FORMS).map(([type, { label }]) => [type, label] as const)

/** Adds a source. It shows what would be read before anything is stored. */
export function NewSourcePage() {
  const { baseId } = useParams({ from: '/kb/$baseId/sources/new' })
  const base = useKnowledgeBase(baseId)
  const [type, setType] = useState<OfferedType>('website')
  const form = useRef<HTMLFormElement>(null)
  const preview = usePreview(baseId)
  const add = useAddSource(baseId)
  const navigate = useNavigate()
  const blocked = base.data?.status === 'archived' ? 'This knowledge base is archived.' : undefined
  const read = () => (form.current === null ? undefined : sourceOf(new FormData(form.current), type))

  function look(event: FormEvent): void {
    event.preventDefault()
    const source = blocked === undefined ? read() : undefined
    if (source !== undefined) preview.mutate(source)
  }
  async function save(): Promise<void> {
    const source = form.current?.reportValidity() === true ? read() : undefined
    if (source === undefined) return
    const made = await add.mutateAsync(source).catch(() => undefined)
    if (made !== undefined) await navigate({ to: '/kb/$baseId/sources', params: { baseId } })
  }

  return (
    <Page title="Add a source" lead="Nothing is stored before you have seen what would be read.">
      <NeedsPermission base={base.data} permission="config">
        <Card>
          <Form ref={form} hasFailed isSaved={add.isPending || add.isSuccess} onSubmit={look}>
            <Select
              label="Type"
              name="type"
              options={TYPES}
              value={type}
              onChange={({ target }) => {
                if (isOffered(target.value)) setType(target.value)
                preview.stop()
                add.reset()
              }}
            />
            <FieldFaultsProvider value={add.error ?? preview.error}>
              <SourceFields key={type} type={type} baseId={baseId} />
            </FieldFaultsProvider>
            <TextInput
              label="Name"
              name="name"
              hint="If it is empty: the host of the address, or the product."
              maxLength={200}
            />
            <details className={classes['more']}>
              <summary>Version, visibility, schedule</summary>
              <TextInput
                label="Version of the product"
                name="version"
                maxLength={64}
                hint="Questions that name a version are answered from it."
              />
              <Select
                label="Visible to"
                name="visibility"
                options={[
                  ['public', 'Everyone'],
                  ['restricted', 'Members only: never on a website, in a public key or a public AI tool'],
                ]}
              />
              <Select label="Read again" name="refresh" options={REFRESHES} />
            </details>
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
