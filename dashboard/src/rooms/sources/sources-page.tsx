import type { Source } from '@citewell/sdk/management'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ListFilter } from '../../ui/list-filter.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { sourceTypeName } from '../../ui/names.ts'
import { RowActions } from '../../ui/row-actions.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { heldBackBecause, isRunning, isWritten, readAgain, sourceTone } from '../../ui/source-status.ts'
import { DeleteSource } from './delete-source.tsx'
import { HeldBack } from './held-back.tsx'
import { SourceErrors } from './source-errors.tsx'
import { SyncProgress } from './sync-progress.tsx'
import { useSourceActions, useSources } from '../../api/sources.ts'
import classes from './sources-page.module.css'

/** Rows of the first drawing: as many as a tall window shows. Hundreds more are drawn behind it, without holding up a press. */
const FIRST_ROWS = 40

/** Where a knowledge base reads its content from. */
export function SourcesPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/sources' })
  const { q } = useSearch({ from: '/kb/$baseId/sources' })
  const base = useKnowledgeBase(baseId)
  const sources = useSources(baseId)
  const rows = useDeferredValue(sources.data, sources.data?.slice(0, FIRST_ROWS))
  const { sync, syncAll, syncAndDelete, cancel, remove } = useSourceActions(baseId)
  const [leaving, setLeaving] = useState<Source>()
  const [failing, setFailing] = useState<Source>()
  const blocked =
    base.data?.status === 'archived'
      ? 'This knowledge base is archived.'
      : base.data?.your_permissions.includes('config') === true
        ? undefined
        : 'This needs the permission Config on the knowledge base.'
  return (
    <Page
      title="Sources"
      lead="What answers are based on. While a source is read again, readers keep the answers they had."
      actions={
        blocked === undefined ? (
          <>
            {sources.data?.some((source) => !isWritten(source)) && (
              <Button disabled={syncAll.isPending} onClick={() => syncAll.mutate()}>
                Read all again
              </Button>
            )}
            <Link className={classes['add']} to="/kb/$baseId/sources/new" params={{ baseId }}>
              Add a source
            </Link>
          </>
        ) : undefined
      }
    >
      <Loaded query={sources}>
        {(list) =>
          list.length === 0 ? (
            <Empty says="No source yet. Give Citewell the address of your documentation: it shows what it will read before it reads it.">
              {blocked === undefined && (
                <Link to="/kb/$baseId/sources/new" params={{ baseId }}>
                  Add the first source
                </Link>
              )}
            </Empty>
          ) : (
            <ListFilter
              label="Name, type or version contains"
              rows={q === undefined ? (rows ?? list.slice(0, FIRST_ROWS)) : list}
              textOf={({ name, type, version_label: version }) =>
                `${name} ${sourceTypeName(type)} ${version ?? ''}`
              }
            >
              {(found) => (
                <Table
                  label="Sources"
                  rows={found}
                  keyOf={({ id }) => id}
                  columns={[
                    {
                      name: 'Name',
                      of: ({ id, name }) => (
                        <Link to="/kb/$baseId/sources/$sourceId" params={{ baseId, sourceId: id }}>
                          {name}
                        </Link>
                      ),
                    },
                    { name: 'Type', of: ({ type }) => sourceTypeName(type) },
                    { name: 'Version', of: (source) => source.version_label ?? '–' },
                    {
                      name: 'Visible to',
                      of: ({ visibility }) => (visibility === 'public' ? 'Everyone' : 'Members'),
                    },
                    { name: 'Documents', isNumber: true, of: (source) => count(source.document_count) },
                    {
                      name: 'Last read',
                      of: (source) => (
                        <Time at={source.last_sync?.finished_at} absent={isWritten(source) ? '–' : 'never'} />
                      ),
                    },
                    {
                      name: 'State',
                      of: (source) => {
                        const { tone, word } = sourceTone(source)
                        const again = readAgain(source)
                        const failed = source.last_sync?.counts.failed ?? 0
                        const isUnread = source.last_sync?.error && heldBackBecause(source) === undefined
                        return (
                          <div className={classes['state']}>
                            <Status tone={tone}>{word}</Status>
                            {again !== undefined && <div>{again}</div>}
                            {isRunning(source) && <SyncProgress source={source} />}
                            <HeldBack
                              source={source}
                              blocked={blocked}
                              onAccept={() => syncAndDelete.mutate(source.id)}
                            />
                            {!isRunning(source) && (failed > 0 || isUnread) && (
                              <Button
                                look="link"
                                aria-description={`of ${source.name}`}
                                onClick={() => setFailing(source)}
                              >
                                {failed > 0 ? `${count(failed)} not read` : 'Why'}
                              </Button>
                            )}
                          </div>
                        )
                      },
                    },
                    {
                      name: 'Actions',
                      of: (source) => (
                        <RowActions>
                          {isRunning(source) ? (
                            <Button
                              blocked={blocked}
                              aria-label={`Cancel reading ${source.name}`}
                              onClick={() => source.last_sync && cancel.mutate(source.last_sync.id)}
                            >
                              Cancel
                            </Button>
                          ) : (
                            !isWritten(source) && (
                              <Button
                                blocked={blocked}
                                aria-label={`Read again: ${source.name}`}
                                onClick={() => sync.mutate(source.id)}
                              >
                                Read again
                              </Button>
                            )
                          )}
                          <Button
                            look="quiet"
                            blocked={blocked}
                            aria-label={`Delete ${source.name}`}
                            onClick={() => setLeaving(source)}
                          >
                            Delete
                          </Button>
                        </RowActions>
                      ),
                    },
                  ]}
                />
              )}
            </ListFilter>
          )
        }
      </Loaded>
      <DeleteSource
        source={leaving}
        onClose={() => setLeaving(undefined)}
        onDelete={({ id }) => remove.mutate(id)}
      />
      <Dialog
        isOpen={failing !== undefined}
        onClose={() => setFailing(undefined)}
        title={`What could not be read of “${failing?.name ?? ''}”`}
      >
        {failing?.last_sync && (
          <SourceErrors
            baseId={baseId}
            syncId={failing.last_sync.id}
            blocked={blocked}
            onRetried={() => setFailing(undefined)}
          />
        )}
      </Dialog>
    </Page>
  )
}
