import type { Answering } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { followLease } from '../../platform/jobs/follow-lease.ts'
import { answerTicket, type TicketAnswer } from '../tickets/tickets.ts'
import { recordWebhookEvent } from '../webhooks/webhooks.ts'
import {
  claimSimulation,
  findNextTicket,
  renewLease,
  releaseSimulation,
  saveOutcome,
  type LeasedSimulation,
} from './simulation-run-store.ts'
import { findSimulation, hasZeroRetention, type SimulationsDb } from './simulations-store.ts'

export interface RunSimulationDeps {
  db: SimulationsDb
  /** Answering without storing conversations: no reader has asked. */
  answering: Pick<Answering, 'answerQuestion'>
  newId: () => string
  now: () => Date
}

/**
 * Runs a simulation to its end, ticket by ticket, from the first ticket without an outcome. It stops when it is cancelled; when the process
 * stops, another one continues. Returns whether it reached the end.
 */
export async function runSimulation(
  deps: RunSimulationDeps,
  of: { knowledgeBaseId: string; id: string },
  shutdown: AbortSignal,
): Promise<boolean> {
  const { db, now, newId } = deps
  const held: LeasedSimulation = { ...of, lease: newId() }
  if ((await claimSimulation(db, held, now())) === undefined) return false
  using lease = followLease(async () => await renewLease(db, held, now()), shutdown)
  const { signal } = lease
  try {
    while (!signal.aborted) {
      const next = await findNextTicket(db, held)
      if (next === undefined) return await end(deps, held, { status: 'succeeded', error: null })
      const { base, ticket } = next
      if (base.status === 'archived' || base.type === 'internal') {
        throw new Refusal(base.status === 'archived' ? 'KNOWLEDGE_BASE_ARCHIVED' : 'KNOWLEDGE_BASE_INTERNAL')
      }
      const asked = {
        base,
        subject: ticket.subject ?? undefined,
        body: ticket.body,
        threadId: undefined,
        userRef: `simulation:${held.id}`,
      }
      const answered = await answerTicket(deps.answering, asked, signal)
      if (signal.aborted) break
      if (!(await storeOutcome(deps, held, ticket.ordinal, answered, base.workspace_id))) return false
    }
  } catch (fault) {
    if (signal.aborted) return await requeue(deps, held)
    // The details of other errors are for the log; the owner only sees that it failed.
    const error = fault instanceof Refusal ? fault.message : 'Something went wrong here.'
    const hasEnded = await end(deps, held, { status: 'failed', error })
    if (!(fault instanceof Refusal)) throw fault
    return hasEnded
  }
  return await requeue(deps, held)
}

/** False if the lease was lost. */
async function storeOutcome(
  { db, now }: RunSimulationDeps,
  held: LeasedSimulation,
  ordinal: number,
  { outcome, answer, citations, confidence }: TicketAnswer,
  workspaceId: string,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction: SimulationsDb) => {
    if (!(await renewLease(transaction, held, now()))) return false
    const mayKeep = !(await hasZeroRetention(transaction, workspaceId))
    await saveOutcome(transaction, held, ordinal, {
      outcome,
      confidence: confidence ?? null,
      answer: mayKeep ? (answer?.replaceAll('\0', '').toWellFormed() ?? null) : null,
      citations: mayKeep ? citations : [],
    })
    return true
  })
}

/** Ends it, and records the webhook event in the same transaction. */
async function end(
  { db, now, newId }: RunSimulationDeps,
  held: LeasedSimulation,
  to: { status: 'succeeded' | 'failed'; error: string | null },
): Promise<boolean> {
  return await db.transaction().execute(async (transaction: SimulationsDb) => {
    if (!(await releaseSimulation(transaction, held, to, now()))) return false
    const ended = await findSimulation(transaction, held.id)
    if (ended === undefined) return false
    const data = {
      simulation_id: held.id,
      integration_id: ended.integration_id,
      total: ended.total,
      completed: ended.completed,
    }
    const { knowledgeBaseId } = held
    await recordWebhookEvent(
      transaction,
      { event: 'simulation.completed', knowledgeBaseId, data, at: now() },
      newId,
    )
    return true
  })
}

async function requeue({ db, now }: RunSimulationDeps, held: LeasedSimulation): Promise<false> {
  await releaseSimulation(db, held, { status: 'queued', error: null }, now())
  return false
}
