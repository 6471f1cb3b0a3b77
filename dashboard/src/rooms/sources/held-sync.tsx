import type { Source, Sync } from '@citewell/sdk/management'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { useSourceActions } from '../../api/sources.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyCurl } from '../../ui/copy-curl.tsx'
import { Listed } from '../../ui/listed.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Banner, Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { CHANGE_KINDS } from './change-kinds.ts'
import classes from './sources-page.module.css'

const placeOf = (rank: number | null) => (rank === null ? 'not among the first 10' : `place ${rank}`)

function LostQuestions({ lost }: { lost: Sync['lost_questions'] }) {
  return (
    <Table
      label="Questions that lose their page"
      rows={lost}
      keyOf={({ question }) => question}
      columns={[
        { name: 'Question', of: ({ question }) => question },
        { name: 'Its page is now at', of: ({ rank_before: rank }) => placeOf(rank) },
        { name: 'and would be at', of: ({ rank_after: rank }) => placeOf(rank) },
      ]}
    />
  )
}

/** The documents that change for readers when the sync is accepted. */
function HeldDocuments({ syncId }: { syncId: string }) {
  const api = useApi()
  const documents = useInfiniteQuery({
    queryKey: ['sync', syncId, 'held-documents'],
    queryFn: async ({ pageParam, signal }) =>
      await api.listHeldDocuments(syncId, { limit: 50, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  return (
    <Listed query={documents} empty="It holds no documents back any more.">
      {(rows) => (
        <Table
          label="Documents that are held back"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'What happens',
              of: ({ kind }) => {
                const [tone, word] = CHANGE_KINDS[kind]
                return <Status tone={tone}>{word}</Status>
              },
            },
            { name: 'Document', of: ({ title }) => title },
            { name: 'Address', of: ({ url }) => url },
          ]}
        />
      )}
    </Listed>
  )
}

/** A sync whose documents wait until somebody decides: what it would cost, what it would change, and the two ways on. */
export function HeldSync({
  baseId,
  syncId,
  isRunning,
  blocked,
}: {
  baseId: string
  syncId: string
  /** The source is being read again: that sync takes the documents over. */
  isRunning: boolean
  blocked: string | undefined
}) {
  const api = useApi()
  const { accept, discard } = useSourceActions(baseId)
  const [asking, setAsking] = useState<'accept' | 'discard'>()
  const sync = useQuery({
    queryKey: ['sync', syncId],
    queryFn: ({ signal }) => api.getSync(syncId, { signal }),
  })
  const refused = blocked ?? (isRunning ? 'The source is being read. Wait until it has finished.' : undefined)
  return (
    <Card title="Held back">
      <Loaded query={sync}>
        {({ hold, lost_questions: lost }) => (
          <>
            <Banner tone="warn">
              Readers still see the earlier documents.
              {hold?.hit5_before && hold.hit5_after && (
                <>
                  {' '}
                  {hold.hit5_before.count} of {hold.hit5_before.of} questions of the evaluation set find their
                  page among the first five now; with the new documents it would be {hold.hit5_after.count}.
                </>
              )}
            </Banner>
            {lost.length > 0 && <LostQuestions lost={lost} />}
            <HeldDocuments syncId={syncId} />
            <p className={classes['choice']}>
              <Button blocked={refused} disabled={accept.isPending} onClick={() => setAsking('accept')}>
                Accept the new documents
              </Button>
              <Button blocked={refused} disabled={discard.isPending} onClick={() => setAsking('discard')}>
                Discard them
              </Button>
              <CopyCurl requestOf={() => ({ method: 'POST', path: `/api/v1/syncs/${syncId}/accept` })} />
            </p>
            <p>
              Or mend the pages and read the source again: if no question is lost then, the documents become
              visible by themselves.
            </p>
          </>
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={asking === 'accept'}
        onClose={() => setAsking(undefined)}
        title="Accept the new documents"
        action="Show them to readers"
        onConfirm={() => accept.mutate(syncId)}
      >
        <p>
          All of them become visible at the same moment, and removed ones are deleted. This cannot be undone.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asking === 'discard'}
        onClose={() => setAsking(undefined)}
        title="Discard the new documents"
        action="Discard them"
        onConfirm={() => discard.mutate(syncId)}
      >
        <p>
          Readers keep what they see. The next time the source is read, everything of it is read and measured
          again.
        </p>
      </ConfirmDialog>
    </Card>
  )
}

/** Says that what was read is not visible yet. */
export function MeasuredSync({ source }: { source: Source }) {
  const status = source.last_sync?.hold?.status
  if (status === 'reading')
    return <Banner tone="info">Readers see what is being read when it was read and measured.</Banner>
  if (status !== 'measuring') return null
  return (
    <Banner tone="info">
      The questions of the evaluation set are searched with and without the new documents. Readers keep what
      they had until then.
    </Banner>
  )
}
