import type { SimulatedTicket, Simulation } from '@citewell/sdk/management'
import { Status, type Tone } from '../../ui/status.tsx'
import { rateInWords } from './figures-in-words.ts'

/** As in the report: fewer tickets allow no rate. */
const FEWEST_FOR_RATE = 50

const STATES: Record<Simulation['status'], readonly [Tone, string]> = {
  queued: ['info', 'Waiting to begin'],
  running: ['info', 'Running'],
  succeeded: ['ok', 'Finished'],
  failed: ['danger', 'Failed'],
  cancelled: ['quiet', 'Cancelled'],
}

const OUTCOMES: Record<NonNullable<SimulatedTicket['outcome']>, readonly [Tone, string]> = {
  deflected: ['ok', 'Would be answered'],
  low_confidence: ['warn', 'Would go to a person'],
  answer_failed: ['danger', 'No answer could be written'],
}

/** Milliseconds between two looks at a run. */
export const FOLLOW_MS = 2_000

export const isUnderWay = ({ status }: Pick<Simulation, 'status'>): boolean =>
  status === 'queued' || status === 'running'

export function SimulationStatus({ run }: { run: Simulation }) {
  const [tone, word] = STATES[run.status]
  return <Status tone={tone}>{word}</Status>
}

export function TicketStatus({ outcome }: { outcome: SimulatedTicket['outcome'] }) {
  if (outcome === null) return <Status tone="quiet">Not tried</Status>
  const [tone, word] = OUTCOMES[outcome]
  return <Status tone={tone}>{word}</Status>
}

/** The share of the tickets with an outcome that would have been answered; of few of them only how many. */
export function rateOfRun({
  completed: of,
  deflected: answered,
}: Pick<Simulation, 'completed' | 'deflected'>): string {
  return of === 0 ? '–' : rateInWords({ answered, of, rate: of < FEWEST_FOR_RATE ? null : answered / of })
}
