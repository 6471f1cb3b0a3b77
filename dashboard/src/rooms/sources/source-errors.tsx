import type { Sync } from '@citewell/sdk/management'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/session.ts'
import { useSourceActions } from '../../api/sources.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCurl } from '../../ui/copy-curl.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Listed } from '../../ui/listed.tsx'
import { Banner } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import classes from './sources-page.module.css'

/** Milliseconds between two looks at a sync that runs: its list is there at its end. */
const FOLLOW_MS = 1_500

/** What a sync says of itself as a whole. */
type Told = Pick<Sync, 'error' | 'warnings'>

const saysSomething = ({ error, warnings }: Told): boolean => error !== null || warnings.length > 0

/** Why a sync ended early, and what limits left out. */
const WhatItSays = ({ sync: { error, warnings } }: { sync: Told }) => (
  <>
    {error !== null && <Banner tone="danger">{error}</Banner>}
    {warnings.map((warning) => (
      <Banner key={warning} tone="warn">
        {warning}
      </Banner>
    ))}
  </>
)

/** The addresses that a sync could not read, each with its reason, and the way to read them again. */
export function SourceErrors({
  baseId,
  syncId,
  blocked,
  onRetried,
}: {
  baseId: string
  syncId: string
  /** Why nothing may be read again. */
  blocked: string | undefined
  onRetried: () => void
}) {
  const api = useApi()
  const { retry } = useSourceActions(baseId)
  const sync = useQuery({
    queryKey: ['sync', syncId],
    queryFn: ({ signal }) => api.getSync(syncId, { signal }),
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? FOLLOW_MS : false),
  })
  const end = sync.data?.finished_at
  const errors = useInfiniteQuery({
    queryKey: ['sync', syncId, 'errors', end],
    queryFn: async ({ pageParam, signal }) =>
      await api.listSyncErrors(
        syncId,
        { kind: 'failed', limit: 50, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    enabled: sync.isSuccess,
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  const failed = sync.data?.counts.failed ?? 0
  return (
    <>
      {sync.isSuccess && <WhatItSays sync={sync.data} />}
      {sync.isError && <Fault error={sync.error} onRetry={() => void sync.refetch()} />}
      {sync.isSuccess && (failed > 0 || !saysSomething(sync.data)) && (
        <Listed
          query={errors}
          empty={end === null ? 'The list comes when the sync has ended.' : 'Every address could be read.'}
        >
          {(rows) => (
            <Table
              label="Addresses that could not be read"
              rows={rows}
              keyOf={({ url }) => url}
              columns={[
                { name: 'Address', of: ({ url }) => url },
                { name: 'Reason', of: ({ reason: why }) => why },
                {
                  name: 'Actions',
                  of: ({ url }) => (
                    <Button
                      look="quiet"
                      blocked={blocked}
                      disabled={retry.isPending}
                      aria-label={`Retry ${url}`}
                      onClick={() => retry.mutate({ syncId, urls: [url] }, { onSuccess: onRetried })}
                    >
                      Retry
                    </Button>
                  ),
                },
              ]}
            />
          )}
        </Listed>
      )}
      {failed > 1 && (
        <p className={classes['choice']}>
          <Button
            blocked={blocked}
            disabled={retry.isPending}
            onClick={() => retry.mutate({ syncId }, { onSuccess: onRetried })}
          >
            Retry all of them
          </Button>
          <CopyCurl requestOf={() => ({ method: 'POST', path: `/api/v1/syncs/${syncId}/retry` })} />
        </p>
      )}
    </>
  )
}
