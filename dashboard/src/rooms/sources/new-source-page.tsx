import type { NewSource, SourcePreview } from '@citewell/sdk/management'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextArea, TextInput } from '../../ui/field.tsx'
import { linesOf, textOf, textOrNull } from '../../ui/form-values.ts'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count } from '../../ui/time.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useAddSource, usePreview } from '../../api/sources.ts'
import classes from './new-source-page.module.css'

const TYPES = [
  ['website', 'A website: follow its links'],
  ['sitemap', 'A website: read the pages of its sitemap'],
  ['repository', 'A git repository with documentation'],
  ['openapi', 'An OpenAPI description'],
] as const
type Type = (typeof TYPES)[number][0]

const REFRESHES = [
  ['daily', 'Every day'],
  ['hourly', 'Every hour'],
  ['weekly', 'Every week'],
  ['monthly', 'Every month'],
  ['none', 'Only when asked to'],
] as const

/** The source that a form describes. */
function sourceOf(form: FormData, type: Type): NewSource {
  const url = textOf(form, 'url')
  const include = linesOf(form, 'include')
  const exclude = linesOf(form, 'exclude')
  const name = textOf(form, 'name')
  const common = {
    name: name === '' ? (URL.parse(url)?.host ?? url) : name,
    version_label: textOrNull(form, 'version'),
    visibility: form.get('visibility') === 'restricted' ? ('restricted' as const) : ('public' as const),
    refresh: REFRESHES.find(([value]) => value === form.get('refresh'))?.[0] ?? 'daily',
  }
  switch (type) {
    case 'website':
      return { ...common, type, config: { start_urls: [url], include, exclude } }
    case 'sitemap':
      return { ...common, type, config: { sitemap_url: url, include, exclude } }
    case 'repository':
      return { ...common, type, config: { url, include, exclude } }
    case 'openapi':
      return { ...common, type, config: { url } }
  }
}

function Preview({ preview }: { preview: SourcePreview }) {
  return (
    <Card title="What would be read">
      {preview.error !== null && <Banner tone="danger">{preview.error}</Banner>}
      <p role="status">
        {count(preview.pages.length)} pages as a sample, {count(preview.left_out.length)} left out,{' '}
        {count(preview.failed.length)} could not be read.
        {preview.is_complete ? ' That is all of it.' : ' There is more.'}
      </p>
      <div className={classes['columns']}>
        <Table
          label="Pages that would be read"
          rows={preview.pages}
          keyOf={({ url }) => url}
          columns={[
            {
              name: 'Will be read',
              of: ({ url, title, excerpt }) => (
                <>
                  <strong>{title}</strong>
                  <div className={classes['address']}>{url}</div>
                  <div className={classes['excerpt']}>{excerpt.slice(0, 160)}</div>
                </>
              ),
            },
          ]}
        />
        <Table
          label="Addresses that would be left out"
          rows={[...preview.failed, ...preview.left_out]}
          keyOf={({ url, reason }) => `${url} ${reason}`}
          columns={[
            {
              name: 'Left out',
              of: ({ url, reason }) => (
                <>
                  <div className={classes['address']}>{url}</div>
                  {reason}
                </>
              ),
            },
          ]}
        />
      </div>
    </Card>
  )
}

/** Adds a source. It shows what would be read before anything is stored. */
export function NewSourcePage() {
  const { baseId } = useParams({ from: '/kb/$baseId/sources/new' })
  const base = useKnowledgeBase(baseId)
  const [type, setType] = useState<Type>('website')
  const form = useRef<HTMLFormElement>(null)
  const preview = usePreview(baseId)
  const add = useAddSource(baseId)
  const navigate = useNavigate()
  const read = () => (form.current === null ? undefined : sourceOf(new FormData(form.current), type))

  function look(event: FormEvent): void {
    event.preventDefault()
    const source = read()
    if (source !== undefined) preview.mutate(source)
  }
  async function save(): Promise<void> {
    const source = form.current?.reportValidity() === true ? read() : undefined
    if (source === undefined) return
    const made = await add.mutateAsync(source).catch(() => undefined)
    if (made !== undefined) await navigate({ to: '/kb/$baseId/sources', params: { baseId } })
  }

  const hasPatterns = type !== 'openapi'
  return (
    <Page title="Add a source" lead="Nothing is stored before you have seen what would be read.">
      <NeedsPermission base={base.data} permission="config">
        <Card>
          <form ref={form} onSubmit={look}>
            <Select
              label="Type"
              name="type"
              options={TYPES}
              value={type}
              onChange={(event) =>
                setType(TYPES.find(([value]) => value === event.target.value)?.[0] ?? 'website')
              }
            />
            <TextInput
              label="Address"
              name="url"
              type="url"
              required
              placeholder={
                type === 'repository' ? 'https://github.com/acme/docs' : 'https://docs.example.com/'
              }
            />
            <TextInput
              label="Name"
              name="name"
              hint="If it is empty: the host of the address."
              maxLength={200}
            />
            {hasPatterns && (
              <details className={classes['more']}>
                <summary>Include and exclude</summary>
                <TextArea label="Include only" name="include" hint="One pattern a line, such as /docs/**" />
                <TextArea label="Exclude" name="exclude" hint="One pattern a line, such as /blog/**" />
              </details>
            )}
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
              <Button type="submit" disabled={preview.isPending}>
                {preview.isPending ? 'Reading a few pages…' : 'Show what would be read'}
              </Button>
              <Button look="primary" disabled={add.isPending} onClick={() => void save()}>
                Add and read it
              </Button>
            </div>
          </form>
        </Card>
        {preview.isError && <Fault error={preview.error} />}
        {add.isError && <Fault error={add.error} />}
        {preview.data !== undefined && <Preview preview={preview.data} />}
      </NeedsPermission>
    </Page>
  )
}
