import {
  findIntegrationById,
  listDriven,
  noteProblem,
  type IntegrationRow,
} from '../integrations/integrations.ts'
import { readHookBase } from '../platform-hooks/platform-hooks.ts'
import type { DrivenTickets } from '../tickets/tickets.ts'
import { claimPoll, endPoll, findNextReadings, hastenPoll, type HelpDesksDb } from './desk-polls-store.ts'
import { readDeskSettings } from './desk-settings.ts'
import { DeskFailure, type DeskAccount, type HelpDesk } from './help-desk.ts'
import { pollsInTurn } from './polls-in-turn.ts'

export interface PollDesksDeps {
  db: HelpDesksDb
  tickets: Pick<DrivenTickets, 'schedule'>
  /** Names of the help desks that have to be asked for changes. */
  platforms: readonly string[]
  deskOf: (integration: IntegrationRow) => HelpDesk | undefined
  accountOf: (integration: IntegrationRow, signal: AbortSignal) => DeskAccount
  /** Looks for tickets that are due, now and after this time. */
  wakeAfter: (ms: number) => void
  now: () => Date
  report: (fault: unknown, doing: string) => void
}

const EVERY_MS = 20_000
const AFTER_FAILURE_MS = 60_000
/** Longer than a reading takes: after this time the process that reads has died. */
const LEASE_MS = 3 * 60 * 1_000
/** Integrations that are read at a time. */
const AT_ONCE = 8

/** Asks help desks what has changed, also where hooks tell of most changes. Several processes may do so: each reading has one. */
export function createDeskPolls(deps: PollDesksDeps) {
  const { db, tickets, platforms, deskOf, accountOf, wakeAfter, now, report } = deps
  const ending = new AbortController()
  const reading = new Map<string, Promise<void>>()

  async function read(integration: IntegrationRow): Promise<void> {
    const of = { knowledgeBaseId: integration.knowledge_base_id, integrationId: integration.id }
    const desk = deskOf(integration)
    const { isActive } = await readHookBase(db, of.knowledgeBaseId)
    if (desk?.changes === undefined || !isActive) return
    const inMs = (ms: number) => new Date(now().getTime() + ms)
    const taken = await claimPoll(db, of, { now: now(), until: inMs(LEASE_MS) })
    if (taken === undefined) return
    const problemOf = { knowledgeBaseId: of.knowledgeBaseId, id: integration.id }
    try {
      const account = accountOf(integration, ending.signal)
      const { ticketIds, cursor } = await desk.changes(taken.cursor ?? undefined, account)
      const { quietMs } = readDeskSettings(integration.config, integration.handles ?? 'tickets')
      await db.transaction().execute(async (transaction: HelpDesksDb) => {
        // Sorted: two processes that lock several tickets lock them in one order.
        for (const ticketId of ticketIds.toSorted())
          await tickets.schedule(transaction, { ...of, ticketId }, inMs(quietMs))
        const nextAt = inMs(desk.readEveryMs ?? EVERY_MS)
        await endPoll(transaction, of, { cursor, nextAt, isFailing: false })
      })
      if (taken.is_failing) await noteProblem(db, problemOf, null, now())
      if (ticketIds.length > 0) wakeAfter(quietMs)
    } catch (fault) {
      const isStopped = ending.signal.aborted
      await endPoll(db, of, {
        nextAt: isStopped ? now() : inMs(AFTER_FAILURE_MS),
        isFailing: !isStopped || taken.is_failing,
      })
      if (isStopped) return
      if (!(fault instanceof DeskFailure)) throw fault
      await noteProblem(db, problemOf, fault.message, now())
    }
  }

  /** One reading of an integration at a time in this process. */
  function begin(integration: IntegrationRow): void {
    if (reading.has(integration.id) || reading.size >= AT_ONCE || ending.signal.aborted) return
    const work = read(integration)
      .catch((fault: unknown) => report(fault, 'reading what is new in a help desk'))
      .finally(() => reading.delete(integration.id))
    reading.set(integration.id, work)
  }

  return {
    /** Begins the readings that are due. */
    look: async (): Promise<void> => {
      if (ending.signal.aborted || platforms.length === 0) return
      const driven = await listDriven(db, { kind: 'helpdesk_integration', platforms })
      if (driven.length === 0) return
      const nextAt = await findNextReadings(db)
      for (const integration of pollsInTurn(driven, nextAt, now())) begin(integration)
    },
    /** Reads an integration now, and ends when it is read. */
    readNow: async (integrationId: string): Promise<void> => {
      await reading.get(integrationId)
      const integration = await findIntegrationById(db, integrationId)
      if (integration?.enabled !== true) return
      await hastenPoll(db, { knowledgeBaseId: integration.knowledge_base_id, integrationId }, now())
      begin(integration)
      await reading.get(integrationId)
    },
    stop: async (): Promise<void> => {
      ending.abort(new Error('The service is shutting down.'))
      await Promise.all(reading.values())
    },
  }
}
