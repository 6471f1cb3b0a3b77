import type { Answering } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { answerTicket, type TicketAnswer } from '../helpdesk-integrations/helpdesk-integrations.ts'
import { recordWebhookEvent } from '../webhooks/webhooks.ts'
import {
  claimSimulation,
  findNextTicket,
  holds,
  leaveSimulation,
  saveOutcome,
  type HeldSimulation,
} from './simulation-run-store.ts'
import { findSimulation, keepsNothing, type SimulationsDb } from './simulations-store.ts'

export interface RunSimulationDeps {
  db: SimulationsDb
  /** One that keeps no conversations: nobody has asked. */
  answering: Pick<Answering, 'answerQuestion'>
  newId: () => string
  now: () => Date
}

/**
 * Runs a simulation to its end, ticket by ticket, from where it stands. It stops when it is cancelled; when the process stops, another
 * goes on with it. Says whether it came to an end.
 */
export async function runSimulation(
  deps: RunSimulationDeps,
  of: { knowledgeBaseId: string; id: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { db, now, newId } = deps
  const held: HeldSimulation = { ...of, lease: newId() }
  if ((await claimSimulation(db, held, now())) === undefined) return false
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
      if (!(await keepOutcome(deps, held, ticket.ordinal, answered, base.workspace_id))) return false
    }
  } catch (fault) {
    if (signal.aborted) return await giveBack(deps, held)
    // What went wrong otherwise is for the log; the owner only learns that it did.
    const error = fault instanceof Refusal ? fault.message : 'Something went wrong here.'
    const hasEnded = await end(deps, held, { status: 'failed', error })
    if (!(fault instanceof Refusal)) throw fault
    return hasEnded
  }
  return await giveBack(deps, held)
}

/** False where the simulation is not held any more. */
async function keepOutcome(
  { db, now }: RunSimulationDeps,
  held: HeldSimulation,
  ordinal: number,
  { outcome, answer, citations, confidence }: TicketAnswer,
  workspaceId: string,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction: SimulationsDb) => {
    if (!(await holds(transaction, held, now()))) return false
    const mayKeep = !(await keepsNothing(transaction, workspaceId))
    await saveOutcome(transaction, held, ordinal, {
      outcome,
      confidence: confidence ?? null,
      answer: mayKeep ? (answer?.replaceAll('\0', '').toWellFormed() ?? null) : null,
      citations: mayKeep ? citations : [],
    })
    return true
  })
}

/** Ends it, and tells webhooks in the same transaction. */
async function end(
  { db, now, newId }: RunSimulationDeps,
  held: HeldSimulation,
  to: { status: 'succeeded' | 'failed'; error: string | null },
): Promise<boolean> {
  return await db.transaction().execute(async (transaction: SimulationsDb) => {
    if (!(await leaveSimulation(transaction, held, to, now()))) return false
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

async function giveBack({ db, now }: RunSimulationDeps, held: HeldSimulation): Promise<false> {
  await leaveSimulation(db, held, { status: 'queued', error: null }, now())
  return false
}
