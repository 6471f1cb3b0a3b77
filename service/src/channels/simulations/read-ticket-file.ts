import { BODY_BYTES } from '@citewell/contract/limits'
import type { PastTicket, TicketsOfFile } from '@citewell/contract/ticket-files'
import type { Allowance } from '../../accounts/allowance/allowance.ts'
import type { KnowledgeBaseRow, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import {
  ParseFailure,
  type Parsing,
  type ReadTicket,
  type TicketSample,
} from '../../content/parsing/parsing.ts'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import { readMultipart } from '../../platform/files/read-multipart.ts'
import { readAnswerTime } from './report/report-store.ts'
import type { SimulationsDb } from './simulations-store.ts'

export interface TicketFilesDeps {
  db: SimulationsDb
  knowledgeBases: Pick<KnowledgeBases, 'openActive'>
  allowance: Pick<Allowance, 'leftOf'>
  /** In a process of its own. */
  readTickets: Parsing['readTickets']
  /** The language model that answers for a base; undefined without one. */
  modelOf: (base: KnowledgeBaseRow) => { name: string; host: string | null } | undefined
  /** Where texts are sent to be embedded; undefined if this service does it itself. */
  embeddingHost: string | undefined
}

const ONE_FILE = 'Send one file, as the part "file" of a form.'

async function fileOf(request: Request): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let files = 0
  await readMultipart(request, { maxBytes: BODY_BYTES.ticketFile, maxFiles: 2 }, async ({ field, bytes }) => {
    files += 1
    if (field !== 'file' || files > 1) throw new Refusal('BAD_REQUEST', { because: ONE_FILE })
    for await (const part of bytes) parts.push(part)
  })
  if (files === 0) throw new Refusal('BAD_REQUEST', { because: ONE_FILE })
  return Buffer.concat(parts)
}

const asPast = ({ ref, subject, body, askedAt, tags, agentReply }: ReadTicket): PastTicket => ({
  ref,
  subject,
  body,
  asked_at: askedAt,
  tags,
  agent_reply: agentReply,
})

/** Reads tickets from a file, and tells what a simulation of them takes. Nothing is stored. */
export function createTicketFiles(deps: TicketFilesDeps) {
  const { db, knowledgeBases, allowance, readTickets, modelOf, embeddingHost } = deps

  return async (
    caller: Caller,
    knowledgeBaseId: string,
    sample: TicketSample,
    request: Request,
  ): Promise<TicketsOfFile> => {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    if (base.type === 'internal') throw new Refusal('KNOWLEDGE_BASE_INTERNAL')
    const bytes = await fileOf(request)
    const share = { workspaceId: base.workspace_id, knowledgeBaseId, isAwaited: true }
    const read = await readTickets(bytes, sample, request.signal, share).catch((fault: unknown) => {
      if (!(fault instanceof ParseFailure)) throw fault
      throw wrongField('file', fault.message)
    })
    const answerMs = await readAnswerTime(db, knowledgeBaseId)
    const tickets = read.tickets.map(asPast)
    return {
      format: read.format,
      found: read.found,
      tickets,
      left_out: read.leftOut,
      sample:
        read.drawnFrom === undefined
          ? null
          : { by: sample.by, seed: sample.seed, drawn_from: read.drawnFrom },
      estimate: {
        questions: tickets.length,
        questions_left: await allowance.leftOf(base.workspace_id),
        seconds: answerMs === undefined ? null : Math.ceil((answerMs * tickets.length) / 1_000),
        embedding: embeddingHost === undefined ? null : { host: embeddingHost },
        model: modelOf(base) ?? null,
      },
    }
  }
}
