import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Actions } from '../../ui/filters.tsx'
import { Listed } from '../../ui/listed.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { FOLLOW_MS, isGoing, NAMES, share } from './run-figures.ts'
import { RunStatus } from './run-status.tsx'

export function RunsTab({ baseId, blocked }: { baseId: string; blocked: string | undefined }) {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const runs = useInfiniteQuery({
    queryKey: ['evaluations', baseId],
    queryFn: async ({ pageParam, signal }) =>
      await api.listEvaluations(baseId, { limit: 50, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isGoing)) === true ? FOLLOW_MS : false,
  })
  const start = useMutation({
    mutationFn: () => api.createEvaluation(baseId),
    onSuccess: async (run) => {
      await client.invalidateQueries({ queryKey: ['evaluations', baseId] })
      await navigate({ to: '/kb/$baseId/evaluation/$runId', params: { baseId, runId: run.id } })
    },
  })
  const going = runs.data?.pages.some(({ data }) => data.some(isGoing)) === true
  return (
    <>
      <Actions>
        <Button
          look="primary"
          blocked={blocked ?? (going ? 'A run is still in progress.' : undefined)}
          disabled={start.isPending}
          onClick={() => start.mutate()}
        >
          Run the evaluation
        </Button>
      </Actions>
      {start.isError && <Fault error={start.error} />}
      <Listed
        query={runs}
        isByTime
        empty="No run yet. Add questions under Questions, or “Add to the evaluation set” on a trace; then run them. In a pipeline: citewell eval."
      >
        {(rows) => (
          <Table
            label="Runs"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                name: 'Started',
                of: ({ id, created_at: at }) => (
                  <Link to="/kb/$baseId/evaluation/$runId" params={{ baseId, runId: id }}>
                    <Time at={at} />
                  </Link>
                ),
              },
              { name: 'State', of: (run) => <RunStatus run={run} /> },
              {
                name: 'Questions',
                isNumber: true,
                of: ({ completed, total }) =>
                  completed === total ? count(total) : `${count(completed)} of ${count(total)}`,
              },
              ...NAMES.map(([figure, name]) => ({
                name,
                isNumber: true,
                of: ({ figures }: (typeof rows)[number]) => share(figures[figure]),
              })),
            ]}
          />
        )}
      </Listed>
    </>
  )
}
