import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { useKeepsNothing } from '../../api/workspaces.ts'
import { NONE_SHOWN, ShowFilter } from '../../ui/show-filter.tsx'
import { KeepsNothing } from '../../ui/keeps-nothing.tsx'
import { Listed } from '../../ui/listed.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Page } from '../../ui/page.tsx'
import { surfaceName } from '../../ui/names.ts'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Vote } from '../../ui/vote.tsx'

const FILTERS = [
  ['', 'All ratings'],
  ['comment', 'With a comment'],
  ['down', 'Rated down'],
  ['up', 'Rated up'],
] as const

const queryOf = (show: string): { vote?: 'up' | 'down'; has_comment?: 'true' } => {
  if (show === 'comment') return { has_comment: 'true' }
  return show === 'up' || show === 'down' ? { vote: show } : {}
}

/** What readers and members think of the answers, the latest first. */
export function FeedbackPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/feedback' })
  const { show = '' } = useSearch({ from: '/kb/$baseId/feedback' })
  const api = useApi()
  const base = useKnowledgeBase(baseId)
  const keepsNothing = useKeepsNothing(base.data)
  const feedback = useInfiniteQuery({
    queryKey: ['feedback', baseId, show],
    queryFn: async ({ pageParam, signal }) =>
      await api.listFeedback(
        baseId,
        { limit: 50, ...queryOf(show), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    enabled: base.data?.your_permissions.includes('config') === true,
  })
  return (
    <Page title="Feedback" lead="Ratings of answers, with the comments that came with them.">
      <NeedsPermission base={base.data} permission="config">
        <KeepsNothing isSo={keepsNothing} what="ratings" />
        <ShowFilter options={FILTERS} value={show} />
        <Listed
          query={feedback}
          isByTime
          empty={show === '' ? 'No ratings yet. Readers rate answers in the widget.' : NONE_SHOWN}
        >
          {(rows) => (
            <Table
              label="Feedback"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Rating',
                  of: ({ vote }) => <Vote vote={vote} />,
                },
                { name: 'Comment', of: ({ comment }) => <span dir="auto">{comment ?? '–'}</span> },
                {
                  name: 'Question',
                  of: ({ query, conversation_id: conversationId }) => (
                    <Link
                      to="/kb/$baseId/conversations/$conversationId"
                      params={{ baseId, conversationId }}
                      dir="auto"
                    >
                      {query}
                    </Link>
                  ),
                },
                {
                  name: 'Answer',
                  of: ({ covered }) =>
                    covered ? <Status tone="ok">Covered</Status> : <Status tone="warn">Not covered</Status>,
                },
                { name: 'Where', of: ({ source }) => surfaceName(source) },
                { name: 'Rated', of: (one) => <Time at={one.created_at} /> },
                {
                  name: 'Steps',
                  of: ({ message_id: messageId }) => (
                    <Link to="/kb/$baseId/traces/$messageId" params={{ baseId, messageId }}>
                      Trace
                    </Link>
                  ),
                },
              ]}
            />
          )}
        </Listed>
      </NeedsPermission>
    </Page>
  )
}
