import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useApi } from '../../api/session.ts'
import { useKeepsNothing } from '../../api/workspaces.ts'
import { Download } from '../../ui/download.tsx'
import { KeepsNothing } from '../../ui/keeps-nothing.tsx'
import { Listed } from '../../ui/listed.tsx'
import { NONE_SHOWN, ShowFilter } from '../../ui/show-filter.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Page } from '../../ui/page.tsx'
import { surfaceName } from '../../ui/names.ts'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'

const FILTERS = [
  ['', 'All conversations'],
  ['not-covered', 'With an answer that was not covered'],
  ['down', 'With an answer that was rated down'],
  ['up', 'With an answer that was rated up'],
] as const

const queryOf = (show: string): { covered?: 'false'; rating?: 'up' | 'down' } => {
  if (show === 'not-covered') return { covered: 'false' }
  return show === 'up' || show === 'down' ? { rating: show } : {}
}

/** What readers asked, newest first. */
export function ConversationsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/conversations' })
  const { show = '' } = useSearch({ from: '/kb/$baseId/conversations' })
  const api = useApi()
  const base = useKnowledgeBase(baseId)
  const keepsNothing = useKeepsNothing(base.data)
  const mayRead = base.data?.your_permissions.includes('config') === true
  const conversations = useInfiniteQuery({
    queryKey: ['conversations', baseId, show],
    queryFn: async ({ pageParam, signal }) =>
      await api.listConversations(
        baseId,
        { limit: 50, ...queryOf(show), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    enabled: mayRead,
  })
  const hasRows = conversations.data?.pages.some(({ data }) => data.length > 0) === true
  return (
    <Page
      title="Conversations"
      lead="Every question of readers and members, with its answer."
      actions={
        mayRead &&
        hasRows &&
        (['csv', 'ndjson'] as const).map((format) => (
          <Download
            key={format}
            href={`/api/v1/knowledge-bases/${baseId}/conversations/export?${new URLSearchParams({ ...queryOf(show), format })}`}
          >
            Export {format === 'csv' ? 'CSV' : 'NDJSON'}
          </Download>
        ))
      }
    >
      <NeedsPermission base={base.data} permission="config">
        <KeepsNothing isSo={keepsNothing} what="conversations" />
        <ShowFilter options={FILTERS} value={show} />
        <Listed
          query={conversations}
          isByTime
          empty={show === '' ? 'No conversations. They appear here as soon as somebody asks.' : NONE_SHOWN}
        >
          {(rows) => (
            <Table
              label="Conversations"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'First question',
                  of: ({ id, first_query: first }) => (
                    <Link
                      to="/kb/$baseId/conversations/$conversationId"
                      params={{ baseId, conversationId: id }}
                    >
                      {first}
                    </Link>
                  ),
                },
                { name: 'Where', of: ({ surface }) => surfaceName(surface) },
                { name: 'Messages', isNumber: true, of: (one) => count(one.message_count) },
                {
                  name: 'Covered',
                  of: ({ covered }) =>
                    covered === null ? (
                      <Status tone="quiet">No answer</Status>
                    ) : covered ? (
                      <Status tone="ok">Covered</Status>
                    ) : (
                      <Status tone="warn">Not covered</Status>
                    ),
                },
                { name: 'Ratings', of: ({ ratings }) => `▲ ${ratings.up}  ▼ ${ratings.down}` },
                { name: 'Asked', of: (one) => <Time at={one.created_at} /> },
              ]}
            />
          )}
        </Listed>
      </NeedsPermission>
    </Page>
  )
}
