import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'

/** The pages that answers are based on. */
export function DocumentsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/documents' })
  const api = useApi()
  const documents = useInfiniteQuery({
    queryKey: ['documents', baseId],
    queryFn: async ({ pageParam, signal }) =>
      await api.listDocuments(baseId, { limit: 100, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  const rows = documents.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Page title="Documents" lead="The pages that answers are based on, as they were read last.">
      {documents.isPending && <Skeleton />}
      {documents.isError && <Fault error={documents.error} onRetry={() => void documents.refetch()} />}
      {documents.isSuccess && rows.length === 0 && (
        <Empty says="No documents yet: they appear while a source is read.">
          <Link to="/kb/$baseId/sources" params={{ baseId }}>
            To the sources
          </Link>
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          label="Documents"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Title',
              of: ({ id, title }) => (
                <Link to="/kb/$baseId/documents/$documentId" params={{ baseId, documentId: id }}>
                  {title}
                </Link>
              ),
            },
            {
              name: 'Visible to',
              of: ({ visibility }) =>
                visibility === 'public' ? (
                  <Status tone="ok">Everyone</Status>
                ) : (
                  <Status tone="quiet">Members</Status>
                ),
            },
            { name: 'Version', of: (document) => document.version_label ?? '–' },
            { name: 'Passages', isNumber: true, of: (document) => count(document.chunk_count) },
            { name: 'Read', of: (document) => <Time at={document.indexed_at} /> },
          ]}
        />
      )}
      {documents.hasNextPage && (
        <p>
          <Button onClick={() => void documents.fetchNextPage()} disabled={documents.isFetchingNextPage}>
            Show more
          </Button>
        </p>
      )}
    </Page>
  )
}
