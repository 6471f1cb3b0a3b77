import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Fault } from './fault.tsx'
import { Skeleton } from './loaded.tsx'
import { Empty } from './page.tsx'

/** A list that is read in pages: its rows so far, and the way to more. */
export function Listed<Row>({
  query,
  empty,
  isByTime = false,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<{ data: Row[] }>>
  empty: string
  /** Whether its rows are the latest first. */
  isByTime?: boolean
  children: (rows: Row[]) => ReactNode
}) {
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      {query.isPending && <Skeleton />}
      {query.isError && <Fault error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && rows.length === 0 && <Empty says={empty} />}
      {rows.length > 0 && children(rows)}
      {query.hasNextPage && (
        <p>
          <Button onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
            {isByTime ? 'Show earlier ones' : 'Show more'}
          </Button>
        </p>
      )}
    </>
  )
}
