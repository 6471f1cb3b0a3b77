import { BYTE_ORDER_MARK, csvLine } from '@citewell/contract/csv'
import type { SimulatedTicket } from '@citewell/sdk/management'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, useRecords, whyBlocked } from '../../api/records.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/download.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { ReportView } from './report-view.tsx'
import { ReviewAnswers } from './review-answers.tsx'
import { SavingsForm } from './savings-form.tsx'
import { FOLLOW_MS, isUnderWay, SimulationStatus } from './simulation-status.tsx'
import { SimulationTickets } from './simulation-tickets.tsx'
import classes from './simulations.module.css'

/** Every ticket of a run as a table. */
const tableOf = (tickets: readonly SimulatedTicket[]): string =>
  [
    [
      'ref',
      'subject',
      'body',
      'asked_at',
      'tags',
      'language',
      'outcome',
      'confidence',
      'answer',
      'citations',
      'agent_reply',
      'like_agent',
      'review',
    ],
    ...tickets.map((ticket) => [
      ticket.ref,
      ticket.subject,
      ticket.body,
      ticket.asked_at,
      ticket.tags.join(', '),
      ticket.language,
      ticket.outcome ?? '',
      ticket.confidence,
      ticket.answer,
      ticket.citations.map(({ url }) => url).join(' '),
      ticket.agent_reply,
      ticket.like_agent,
      ticket.review,
    ]),
  ]
    .map(csvLine)
    .join('')

/** One run: how far it is, its report, and what became of each ticket. */
export function SimulationPage() {
  const { baseId, simulationId } = useParams({ from: '/kb/$baseId/simulations/$simulationId' })
  const { against } = useSearch({ from: '/kb/$baseId/simulations/$simulationId' })
  const navigate = useNavigate()
  const api = useApi()
  const base = useKnowledgeBase(baseId)
  const run = useQuery({
    queryKey: ['simulation', simulationId],
    queryFn: ({ signal }) => api.getSimulation(simulationId, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? FOLLOW_MS : false),
  })
  const { status, completed } = run.data ?? {}
  const report = useQuery({
    queryKey: ['simulation-report', simulationId, against, status, completed],
    queryFn: ({ signal }) =>
      api.getSimulationReport(simulationId, against === undefined ? {} : { against }, { signal }),
    enabled: run.isSuccess,
    placeholderData: (before) => before,
  })
  const runs = useRecords('simulations', baseId, (client, page, options) =>
    client.listSimulations(baseId, page, options),
  )
  const cancel = useRecordChange('simulations', baseId, (client) => client.cancelSimulation(simulationId), {
    says: 'The simulation was cancelled. What was tried so far is kept.',
  })
  const save = useMutation({
    mutationFn: async () => {
      const tickets = await Array.fromAsync(api.listSimulatedTickets(simulationId, { limit: 200 }).all())
      saveFile(
        'simulation.csv',
        new Blob([BYTE_ORDER_MARK, tableOf(tickets)], { type: 'text/csv;charset=utf-8' }),
      )
    },
  })
  const others = (runs.data ?? []).filter(({ id }) => id !== simulationId)
  const blocked = whyBlocked(base.data)
  return (
    <Page
      title={run.data?.name ?? 'Simulation'}
      lead={
        <Link to="/kb/$baseId/simulations" params={{ baseId }}>
          All simulations
        </Link>
      }
      actions={
        run.data !== undefined && (
          <>
            {isUnderWay(run.data) && (
              <Button
                blocked={blocked}
                onClick={() => cancel.mutate(undefined, { onSuccess: () => void run.refetch() })}
              >
                Cancel the simulation
              </Button>
            )}
            <Button onClick={() => window.print()}>Print</Button>
            <Button onClick={() => save.mutate()} disabled={save.isPending}>
              Export as CSV
            </Button>
            <Button
              disabled={report.data === undefined}
              onClick={() =>
                saveFile(
                  'simulation-report.json',
                  new Blob([JSON.stringify(report.data, null, 2)], { type: 'application/json' }),
                )
              }
            >
              Export as JSON
            </Button>
          </>
        )
      }
    >
      {save.isError && <Fault error={save.error} />}
      <Loaded query={run}>
        {(loaded) => (
          <>
            <p role="status">
              <SimulationStatus run={loaded} />
            </p>
            {isUnderWay(loaded) && (
              <progress
                className={classes['progress']}
                max={loaded.total}
                value={loaded.completed}
                aria-label={`${loaded.completed} of ${loaded.total} tickets were tried`}
              />
            )}
            {loaded.error !== null && <Banner tone="danger">{loaded.error}</Banner>}
            {others.length > 0 && (
              <Select
                label="Compare with"
                value={against ?? ''}
                options={[['', 'No other run'], ...others.map(({ id, name }) => [id, name] as const)]}
                onChange={(event) =>
                  void navigate({
                    to: '.',
                    search: event.target.value === '' ? {} : { against: event.target.value },
                    replace: true,
                  })
                }
                hint="Which tickets are answered now that were not, and the other way round."
              />
            )}
            {report.isError && <Fault error={report.error} onRetry={() => void report.refetch()} />}
            {report.data !== undefined && (
              <ReportView report={report.data}>
                {report.data.tried.answered > 0 && (
                  <ReviewAnswers
                    simulationId={simulationId}
                    reviews={report.data.reviews}
                    blocked={blocked}
                  />
                )}
                <SavingsForm solved={report.data.solved} />
              </ReportView>
            )}
            <SimulationTickets simulationId={simulationId} completed={loaded.completed} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
