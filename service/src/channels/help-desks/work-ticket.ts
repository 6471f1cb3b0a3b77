import { findKnowledgeBase, type KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Answering } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { findIntegrationById, noteProblem, type IntegrationRow } from '../integrations/integrations.ts'
import { readHookBase } from '../platform-hooks/platform-hooks.ts'
import type { NewPost, PlatformPosts } from '../platform-posts/platform-posts.ts'
import {
  ANSWERING_LEASE_MS,
  answerTicket,
  POSTING_LOST_AFTER_MS,
  nextStep,
  ticketOf,
  type DrivenTickets,
  type TicketAnswer,
  type TicketRow,
  type TicketsDb,
} from '../tickets/tickets.ts'
import { answerText } from './answer-text.ts'
import type { DeskPost } from './desk-incoming.ts'
import { decideDeskStep } from './desk-rules.ts'
import { readDeskSettings, type DeskSettings } from './desk-settings.ts'
import { DeskFailure, type DeskAccount, type DeskAct, type DeskTicket, type HelpDesk } from './help-desk.ts'
import type { HelpDesksDb } from './desk-polls-store.ts'
import { withSentDrafts } from './sent-drafts.ts'

export interface WorkTicketDeps {
  db: HelpDesksDb
  answering: Pick<Answering, 'answerQuestion'>
  tickets: DrivenTickets
  posts: Pick<PlatformPosts, 'record' | 'sendUnstored' | 'wake'>
  deskOf: (integration: IntegrationRow) => HelpDesk | undefined
  accountOf: (integration: IntegrationRow, signal: AbortSignal) => DeskAccount
  now: () => Date
}

/** A step that fails this often is left; what happens to the ticket later begins anew. */
const MAX_TRIES = 6
/** A help desk that cannot be read is asked again for about a day. */
const MAX_READ_TRIES = 150
const LONGEST_READ_RETRY_MS = 10 * 60 * 1_000
const FIRST_RETRY_MS = 10_000
const QUOTA_RETRY_MS = 10 * 60 * 1_000
/** Shorter than the lease of a ticket: nobody else takes it while a step may still end. */
const STEP_LIMIT_MS = ANSWERING_LEASE_MS - 30_000

/** A ticket in work, and everything that decides about it. */
interface InWork {
  row: TicketRow
  integration: IntegrationRow
  base: KnowledgeBaseRow
  desk: HelpDesk
  settings: DeskSettings
  handles: 'tickets' | 'chats'
  signal: AbortSignal
}

const HAND_OVER_NOTES = {
  customer_replied: 'The customer wrote again after the automatic answer.',
  customer_asked: 'The customer asks for a person.',
  turn_cap: 'The customer has had all automatic answers that a chat gets.',
  low_confidence: 'The documentation does not cover the question.',
  answer_failed: 'No automatic answer could be written or posted.',
  with_people: 'This chat is for people.',
} as const

/** Takes the next step of a ticket: reads it, decides, and records the decision with its post in one transaction. */
export function createTicketWorker(deps: WorkTicketDeps) {
  const { db, answering, tickets, posts, deskOf, accountOf, now } = deps

  const later = (row: TicketRow, ms: number) => ({
    fields: { tries: row.tries + 1 },
    dueAt: new Date(now().getTime() + ms),
  })

  const backoff = ({ tries }: TicketRow) => FIRST_RETRY_MS * 2 ** Math.min(tries, 10)

  async function retryOrLeave(row: TicketRow, ms: number, most = MAX_TRIES): Promise<void> {
    await tickets.end(row, row.tries + 1 < most ? later(row, ms) : { fields: { tries: 0 } })
  }

  /** Ends the step with something to post. */
  async function endWithPost(
    { row, base, integration }: InWork,
    given: Parameters<DrivenTickets['end']>[1],
    act: DeskAct | undefined,
    etag: string,
  ): Promise<void> {
    if (act === undefined) return await tickets.end(row, given)
    const body: DeskPost = { ticketId: row.ticket_id, etag, act }
    const decided: NewPost = {
      knowledgeBaseId: base.id,
      integrationId: integration.id,
      lane: row.ticket_id,
      body,
    }
    const { keepsNothing } = await readHookBase(db, base.id)
    await tickets.end(row, {
      ...given,
      alongside: async (transaction: TicketsDb) => {
        if (!keepsNothing) await posts.record(transaction, [decided])
      },
    })
    if (keepsNothing) await posts.sendUnstored([decided])
    else posts.wake()
  }

  const handOver = (
    { settings, desk }: InWork,
    reason: keyof typeof HAND_OVER_NOTES,
  ): DeskAct | undefined => {
    const { handOverTo, mode } = settings
    if (mode === 'observe' || (handOverTo === undefined && desk.handles === 'tickets')) return undefined
    return { do: 'hand_over', to: handOverTo ?? '', text: HAND_OVER_NOTES[reason] }
  }

  async function endAnswered(work: InWork, read: DeskTicket, answered: TicketAnswer): Promise<void> {
    const { row, settings, handles } = work
    const threadId = answered.threadId ?? null
    const step = nextStep(handles, answered.outcome)
    if (settings.mode === 'observe')
      return await tickets.end(row, {
        fields: { thread_id: threadId, status: 'observed', reason: answered.outcome },
      })
    if (step.do === 'escalate') {
      const given = { fields: { thread_id: threadId }, escalates: step.reason }
      return await endWithPost(work, given, handOver(work, step.reason), read.etag)
    }
    if (step.do === 'leave') {
      if (step.canRetry) return await retryOrLeave(row, backoff(row))
      const given = { fields: { thread_id: threadId, status: 'unanswered' as const } }
      return await endWithPost(work, given, { do: 'mark', mark: 'unanswered' }, read.etag)
    }
    const isDraft = settings.mode === 'draft'
    const text = answerText(answered.answer ?? '', answered.citations, isDraft ? '' : settings.closing)
    const note =
      work.desk.keepsDrafts === true ? text : `Draft of an answer, which the customer has not got:\n\n${text}`
    const act: DeskAct = isDraft ? { do: 'note', text: note } : { do: 'reply', text }
    await endWithPost(work, { fields: { thread_id: threadId, status: 'posting' } }, act, read.etag)
  }

  async function answer(
    work: InWork,
    read: DeskTicket,
    asked: { subject: string; body: string },
  ): Promise<void> {
    const { row, base, integration, signal } = work
    const userRef = `${integration.id}:${row.ticket_id}`
    const question = { base, ...asked, threadId: row.thread_id ?? undefined, userRef }
    try {
      const answered = await answerTicket(answering, question, signal)
      signal.throwIfAborted()
      await endAnswered(work, read, answered)
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      await noteOn(integration, refusal.message)
      await retryOrLeave(row, QUOTA_RETRY_MS)
    }
  }

  const noteOn = ({ knowledge_base_id: knowledgeBaseId, id }: IntegrationRow, problem: string | null) =>
    noteProblem(db, { knowledgeBaseId, id }, problem, now())

  async function leave(work: InWork, status: TicketRow['status'] | undefined, etag: string): Promise<void> {
    const given = { fields: { tries: 0, ...(status !== undefined && { status }) } }
    // People find what asks nothing as they find what the documentation does not cover.
    const isMarked = status === 'unanswered' && work.settings.mode !== 'observe'
    return await endWithPost(work, given, isMarked ? { do: 'mark', mark: 'unanswered' } : undefined, etag)
  }

  async function takeStep(given: InWork): Promise<void> {
    const { row, integration, desk, settings, handles, signal } = given
    let read: DeskTicket | undefined
    try {
      read = await desk.ticket(row.ticket_id, accountOf(integration, signal))
    } catch (failure) {
      if (!(failure instanceof DeskFailure)) throw failure
      await noteOn(integration, failure.message)
      // There is more of it than is read, now and later.
      if (failure.isTooLarge) return await tickets.end(row, { fields: { tries: 0 } })
      return await retryOrLeave(row, Math.min(backoff(row), LONGEST_READ_RETRY_MS), MAX_READ_TRIES)
    }
    // Where nothing is posted, no later success would clear what went wrong with this ticket.
    if (row.tries > 0) await noteOn(integration, null)
    // What an outage took does not count for what comes after it.
    const work = row.tries < MAX_TRIES ? given : { ...given, row: { ...row, tries: 0 } }
    if (read === undefined) return await tickets.end(row, { fields: { tries: 0 } })
    const isLost =
      row.status === 'posting' && now().getTime() - row.updated_at.getTime() > POSTING_LOST_AFTER_MS
    const ticket = isLost ? { ...row, status: 'unsure' as const } : row
    const told = desk.keepsDrafts === true ? withSentDrafts(ticket, settings.mode, read) : read
    const step = decideDeskStep(handles, ticket, told)
    if (step.do === 'answer') return await answer(work, read, step)
    if (step.do === 'leave') return await leave(work, step.status, read.etag)
    if (step.do === 'pass_on') {
      const given = { fields: { tries: 0, ...(step.status !== undefined && { status: step.status }) } }
      return await endWithPost(work, given, handOver(work, 'with_people'), read.etag)
    }
    if (step.do === 'escalate') {
      const given = { fields: { tries: 0 }, escalates: step.reason }
      return await endWithPost(work, given, handOver(work, step.reason), read.etag)
    }
    const of = ticketOf(row)
    await tickets.end(row, {
      fields: { tries: 0 },
      alongside: (transaction) =>
        step.do === 'confirm'
          ? tickets.confirmPosted(transaction, of)
          : tickets.confirmFailed(transaction, of, handles, 'unanswered'),
    })
  }

  return async (row: TicketRow, stopping: AbortSignal): Promise<void> => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(STEP_LIMIT_MS)])
    const integration = await findIntegrationById(db, row.integration_id)
    const base = await findKnowledgeBase(db, row.knowledge_base_id)
    const desk = integration === undefined ? undefined : deskOf(integration)
    const isOn = integration?.enabled === true && base?.status === 'active' && base.type === 'external'
    if (integration === undefined || base === undefined || desk === undefined || !isOn)
      return await tickets.end(row, { fields: { tries: 0 } })
    const handles = integration.handles ?? 'tickets'
    const settings = readDeskSettings(integration.config, handles)
    try {
      await takeStep({ row, integration, base, desk, settings, handles, signal })
    } catch (fault) {
      // Free for the next process, or for a later attempt here.
      await retryOrLeave(row, stopping.aborted ? 0 : backoff(row)).catch(() => undefined)
      if (!stopping.aborted) throw fault
    }
  }
}
