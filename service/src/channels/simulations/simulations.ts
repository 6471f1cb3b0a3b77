import { LIMITS } from '@citewell/contract/limits'
import type { SimulationReport } from '@citewell/contract/simulation-report'
import type { NewSimulation, TicketReview } from '@citewell/contract/simulations'
import type { PastTicket } from '@citewell/contract/ticket-files'
import { languageOfQuestion } from '../../answers/answering/answering.ts'
import type { Citation } from '../../answers/citations/citations.ts'
import { pagesReadableBy } from '../../answers/conversations/conversations.ts'
import type { QuestionSettingsReader } from '../../answers/question-settings/question-settings.ts'
import type { PurgeableRecords } from '../../answers/retention/retention.ts'
import type {
  BaseHooks,
  KnowledgeBaseRow,
  KnowledgeBases,
} from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { hasZeroRetention } from '../../accounts/workspaces/workspaces.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import { yieldToEventLoop } from '../../kernel/yield-to-event-loop.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { createFairRuns } from '../../answers/fair-runs/fair-runs.ts'
import { hasIntegration } from '../integrations/integrations.ts'
import { createTicketFiles, type TicketFilesDeps } from './read-ticket-file.ts'
import { makeReport } from './report/make-report.ts'
import { readReportTickets } from './report/report-store.ts'
import { runSimulation, type RunSimulationDeps } from './run-simulation.ts'
import { cancelRun } from '../../platform/storage/leased-runs.ts'
import {
  saveReview,
  findSimulation,
  insertSimulation,
  listSimulations,
  listTickets,
  listTicketsToReview,
  type SimulationRow,
  type TicketsAsked,
  type NewTicketRow,
  type SimulationTicketRow,
} from './simulations-store.ts'
import { deleteRecord } from '../../platform/storage/base-records.ts'

/** Simulations contain text of customers: they expire with the conversations of their workspace. */
export const keptSimulations: PurgeableRecords = {
  counts: 'simulations',
  table: 'simulations',
  quietSince: 'updated_at',
  reader: undefined,
}

export const simulationHooks: BaseHooks = {
  records: [{ noun: 'simulations', table: 'simulations', name: 'name' }],
}

export { modelsOfBases } from './model-of-base.ts'

export interface SimulationsDeps extends RunSimulationDeps, TicketFilesDeps {
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  events: Pick<Events, 'announce'>
  jobs: Pick<Jobs, 'enqueue'>
  settings: Pick<QuestionSettingsReader, 'of'>
}

/** A few sentences show the language. */
const LANGUAGE_CHARACTERS = 1_000

const RUN_JOB = 'run-simulation'

/** Longer than one ticket takes with any model; a worker without a heartbeat for this time has died. */
export const SIMULATION_ABANDONED_AFTER_SECONDS = 180

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such simulation.' })

/** Answers past tickets in the background, to measure how many would have been answered. */
export function createSimulations(deps: SimulationsDeps) {
  const { db, knowledgeBases, events, settings, newId, now } = deps
  const runs = createFairRuns({
    ...deps,
    table: 'simulations',
    jobName: RUN_JOB,
    run: async (held, given) => {
      try {
        await runSimulation(deps, held, given)
      } finally {
        events.announce('webhooks.recorded', { knowledgeBaseId: held.knowledgeBaseId })
      }
    },
  })

  /** Nothing of a customer is stored as it was written if the base masks personal data. */
  async function maskedTickets(
    base: KnowledgeBaseRow,
    given: readonly PastTicket[],
  ): Promise<NewTicketRow[]> {
    const { masking } = await settings.of(base.id)
    const masked: NewTicketRow[] = []
    for (const { ref, subject, body, asked_at, tags, agent_reply } of given) {
      masked.push({
        ref,
        subject: subject === null ? null : masking.mask(subject),
        body: masking.mask(body),
        asked_at: asked_at === null ? null : new Date(asked_at),
        tags,
        language: languageOfQuestion(body.slice(0, LANGUAGE_CHARACTERS), {
          acceptLanguage: undefined,
          base: base.language ?? undefined,
        }),
        agent_reply: agent_reply === null ? null : masking.mask(agent_reply),
      })
      await yieldToEventLoop()
    }
    return masked
  }

  /** @throws Refusal CONFLICT with zero retention, KNOWLEDGE_BASE_INTERNAL, BAD_REQUEST for an unknown integration */
  async function create(
    caller: Caller,
    knowledgeBaseId: string,
    given: NewSimulation,
  ): Promise<SimulationRow> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    if (base.type === 'internal') throw new Refusal('KNOWLEDGE_BASE_INTERNAL')
    if (await hasZeroRetention(db, base.workspace_id))
      throw new Refusal('CONFLICT', {
        because: 'Simulations store their answers, so they are not available with zero data retention.',
      })
    const helpdesk = { knowledgeBaseId, id: given.integration_id, kind: 'helpdesk_integration' as const }
    if (!(await hasIntegration(db, helpdesk))) {
      const message = 'is not a help-desk integration of this knowledge base'
      throw wrongField('integration_id', message)
    }
    const tickets = await maskedTickets(base, given.tickets)
    const row = {
      knowledge_base_id: knowledgeBaseId,
      id: newId(),
      integration_id: given.integration_id,
      name: given.name,
      status: 'queued' as const,
      total: tickets.length,
      left_out: given.left_out,
      sample: given.sample,
      gaps: [],
      base_state: null,
      error: null,
      lease: null,
      heartbeat_at: null,
      started_at: null,
      finished_at: null,
      created_at: now(),
      updated_at: now(),
    }
    const stored = {
      ...row,
      left_out: JSON.stringify(row.left_out),
      sample: JSON.stringify(row.sample),
      gaps: '[]',
      base_state: 'null',
    }
    await insertSimulation(db, stored, tickets)
    await runs.wake()
    return { ...row, completed: 0, deflected: 0 }
  }

  async function list(caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<SimulationRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return await listSimulations(db, { ...page, knowledgeBaseId })
  }

  async function open(
    caller: Caller,
    id: string,
    permission: 'member' | 'config',
  ): Promise<{ row: SimulationRow; base: KnowledgeBaseRow }> {
    const row = await findSimulation(db, id)
    if (row === undefined) throw notFound()
    return { row, base: await knowledgeBases.open(caller, row.knowledge_base_id, permission) }
  }

  /** Tickets without the answers whose pages the caller may not read: pages that were public then may have become restricted. */
  async function readableTickets(
    caller: Caller,
    base: KnowledgeBaseRow,
    given: readonly SimulationTicketRow[],
  ): Promise<SimulationTicketRow[]> {
    // The column holds citations of an answer.
    const pagesOf = ({ citations }: SimulationTicketRow) =>
      (citations as Citation[]).map(({ document_id: documentId }) => documentId)
    const mayRead = await pagesReadableBy(db, caller, base, given.flatMap(pagesOf))
    return given.map((ticket) =>
      pagesOf(ticket).every(mayRead) ? ticket : { ...ticket, answer: null, citations: [] },
    )
  }

  async function get(
    caller: Caller,
    id: string,
  ): Promise<{ row: SimulationRow; tickets: SimulationTicketRow[] }> {
    const { row, base } = await open(caller, id, 'member')
    const of = { knowledgeBaseId: base.id, id }
    const first = await listTickets(db, of, { limit: LIMITS.ticketsWithSimulation })
    return { row, tickets: await readableTickets(caller, base, first) }
  }

  async function tickets(
    caller: Caller,
    id: string,
    asked: TicketsAsked & { toReview: boolean },
  ): Promise<SimulationTicketRow[]> {
    const { base } = await open(caller, id, 'member')
    const of = { knowledgeBaseId: base.id, id }
    const found = asked.toReview
      ? await listTicketsToReview(db, of, asked.limit)
      : await listTickets(db, of, asked)
    return await readableTickets(caller, base, found)
  }

  /** @throws Refusal CONFLICT for a ticket that was not answered */
  async function review(
    caller: Caller,
    id: string,
    given: { number: number; review: TicketReview | null },
  ): Promise<SimulationTicketRow> {
    const { row } = await open(caller, id, 'config')
    // An archived base is read-only.
    const base = await knowledgeBases.openActive(caller, row.knowledge_base_id, 'config')
    const of = { knowledgeBaseId: base.id, id }
    const reviewed = await saveReview(db, of, given.number, given.review)
    if (reviewed === undefined)
      throw new Refusal('CONFLICT', {
        because: 'There is no answer to review: only tickets that would have been answered are reviewed.',
      })
    const [readable = reviewed] = await readableTickets(caller, base, [reviewed])
    return readable
  }

  /** @param against - another simulation of the same base */
  async function report(caller: Caller, id: string, against: string | undefined): Promise<SimulationReport> {
    const { row } = await open(caller, id, 'member')
    const { knowledge_base_id: knowledgeBaseId } = row
    const other = against === undefined ? undefined : await findSimulation(db, against)
    if (against !== undefined && other?.knowledge_base_id !== knowledgeBaseId) throw notFound()
    return makeReport(
      row,
      await readReportTickets(db, { knowledgeBaseId, id }),
      other && {
        id: other.id,
        name: other.name,
        tickets: await readReportTickets(db, { knowledgeBaseId, id: other.id }),
      },
    )
  }

  async function cancel(caller: Caller, id: string): Promise<SimulationRow> {
    const { base } = await open(caller, id, 'config')
    await cancelRun(db, 'simulations', { knowledgeBaseId: base.id, id }, now())
    return (await open(caller, id, 'config')).row
  }

  async function remove(caller: Caller, id: string): Promise<void> {
    const { base } = await open(caller, id, 'config')
    await deleteRecord(db, 'simulations', { knowledgeBaseId: base.id, id })
  }

  return {
    create,
    list,
    get,
    tickets,
    review,
    report,
    readFile: createTicketFiles(deps),
    cancel,
    remove,
    recover: runs.recover,
    jobs: [runs.job],
  }
}

export type Simulations = ReturnType<typeof createSimulations>
