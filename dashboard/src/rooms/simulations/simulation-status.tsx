import type { SimulatedTicket, Simulation } from '@citewell/sdk/management'
import { Status, type Tone } from '../../ui/status.tsx'

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

export const wordOfOutcome = (outcome: SimulatedTicket['outcome']): string =>
  outcome === null ? 'Not tried' : OUTCOMES[outcome][1]

export function TicketStatus({ outcome }: { outcome: SimulatedTicket['outcome'] }) {
  if (outcome === null) return <Status tone="quiet">Not tried</Status>
  const [tone, word] = OUTCOMES[outcome]
  return <Status tone={tone}>{word}</Status>
}

/** Fraction of the tickets with an outcome that would have been answered; null before the first. */
export const rateOf = ({
  completed,
  deflected,
}: Pick<Simulation, 'completed' | 'deflected'>): number | null =>
  completed === 0 ? null : deflected / completed
