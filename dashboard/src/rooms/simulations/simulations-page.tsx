import type { HelpdeskIntegration, Simulation } from '@citewell/sdk/management'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, useRecords, whyBlocked } from '../../api/records.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { NewSimulationForm } from './new-simulation-form.tsx'
import { FOLLOW_MS, isUnderWay, rateOfRun, SimulationStatus } from './simulation-status.tsx'

/** Why no run can be started for lack of a help desk; undefined: there is one. */
function whyNoHelpdesk(helpdesks: readonly HelpdeskIntegration[] | undefined): string | undefined {
  if (helpdesks === undefined) return 'The help desks are being loaded.'
  return helpdesks.length === 0 ? 'Add a help desk first: its settings answer the tickets.' : undefined
}

/** Runs of past tickets, which say how many would have been answered. */
export function SimulationsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/simulations' })
  const api = useApi()
  const navigate = useNavigate()
  const base = useKnowledgeBase(baseId)
  const [isMaking, setMaking] = useState(false)
  const [leaving, setLeaving] = useState<Simulation>()
  const runs = useQuery({
    queryKey: ['simulations', baseId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listSimulations(baseId, { limit: 100 }, { signal }).all()),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) === true ? FOLLOW_MS : false),
  })
  const helpdesks = useRecords('helpdesk-integrations', baseId, (api, page, options) =>
    api.listHelpdeskIntegrations(baseId, page, options),
  )
  const remove = useRecordChange('simulations', baseId, (api, id: string) => api.deleteSimulation(id), {
    says: 'The simulation was deleted.',
  })
  const isInternal = base.data?.type === 'internal'
  const hasNoHelpdesk = helpdesks.data?.length === 0
  const blocked =
    whyBlocked(base.data, { internal: 'An internal knowledge base answers no customers.' }) ??
    whyNoHelpdesk(helpdesks.data)
  return (
    <Page
      title="Simulations"
      lead="Past tickets, answered as a help desk would. Nothing is posted; you see how many would not have needed a person."
      actions={
        <Button look="primary" blocked={blocked} onClick={() => setMaking(true)}>
          New simulation
        </Button>
      }
    >
      <Loaded query={runs}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              says={
                isInternal
                  ? 'An internal knowledge base answers no customers, so there is nothing to simulate.'
                  : 'No simulation yet. Paste tickets of last month, or upload them as a table.'
              }
            >
              {!isInternal && hasNoHelpdesk && (
                <Link to="/kb/$baseId/helpdesks" params={{ baseId }}>
                  Add a help desk first
                </Link>
              )}
            </Empty>
          ) : (
            <Table
              label="Simulations"
              rows={list}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Name',
                  of: ({ id, name }) => (
                    <Link to="/kb/$baseId/simulations/$simulationId" params={{ baseId, simulationId: id }}>
                      {name}
                    </Link>
                  ),
                },
                { name: 'State', of: (run) => <SimulationStatus run={run} /> },
                {
                  name: 'Tickets',
                  isNumber: true,
                  of: (run) => `${count(run.completed)} of ${count(run.total)}`,
                },
                { name: 'Would be answered', isNumber: true, of: (run) => rateOfRun(run) },
                { name: 'Started', of: (run) => <Time at={run.created_at} /> },
                {
                  name: 'Actions',
                  of: (run) => (
                    <Button
                      look="quiet"
                      blocked={whyBlocked(base.data)}
                      onClick={() => setLeaving(run)}
                      aria-label={`Delete ${run.name}`}
                    >
                      Delete
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <Dialog isOpen={isMaking} onClose={() => setMaking(false)} title="New simulation">
        <NewSimulationForm
          baseId={baseId}
          helpdesks={helpdesks.data ?? []}
          onMade={(simulationId) =>
            void navigate({ to: '/kb/$baseId/simulations/$simulationId', params: { baseId, simulationId } })
          }
        />
      </Dialog>
      <ConfirmDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete “${leaving?.name ?? ''}”`}
        action="Delete the simulation"
        onConfirm={() => {
          if (leaving !== undefined) remove.mutate(leaving.id)
        }}
      >
        <p>Its tickets and answers are deleted. This cannot be undone.</p>
      </ConfirmDialog>
    </Page>
  )
}
