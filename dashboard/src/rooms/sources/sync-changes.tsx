import type { SyncChange, SyncSummary } from '@citewell/sdk/management'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { Select } from '../../ui/field.tsx'
import { Listed } from '../../ui/listed.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count } from '../../ui/time.tsx'
import { CHANGE_KINDS } from './change-kinds.ts'

const KINDS = ['added', 'changed', 'removed'] as const

/** The documents that a sync added, changed or removed. */
export function SyncChanges({ sync: { id, counts, finished_at: end } }: { sync: SyncSummary }) {
  const api = useApi()
  const [kind, setKind] = useState<SyncChange['kind']>()
  const changes = useInfiniteQuery({
    queryKey: ['sync', id, 'changes', kind],
    queryFn: async ({ pageParam, signal }) =>
      await api.listSyncChanges(
        id,
        { limit: 50, ...(kind && { kind }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  const all = counts.added + counts.changed + counts.removed
  return (
    <>
      <Select
        label="Show"
        value={kind ?? ''}
        onChange={(event) => setKind(KINDS.find((one) => one === event.target.value))}
        options={[
          ['', `All ${count(all)}`],
          ...KINDS.map((one) => [one, `${CHANGE_KINDS[one][1]}: ${count(counts[one])}`] as const),
        ]}
      />
      <Listed
        query={changes}
        empty={
          end === null
            ? 'The list comes when the sync has ended.'
            : 'None. Earlier syncs, before this was recorded, list no documents.'
        }
      >
        {(rows) => (
          <Table
            label="Documents that changed"
            rows={rows}
            keyOf={({ kind: what, url }) => `${what} ${url}`}
            columns={[
              {
                name: 'What happened',
                of: ({ kind: what }) => {
                  const [tone, word] = CHANGE_KINDS[what]
                  return <Status tone={tone}>{word}</Status>
                },
              },
              { name: 'Document', of: ({ title }) => title },
              { name: 'Address', of: ({ url }) => url },
            ]}
          />
        )}
      </Listed>
      {all > MOST_LISTED && <p>The first {count(MOST_LISTED)} are listed.</p>}
    </>
  )
}

/** So many changes of a sync are kept. */
const MOST_LISTED = 1_000
