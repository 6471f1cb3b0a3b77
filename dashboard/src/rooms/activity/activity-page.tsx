import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Download } from '../../ui/download.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { wordsOfCode } from '../../ui/names.ts'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { WorkspaceTabs } from '../../ui/workspace-tabs.tsx'
import classes from './activity-page.module.css'

/** Who changed what, newest first. Entries never change. */
export function ActivityPage() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId/activity' })
  const api = useApi()
  const log = useInfiniteQuery({
    queryKey: ['activity', workspaceId],
    queryFn: async ({ pageParam, signal }) =>
      await api.listActivity(workspaceId, { limit: 50, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  const rows = log.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Page
      title="Activity log"
      lead="Who changed what. Entries are chained by hashes and never change."
      actions={
        rows.length > 0 && (
          <Download href={`/api/v1/workspaces/${workspaceId}/activity/export`}>Export CSV</Download>
        )
      }
    >
      <WorkspaceTabs workspaceId={workspaceId} />
      {log.isPending && <Skeleton />}
      {log.isError && <Fault error={log.error} onRetry={() => void log.refetch()} />}
      {rows.length > 0 && (
        <Table
          label="Activity"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { name: 'When', of: (entry) => <Time at={entry.created_at} /> },
            { name: 'Who', of: ({ actor }) => actor.name ?? actor.email ?? 'a deleted person' },
            {
              name: 'By',
              of: ({ actor }) => actor.token_name ?? (actor.type === 'person' ? 'browser' : 'service'),
            },
            { name: 'Did', of: ({ action }) => <span title={action}>{wordsOfCode(action)}</span> },
            {
              name: 'To',
              of: ({ action, target }) =>
                target.name ?? (action.startsWith('workspace.') ? 'this workspace' : target.id),
            },
            {
              name: 'Details',
              of: ({ details }) =>
                Object.keys(details).length > 0 && (
                  <details>
                    <summary>Show</summary>
                    <pre tabIndex={0} className={classes['details']}>
                      {JSON.stringify(details, null, 2)}
                    </pre>
                  </details>
                ),
            },
          ]}
        />
      )}
      {log.hasNextPage && (
        <p>
          <Button onClick={() => void log.fetchNextPage()} disabled={log.isFetchingNextPage}>
            Show earlier ones
          </Button>
        </p>
      )}
    </Page>
  )
}
