import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/session.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Banner } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'

/** The addresses that a sync could not read, each with its reason. */
export function SourceErrors({ syncId }: { syncId: string }) {
  const api = useApi()
  const sync = useQuery({
    queryKey: ['sync', syncId],
    queryFn: ({ signal }) => api.getSync(syncId, { signal }),
  })
  return (
    <Loaded query={sync}>
      {({ error, errors }) => (
        <>
          {error !== null && <Banner tone="danger">{error}</Banner>}
          <Table
            label="Addresses that could not be read"
            rows={errors.filter(({ kind }) => kind === 'failed')}
            keyOf={({ url }) => url}
            columns={[
              { name: 'Address', of: ({ url }) => url },
              { name: 'Reason', of: ({ reason }) => reason },
            ]}
          />
        </>
      )}
    </Loaded>
  )
}
