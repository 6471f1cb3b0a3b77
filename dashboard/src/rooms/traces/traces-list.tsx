import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { percent } from '../../ui/percent.ts'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { useKeepsNothing } from '../../api/workspaces.ts'
import { NONE_SHOWN, ShowFilter } from '../../ui/show-filter.tsx'
import { KeepsNothing } from '../../ui/keeps-nothing.tsx'
import { Listed } from '../../ui/listed.tsx'
import { surfaceName } from '../../ui/names.ts'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { Vote } from '../../ui/vote.tsx'

const FILTERS = [
  ['', 'All questions'],
  ['not-covered', 'Not covered'],
  ['covered', 'Covered'],
  ['down', 'Rated down'],
] as const

const queryOf = (show: string): { covered?: 'true' | 'false'; vote?: 'down' } => {
  if (show === 'down') return { vote: 'down' }
  if (show === 'covered') return { covered: 'true' }
  return show === 'not-covered' ? { covered: 'false' } : {}
}

export function TracesList({ baseId }: { baseId: string }) {
  const { show = '' } = useSearch({ from: '/kb/$baseId/traces' })
  const api = useApi()
  const keepsNothing = useKeepsNothing(useKnowledgeBase(baseId).data)
  const traces = useInfiniteQuery({
    queryKey: ['traces', baseId, show],
    queryFn: async ({ pageParam, signal }) =>
      await api.listTraces(
        baseId,
        { limit: 50, ...queryOf(show), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  return (
    <>
      <KeepsNothing isSo={keepsNothing} what="traces" />
      <ShowFilter options={FILTERS} value={show} />
      <Listed
        query={traces}
        isByTime
        empty={show === '' ? 'No traces yet. Each question leaves one.' : NONE_SHOWN}
      >
        {(rows) => (
          <Table
            label="Traces"
            rows={rows}
            keyOf={({ message_id: id }) => id}
            columns={[
              {
                name: 'Question',
                of: ({ message_id: messageId, query }) => (
                  <Link to="/kb/$baseId/traces/$messageId" params={{ baseId, messageId }} dir="auto">
                    {query}
                  </Link>
                ),
              },
              { name: 'Where', of: ({ surface }) => surfaceName(surface) },
              {
                name: 'Answer',
                of: ({ covered, stopped_by: stoppedBy }) =>
                  covered === null ? (
                    <Status tone="quiet">{stoppedBy === 'cancelled' ? 'Stopped' : 'Failed'}</Status>
                  ) : covered ? (
                    <Status tone="ok">Covered</Status>
                  ) : (
                    <Status tone="warn">Not covered</Status>
                  ),
              },
              {
                name: 'Confidence',
                isNumber: true,
                of: ({ covered, confidence }) => (covered === null ? '–' : percent(confidence)),
              },
              { name: 'Rated', of: ({ vote }) => <Vote vote={vote} /> },
              {
                name: 'Took',
                isNumber: true,
                of: ({ total_ms: ms }) => (ms === null ? '–' : `${count(Math.round(ms))} ms`),
              },
              { name: 'Asked', of: (one) => <Time at={one.created_at} /> },
            ]}
          />
        )}
      </Listed>
    </>
  )
}
