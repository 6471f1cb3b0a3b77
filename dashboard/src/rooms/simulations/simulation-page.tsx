import type { SimulationWithTickets } from '@citewell/sdk/management'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { percent } from '../../api/analytics.ts'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, useRecords, whyBlocked } from '../../api/records.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/download.tsx'
import { Figures } from '../../ui/figures.tsx'
import { Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { count } from '../../ui/time.tsx'
import { compareRuns } from './compare-runs.ts'
import { writeCsv } from './parse-csv.ts'
import { FOLLOW_MS, isUnderWay, rateOf, SimulationStatus, wordOfOutcome } from './simulation-status.tsx'
import { SimulationTickets } from './simulation-tickets.tsx'
import classes from './simulations.module.css'

function useRun(id: string | undefined) {
  const api = useApi()
  return useQuery({
    queryKey: ['simulation', id],
    queryFn: ({ signal }) => api.getSimulation(id ?? '', { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? FOLLOW_MS : false),
  })
}

const tableOf = ({ tickets }: SimulationWithTickets): string =>
  writeCsv([
    ['ref', 'subject', 'body', 'outcome', 'confidence', 'answer', 'citations'],
    ...tickets.map(({ ref, subject, body, outcome, confidence, answer, citations }) => [
      ref,
      subject,
      body,
      outcome ?? '',
      confidence,
      answer,
      citations.map(({ url }) => url).join(' '),
    ]),
  ])

/** The figures of a run, beside those of another one. */
function RunFigures({
  run,
  other,
}: {
  run: SimulationWithTickets
  other: SimulationWithTickets | undefined
}) {
  const numberOf = (of: SimulationWithTickets, outcome: 'low_confidence' | 'answer_failed') =>
    of.tickets.filter((ticket) => ticket.outcome === outcome).length
  const against = (value: string | undefined) =>
    value === undefined ? undefined : `${value} in the other run`
  return (
    <Figures
      figures={[
        {
          name: 'Would be answered',
          value: percent(rateOf(run)),
          note: against(other && percent(rateOf(other))) ?? 'of the tickets that were tried',
        },
        { name: 'Tickets', value: `${count(run.completed)} of ${count(run.total)}` },
        {
          name: wordOfOutcome('low_confidence'),
          value: count(numberOf(run, 'low_confidence')),
          note: against(other && count(numberOf(other, 'low_confidence'))),
        },
        {
          name: wordOfOutcome('answer_failed'),
          value: count(numberOf(run, 'answer_failed')),
          note: against(other && count(numberOf(other, 'answer_failed'))),
        },
      ]}
    />
  )
}

/** One run: how far it is, what became of each ticket, and what another run made of them. */
export function SimulationPage() {
  const { baseId, simulationId } = useParams({ from: '/kb/$baseId/simulations/$simulationId' })
  const { against } = useSearch({ from: '/kb/$baseId/simulations/$simulationId' })
  const navigate = useNavigate()
  const base = useKnowledgeBase(baseId)
  const run = useRun(simulationId)
  const other = useRun(against)
  const runs = useRecords('simulations', baseId, (api, page, options) =>
    api.listSimulations(baseId, page, options),
  )
  const cancel = useRecordChange('simulations', baseId, (api) => api.cancelSimulation(simulationId), {
    says: 'The simulation was cancelled. What was tried so far is kept.',
  })
  const others = (runs.data ?? []).filter(({ id }) => id !== simulationId)
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
                blocked={whyBlocked(base.data)}
                onClick={() => cancel.mutate(undefined, { onSuccess: () => void run.refetch() })}
              >
                Cancel the simulation
              </Button>
            )}
            <Button
              onClick={() =>
                run.data !== undefined &&
                saveFile('simulation.csv', new Blob([tableOf(run.data)], { type: 'text/csv;charset=utf-8' }))
              }
            >
              Export as CSV
            </Button>
          </>
        )
      }
    >
      <Loaded query={run}>
        {(loaded) => (
          <>
            <p role="status">
              <SimulationStatus run={loaded} />
            </p>
            <progress
              className={classes['progress']}
              max={loaded.total}
              value={loaded.completed}
              aria-label={`${loaded.completed} of ${loaded.total} tickets were tried`}
            />
            {loaded.error !== null && <Banner tone="danger">{loaded.error}</Banner>}
            <RunFigures run={loaded} other={other.data} />
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
            <SimulationTickets
              tickets={compareRuns(loaded.tickets, other.data?.tickets ?? [])}
              isCompared={other.data !== undefined}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}
