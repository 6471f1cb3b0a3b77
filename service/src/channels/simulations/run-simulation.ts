import type { SimulationReport } from '@citewell/contract/simulation-report'
import { findKnowledgeBase, type KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { hasZeroRetention } from '../../accounts/workspaces/workspaces.ts'
import type { Answering } from '../../answers/answering/answering.ts'
import { shareSaid } from '../../answers/citations/citations.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { followLease } from '../../platform/jobs/follow-lease.ts'
import { answerTicket, type TicketAnswer } from '../tickets/tickets.ts'
import { recordWebhookEvent } from '../webhooks/webhooks.ts'
import { releaseRun, renewRun, type LeasedRun } from '../../platform/storage/leased-runs.ts'
import { findNextTickets, saveOutcome, saveTold } from './simulation-run-store.ts'
import { groupUnanswered, MOST_COMPARED, type GroupDeps } from './report/group-unanswered.ts'
import { findOwnDocuments, readBaseState, readUnanswered } from './report/report-store.ts'
import { findSimulation, type SimulationsDb, type SimulationTicketRow } from './simulations-store.ts'

/** Tickets that are answered side by side: a language model takes seconds for each. */
const AT_ONCE = 3

export interface RunSimulationDeps extends GroupDeps {
  db: SimulationsDb
  /** The language model that answers for a base; undefined without one. */
  modelOf: (base: KnowledgeBaseRow) => { name: string; host: string | null } | undefined
  /** Where texts are sent to be embedded; undefined if this service does it itself. */
  embeddingHost: string | undefined
  /** Answering without storing conversations: no reader has asked. */
  answering: Pick<Answering, 'answerQuestion'>
  newId: () => string
  now: () => Date
}

/**
 * Runs a simulation to its end, ticket by ticket, from the first ticket without an outcome. It stops when it is cancelled; when its turn is
 * over it waits again, and when the process stops, another one continues. Returns whether it reached the end.
 */
export async function runSimulation(
  deps: RunSimulationDeps,
  held: LeasedRun,
  { shutdown, isTurnOver }: { shutdown: AbortSignal; isTurnOver: () => Promise<boolean> },
): Promise<boolean> {
  const { db, now } = deps
  using lease = followLease(async () => await renewRun(db, 'simulations', held, now()), shutdown)
  const { signal } = lease
  try {
    while (!signal.aborted) {
      const next = await findNextTickets(db, held, AT_ONCE)
      if (next === undefined) return await finish(deps, held, signal)
      const { base, tickets } = next
      if (base.status === 'archived' || base.type === 'internal')
        throw new Refusal(base.status === 'archived' ? 'KNOWLEDGE_BASE_ARCHIVED' : 'KNOWLEDGE_BASE_INTERNAL')
      const stored = await Promise.all(
        tickets.map((ticket) => tryTicket(deps, held, { ticket, base }, signal)),
      )
      if (stored.includes(false)) return false
      if (await isTurnOver()) break
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
async function tryTicket(
  deps: RunSimulationDeps,
  held: LeasedRun,
  { ticket, base }: { ticket: SimulationTicketRow; base: KnowledgeBaseRow },
  signal: AbortSignal,
): Promise<boolean> {
  const own = ticket.ref === null ? [] : await findOwnDocuments(deps.db, held.knowledgeBaseId, ticket.ref)
  const asked = {
    base,
    subject: ticket.subject ?? undefined,
    body: ticket.body,
    threadId: undefined,
    withoutDocuments: own,
    userRef: `simulation:${held.id}`,
  }
  const answered = await answerTicket(deps.answering, asked, signal)
  // What is finished is kept, also if the process stops now.
  if (signal.aborted && answered.outcome === 'answer_failed') return true
  return await storeOutcome(deps, held, { ticket, own: own.length }, answered, base.workspace_id)
}

/** Its report is made of what is known at the end: that outlives later changes of the base. */
async function finish(deps: RunSimulationDeps, held: LeasedRun, signal: AbortSignal): Promise<boolean> {
  const { db, now, modelOf, embeddingHost } = deps
  const { knowledgeBaseId } = held
  const base = await findKnowledgeBase(db, knowledgeBaseId)
  const unanswered = await readUnanswered(db, held, MOST_COMPARED)
  const gaps = await groupUnanswered(deps, knowledgeBaseId, unanswered, signal)
  const state = {
    at: now().toISOString(),
    ...(await readBaseState(db, knowledgeBaseId)),
    model: (base && modelOf(base)) ?? null,
    embedding: embeddingHost === undefined ? null : { host: embeddingHost },
  }
  return await end(deps, held, { status: 'succeeded', error: null }, { gaps, base: state })
}

/** False if the lease was lost. */
async function storeOutcome(
  { db, now }: RunSimulationDeps,
  held: LeasedRun,
  { ticket, own }: { ticket: SimulationTicketRow; own: number },
  { outcome, answer, citations, confidence }: TicketAnswer,
  workspaceId: string,
): Promise<boolean> {
  const likeness =
    answer === undefined || ticket.agent_reply === null ? undefined : shareSaid(ticket.agent_reply, answer)
  return await db.transaction().execute(async (transaction: SimulationsDb) => {
    if (!(await renewRun(transaction, 'simulations', held, now()))) return false
    const mayKeep = !(await hasZeroRetention(transaction, workspaceId))
    await saveOutcome(transaction, held, ticket.ordinal, {
      like_agent: likeness ?? null,
      own_documents: own,
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
  held: LeasedRun,
  to: { status: 'succeeded' | 'failed'; error: string | null },
  /** What its report tells of that moment. */
  told?: Pick<SimulationReport, 'gaps' | 'base'>,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction: SimulationsDb) => {
    if (!(await releaseRun(transaction, 'simulations', held, to, now()))) return false
    if (told !== undefined) await saveTold(transaction, held, told)
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

async function requeue({ db, now }: RunSimulationDeps, held: LeasedRun): Promise<false> {
  await releaseRun(db, 'simulations', held, { status: 'queued', error: null }, now())
  return false
}
