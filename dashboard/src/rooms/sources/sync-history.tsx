import type { Source, SyncSummary } from '@citewell/sdk/management'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Listed } from '../../ui/listed.tsx'
import { Card } from '../../ui/page.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { SourceErrors } from './source-errors.tsx'
import { SyncChanges } from './sync-changes.tsx'
import classes from './sources-page.module.css'

const OUTCOMES: Record<SyncSummary['status'], readonly [tone: Tone, word: string]> = {
  queued: ['info', 'Waiting'],
  running: ['info', 'Reading'],
  succeeded: ['ok', 'Read'],
  partial: ['warn', 'Read in part'],
  failed: ['danger', 'Failed'],
  cancelled: ['quiet', 'Cancelled'],
}

const HOLDS: Record<NonNullable<SyncSummary['hold']>['status'], readonly [tone: Tone, word: string]> = {
  reading: ['info', 'not visible yet'],
  measuring: ['info', 'being measured'],
  waiting: ['warn', 'held back'],
  released: ['ok', 'measured'],
  accepted: ['ok', 'accepted'],
  discarded: ['quiet', 'discarded'],
  superseded: ['quiet', 'taken over by a later one'],
}

function Outcome({ status, hold, warnings, retried_addresses: retried }: SyncSummary) {
  const [tone, word] = OUTCOMES[status]
  const [holdTone, holdWord] = hold === null ? [] : HOLDS[hold.status]
  return (
    <span className={classes['outcome']}>
      <Status tone={tone}>{word}</Status>
      {retried !== null && <span>retry of {count(retried)}</span>}
      {warnings.length > 0 && <Status tone="warn">something left out</Status>}
      {holdTone !== undefined && <Status tone={holdTone}>{holdWord}</Status>}
    </span>
  )
}

/** The syncs of a source, newest first. */
export function SyncHistory({
  baseId,
  sourceId,
  runningStatus,
  mayChange,
  blocked,
}: {
  baseId: string
  sourceId: string
  /** The person may see what changed: it names documents, restricted ones too. */
  mayChange: boolean
  /** Why nothing may be read again. */
  blocked: string | undefined
  /** The history is read again when it changes. */
  runningStatus: Source['status']
}) {
  const api = useApi()
  const [failing, setFailing] = useState<SyncSummary>()
  const [changed, setChanged] = useState<SyncSummary>()
  const syncs = useInfiniteQuery({
    queryKey: ['syncs', sourceId, runningStatus],
    queryFn: async ({ pageParam, signal }) =>
      await api.listSyncs(sourceId, { limit: 10, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (before) => before,
  })
  return (
    <Card title="History">
      <Listed isByTime query={syncs} empty="It was not read yet.">
        {(rows) => (
          <Table
            label="Syncs"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Began', of: (sync) => <Time at={sync.started_at ?? sync.created_at} /> },
              { name: 'Outcome', of: (sync) => <Outcome {...sync} /> },
              { name: 'Added', isNumber: true, of: ({ counts }) => count(counts.added) },
              { name: 'Changed', isNumber: true, of: ({ counts }) => count(counts.changed) },
              { name: 'Unchanged', isNumber: true, of: ({ counts }) => count(counts.unchanged) },
              { name: 'Removed', isNumber: true, of: ({ counts }) => count(counts.removed) },
              ...(mayChange
                ? [
                    {
                      name: 'Documents',
                      of: (sync: SyncSummary) =>
                        sync.counts.added + sync.counts.changed + sync.counts.removed === 0 ? (
                          '–'
                        ) : (
                          <Button look="link" onClick={() => setChanged(sync)}>
                            What changed
                          </Button>
                        ),
                    },
                  ]
                : []),
              {
                name: 'Not read',
                isNumber: true,
                of: (sync) =>
                  sync.counts.failed === 0 && sync.error === null && sync.warnings.length === 0 ? (
                    count(0)
                  ) : (
                    <Button look="link" onClick={() => setFailing(sync)}>
                      {sync.counts.failed === 0 ? 'Why' : `${count(sync.counts.failed)}: why`}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Listed>
      <Dialog
        isOpen={failing !== undefined}
        onClose={() => setFailing(undefined)}
        title="What could not be read"
      >
        {failing !== undefined && (
          <SourceErrors
            baseId={baseId}
            syncId={failing.id}
            blocked={blocked}
            onRetried={() => setFailing(undefined)}
          />
        )}
      </Dialog>
      <Dialog
        isOpen={changed !== undefined}
        onClose={() => setChanged(undefined)}
        title="What the sync changed"
      >
        {changed !== undefined && <SyncChanges sync={changed} />}
      </Dialog>
    </Card>
  )
}
