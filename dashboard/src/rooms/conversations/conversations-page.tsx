import { SURFACES } from '@citewell/contract/closed-lists'
import { LIMITS } from '@citewell/contract/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useApi } from '../../api/session.ts'
import { useKeepsNothing } from '../../api/workspaces.ts'
import { Download } from '../../ui/download.tsx'
import { ChoiceFilter, DayFilter, FilterBar, TextFilter } from '../../ui/filter-bar.tsx'
import { KeepsNothing } from '../../ui/keeps-nothing.tsx'
import { Listed } from '../../ui/listed.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Page } from '../../ui/page.tsx'
import { surfaceName } from '../../ui/names.ts'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { votesInWords } from '../../ui/vote.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { filterOf, readConversationSearch, withDay, type ConversationSearch } from './conversation-search.ts'

const SHOWN = [
  ['', 'All conversations'],
  ['not-covered', 'With an answer that was not covered'],
  ['down', 'With an answer that was rated down'],
  ['up', 'With an answer that was rated up'],
] as const

const PLACES = [['', 'Everywhere'], ...SURFACES.map((one) => [one, surfaceName(one)] as const)] as const

function Filters({
  search: { show, q, where, from, to },
  onChange,
}: {
  search: ConversationSearch
  onChange: (change: Record<string, string>) => void
}) {
  return (
    <FilterBar>
      <TextFilter
        label="Words of a question or answer"
        value={q ?? ''}
        maxLength={LIMITS.conversationText}
        onChange={(next) => onChange({ q: next })}
      />
      <ChoiceFilter
        label="Show"
        value={show ?? ''}
        options={SHOWN}
        onChange={(next) => onChange({ show: next })}
      />
      <ChoiceFilter
        label="Where"
        value={where ?? ''}
        options={PLACES}
        onChange={(next) => onChange({ where: next })}
      />
      <DayFilter
        label="First day"
        value={from ?? ''}
        onChange={(next) => onChange(withDay({ from, to }, { from: next }))}
      />
      <DayFilter
        label="Last day"
        value={to ?? ''}
        onChange={(next) => onChange(withDay({ from, to }, { to: next }))}
      />
    </FilterBar>
  )
}

/** What readers asked, newest first. */
export function ConversationsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/conversations' })
  const search = useSearch({ from: '/kb/$baseId/conversations' })
  const filter = filterOf(search)
  const navigate = useNavigate({ from: '/kb/$baseId/conversations' })
  const api = useApi()
  const base = useKnowledgeBase(baseId)
  const keepsNothing = useKeepsNothing(base.data)
  const mayRead = base.data?.your_permissions.includes('config') === true
  const conversations = useInfiniteQuery({
    queryKey: ['conversations', baseId, filter],
    queryFn: async ({ pageParam, signal }) =>
      await api.listConversations(
        baseId,
        { limit: 50, ...filter, ...(pageParam && { cursor: pageParam }) },
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
            href={`/api/v1/knowledge-bases/${baseId}/conversations/export?${new URLSearchParams({ ...filter, format })}`}
          >
            Export {format === 'csv' ? 'CSV' : 'NDJSON'}
          </Download>
        ))
      }
    >
      <NeedsPermission base={base.data} permission="config">
        <KeepsNothing isSo={keepsNothing} what="conversations" />
        <Filters
          search={search}
          onChange={(change) =>
            void navigate({
              search: (before) => readConversationSearch({ ...before, ...change }),
              replace: true,
              resetScroll: false,
            })
          }
        />
        <Listed
          query={conversations}
          isByTime
          empty={
            Object.keys(filter).length === 0
              ? 'No conversations. They appear here as soon as somebody asks.'
              : 'No conversations found. Change or remove a filter.'
          }
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
                { name: 'Ratings', of: ({ ratings }) => votesInWords(ratings) },
                { name: 'Asked', of: (one) => <Time at={one.created_at} /> },
              ]}
            />
          )}
        </Listed>
      </NeedsPermission>
    </Page>
  )
}
