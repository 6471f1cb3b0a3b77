import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useKnowledgeBases } from '../../api/knowledge-bases.ts'
import { useMembers } from '../../api/members.ts'
import { useApi } from '../../api/session.ts'
import { useMayAdminister } from '../../api/workspaces.ts'
import { Button } from '../../ui/button.tsx'
import { Download } from '../../ui/download.tsx'
import { Fault } from '../../ui/fault.tsx'
import { ChoiceFilter, FilterBar } from '../../ui/filter-bar.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { wordsOfCode } from '../../ui/names.ts'
import { Empty, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useWhoCan } from '../../ui/who-can.ts'
import { WorkspaceTabs } from '../../ui/workspace-tabs.tsx'
import classes from './activity-page.module.css'

/** Limits the log to one person, or to one knowledge base. Who has left, and what was deleted, is in the whole log. */
function ActivityFilters({ workspaceId }: { workspaceId: string }) {
  const { by = '', kb = '' } = useSearch({ from: '/w/$workspaceId/activity' })
  const navigate = useNavigate({ from: '/w/$workspaceId/activity' })
  const members = useMembers(workspaceId).data ?? []
  const bases = useKnowledgeBases(workspaceId).data ?? []
  const limit = (change: { by?: string; kb?: string }) => {
    const next = { by, kb, ...change }
    void navigate({
      search: { ...(next.by !== '' && { by: next.by }), ...(next.kb !== '' && { kb: next.kb }) },
      replace: true,
    })
  }
  return (
    <FilterBar>
      <ChoiceFilter
        label="Who"
        value={by}
        options={[
          ['', 'Everyone'],
          ...members.map(({ user_id: id, name, email }) => [id, name || email] as const),
        ]}
        onChange={(next) => limit({ by: next })}
      />
      <ChoiceFilter
        label="Knowledge base"
        value={kb}
        options={[['', 'All, and the workspace'], ...bases.map(({ id, name }) => [id, name] as const)]}
        onChange={(next) => limit({ kb: next })}
      />
    </FilterBar>
  )
}

/** Who changed what, newest first. Entries never change. */
export function ActivityPage() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId/activity' })
  const api = useApi()
  const mayRead = useMayAdminister(workspaceId)
  const whoCan = useWhoCan()
  const { by, kb } = useSearch({ from: '/w/$workspaceId/activity' })
  const only = {
    ...(by !== undefined && { actor_id: by }),
    ...(kb !== undefined && { knowledge_base_id: kb }),
  }
  const log = useInfiniteQuery({
    queryKey: ['activity', workspaceId, only],
    queryFn: async ({ pageParam, signal }) =>
      await api.listActivity(
        workspaceId,
        { limit: 50, ...only, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    enabled: mayRead,
  })
  const rows = log.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Page
      title="Activity log"
      lead="Who changed what. Entries are chained by hashes and never change."
      actions={
        rows.length > 0 && (
          <Download
            href={`/api/v1/workspaces/${workspaceId}/activity/export?${new URLSearchParams(only).toString()}`}
          >
            Export CSV
          </Download>
        )
      }
    >
      <WorkspaceTabs workspaceId={workspaceId} />
      {!mayRead && <Empty says={`Only owners and admins of the workspace may read it. ${whoCan}`} />}
      {mayRead && <ActivityFilters workspaceId={workspaceId} />}
      {log.isSuccess && rows.length === 0 && (
        <Empty says="No entries match. Choose another person or knowledge base." />
      )}
      {mayRead && log.isPending && <Skeleton />}
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
              name: 'Via',
              of: ({ actor }) => actor.token_name ?? (actor.type === 'person' ? 'browser' : 'service'),
            },
            { name: 'Action', of: ({ action }) => <span title={action}>{wordsOfCode(action)}</span> },
            {
              name: 'Target',
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
