import type { Source, SourceChange } from '@citewell/sdk/management'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { useSource, useSourceActions } from '../../api/sources.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextInput } from '../../ui/field.tsx'
import { Figures, type Figure } from '../../ui/figures.tsx'
import { textOf, textOrNull } from '../../ui/form-values.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { sourceTypeName } from '../../ui/names.ts'
import { Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
import { heldBackBecause, isRunning, isWritten, readAgain, sourceTone } from '../../ui/source-status.ts'
import { Banner, Status } from '../../ui/status.tsx'
import { VisibilitySelect } from '../../ui/visibility-select.tsx'
import { count, Time } from '../../ui/time.tsx'
import { AddFiles } from './add-files.tsx'
import { DeleteSource } from './delete-source.tsx'
import { REFRESHES } from './source-of-form.ts'
import { HeldSync, MeasuredSync } from './held-sync.tsx'
import { PushDocuments } from './push-documents.tsx'
import { holdBackOptions, readHoldBack } from './hold-back-options.ts'
import { SourceAccount } from './source-account.tsx'
import { configFields, configOf, shownIn } from './source-config.ts'
import { FieldInput } from './source-fields.tsx'
import { controlOf, isOffered } from './source-types.ts'
import { SyncHistory } from './sync-history.tsx'
import { SyncProgress } from './sync-progress.tsx'
import { UploadedFiles } from './uploaded-files.tsx'
import { WhatIsRead } from './what-is-read.tsx'

const optionsIn = (form: FormData): SourceChange => ({
  name: textOf(form, 'name'),
  version_label: textOrNull(form, 'version_label'),
  visibility: form.get('visibility') === 'restricted' ? 'restricted' : 'public',
  hold_back_drop: readHoldBack(textOf(form, 'hold_back_drop')),
  refresh: REFRESHES.find(([refresh]) => refresh === form.get('refresh'))?.[0] ?? 'none',
})

/** What a source is called, what it reads, who sees its documents, and how often it is read. */
function SourceSettings({
  source,
  isInternal,
  blocked,
}: {
  source: Source
  isInternal: boolean
  blocked: string | undefined
}) {
  const api = useApi()
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (given: SourceChange) => api.updateSource(source.id, given),
    onSuccess: async (changed) => {
      client.setQueryData(['source', source.id], changed)
      await Promise.all(
        ['sources', 'documents', 'document-counts'].map((list) =>
          client.invalidateQueries({ queryKey: [list, source.knowledge_base_id] }),
        ),
      )
    },
  })
  const { type } = source
  const fields = configFields(source)
  const changeOf = useCallback(
    (form: FormData): SourceChange => ({
      ...optionsIn(form),
      ...(isOffered(type) && { config: configOf(form, type) }),
    }),
    [type],
  )
  return (
    <SaveForm
      title="Settings"
      blocked={blocked}
      record={source}
      readRecord={async () => await api.getSource(source.id)}
      changeOf={changeOf}
      save={async (given) => await change.mutateAsync(given)}
      requestOf={(body) => ({ method: 'PATCH', path: `/api/v1/sources/${source.id}`, body })}
    >
      <TextInput label="Name" name="name" defaultValue={source.name} required maxLength={200} />
      {fields.map((field) => (
        <FieldInput key={controlOf(field)} field={field} shown={shownIn(field, source.config)} />
      ))}
      {fields.length > 0 && <p>Changes to these fields apply when the source is next read.</p>}
      <TextInput
        label="Version of the product"
        name="version_label"
        defaultValue={source.version_label ?? ''}
        maxLength={64}
        hint="Questions that name a version are answered from it."
      />
      <VisibilitySelect
        isInternal={isInternal}
        defaultValue={source.visibility}
        hint="Applies at once, also to existing documents, except those that were shown or restricted one by one."
      />
      {!isWritten(source) && (
        <Select label="Read again" name="refresh" options={REFRESHES} defaultValue={source.refresh} />
      )}
      {!isWritten(source) && (
        <Select
          label="Hold back what it finds"
          name="hold_back_drop"
          options={holdBackOptions(source.hold_back_drop)}
          defaultValue={String(source.hold_back_drop ?? '')}
          hint="Each time it was read, the questions of the evaluation set are searched with and without the new documents. If too many no longer find their page among the first five, readers keep what they had until you accept."
        />
      )}
    </SaveForm>
  )
}

/** What the last sync did. */
function syncFigures(last: Source['last_sync']): Figure[] {
  if (last === null)
    return [
      { name: 'Changed by the last sync', value: '–' },
      { name: 'Not read', value: '–' },
    ]
  const { added, changed, removed, failed, skipped } = last.counts
  return [
    {
      name: 'Changed by the last sync',
      value: count(added + changed + removed),
      note: `${count(added)} added, ${count(changed)} changed, ${count(removed)} removed`,
    },
    { name: 'Not read', value: count(failed), note: `${count(skipped)} left out on purpose` },
  ]
}

/** Why the last sync ended early. Deletions that it held back are no fault. */
function LastFault({ source }: { source: Source }) {
  if (isRunning(source) || heldBackBecause(source) !== undefined) return null
  const isFailed = source.status === 'failed'
  const because = source.last_sync?.error ?? (isFailed ? 'Nothing could be read.' : undefined)
  return because === undefined ? null : <Banner tone={isFailed ? 'danger' : 'warn'}>{because}</Banner>
}

/** Where the documents of a source come from: its files, its account, its syncs, or a program. */
function WhatCameIn({
  baseId,
  source,
  mayChange,
  blocked,
}: {
  baseId: string
  source: Source
  mayChange: boolean
  blocked: string | undefined
}) {
  const { id, type, status } = source
  return (
    <>
      {type === 'push' && <PushDocuments sourceId={id} />}
      {type === 'files' && (
        <>
          <AddFiles baseId={baseId} sourceId={id} blocked={blocked} />
          {mayChange && <UploadedFiles baseId={baseId} source={source} blocked={blocked} />}
        </>
      )}
      <SourceAccount source={source} blocked={blocked} />
      <MeasuredSync source={source} />
      {!isWritten(source) && (
        <SyncHistory
          baseId={baseId}
          sourceId={id}
          runningStatus={status}
          mayChange={mayChange}
          blocked={blocked}
        />
      )}
    </>
  )
}

/** One source: how it is, what its syncs did, and its settings. */
export function SourcePage() {
  const { baseId, sourceId } = useParams({ from: '/kb/$baseId/sources/$sourceId' })
  const base = useKnowledgeBase(baseId)
  const source = useSource(baseId, sourceId)
  const { sync, cancel, remove } = useSourceActions(baseId)
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState<Source>()
  const blocked =
    base.data?.status === 'archived'
      ? 'This knowledge base is archived.'
      : base.data?.your_permissions.includes('config') === true
        ? undefined
        : 'This needs the permission Config on the knowledge base.'
  const running = source.data !== undefined && isRunning(source.data) ? source.data.last_sync : undefined
  return (
    <Page
      title={source.data?.name ?? 'Source'}
      lead={
        <Link to="/kb/$baseId/sources" params={{ baseId }}>
          All sources
        </Link>
      }
      actions={
        source.data === undefined ? undefined : (
          <>
            {isWritten(source.data) ? null : running === undefined ? (
              <Button blocked={blocked} disabled={sync.isPending} onClick={() => sync.mutate(sourceId)}>
                Read again
              </Button>
            ) : (
              <Button blocked={blocked} onClick={() => running !== null && cancel.mutate(running.id)}>
                Cancel
              </Button>
            )}
            <Button blocked={blocked} onClick={() => setLeaving(source.data)}>
              Delete
            </Button>
          </>
        )
      }
    >
      <Loaded query={source}>
        {(loaded) => {
          const { tone, word } = sourceTone(loaded)
          const again = readAgain(loaded)
          return (
            <>
              <LastFault source={loaded} />
              <Figures
                figures={[
                  {
                    name: sourceTypeName(loaded.type),
                    value: <Status tone={tone}>{word}</Status>,
                    note: isRunning(loaded) ? (
                      <SyncProgress source={loaded} />
                    ) : (
                      <>
                        <Time
                          at={loaded.last_sync?.finished_at}
                          absent={isWritten(loaded) ? 'nothing to read again' : 'not read yet'}
                        />
                        {again !== undefined && ` · ${again}`}
                        {loaded.next_sync_at !== null && (
                          <>
                            {' '}
                            · next <Time at={loaded.next_sync_at} />
                          </>
                        )}
                      </>
                    ),
                  },
                  { name: 'Documents', value: count(loaded.document_count) },
                  ...(isWritten(loaded) ? [] : syncFigures(loaded.last_sync)),
                ]}
              />
              <WhatIsRead source={loaded} />
              {loaded.held_sync_id !== null && (
                <HeldSync
                  baseId={baseId}
                  syncId={loaded.held_sync_id}
                  isRunning={isRunning(loaded)}
                  blocked={blocked}
                />
              )}
              <WhatCameIn
                baseId={baseId}
                source={loaded}
                mayChange={base.data?.your_permissions.includes('config') === true}
                blocked={blocked}
              />
              <SourceSettings source={loaded} isInternal={base.data?.type === 'internal'} blocked={blocked} />
            </>
          )
        }}
      </Loaded>
      <DeleteSource
        source={leaving}
        onClose={() => setLeaving(undefined)}
        onDelete={({ id }) => {
          remove.mutate(id)
          void navigate({ to: '/kb/$baseId/sources', params: { baseId } })
        }}
      />
    </Page>
  )
}
