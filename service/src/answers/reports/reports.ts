import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { canUse, type Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { deleteRecord, findBaseOf } from '../../platform/storage/base-records.ts'
import type { ConversationPlace } from '../conversations/conversations.ts'
import {
  insertReport,
  listReports,
  type ReportFilter,
  type ReportRow,
  type ReportsDb,
} from './reports-store.ts'

export interface ReportsDeps {
  db: ReportsDb
  knowledgeBases: Pick<KnowledgeBases, 'open'>
  /** Personal data as the base masks it. */
  mask: (knowledgeBaseId: string, text: string) => Promise<string>
  newId: () => string
  now: () => Date
}

/** What an AI tool reports, as it said it, and who read there. */
export interface NewReport {
  knowledgeBaseId: string
  message: string
  url: string | undefined
  serverName: string | undefined
  clientKeyId: string | undefined
  userRef: string | undefined
}

export interface ReadReport extends ReportRow {
  isWithheld: boolean
}

/** Whether whoever reported could read public pages alone: with a key, or signed in as a reader. */
const sawPublicPagesOnly = ({ client_key_id: keyId, user_ref: userRef }: ReportRow) =>
  keyId !== null || (userRef?.startsWith('reader:') ?? false)

/** Wrong answers and gaps that AI tools reported, for people who hold Config on their base. */
export function createReports({ db, knowledgeBases, mask, newId, now }: ReportsDeps) {
  /** Keeps a report, masked as its base says. False where its workspace keeps nothing. */
  async function keep({ knowledgeBaseId, message, url, ...from }: NewReport): Promise<boolean> {
    return await insertReport(db, {
      knowledge_base_id: knowledgeBaseId,
      id: newId(),
      message: await mask(knowledgeBaseId, message),
      url: url === undefined ? null : await mask(knowledgeBaseId, url),
      server_name: from.serverName ?? null,
      client_key_id: from.clientKeyId ?? null,
      user_ref: from.userRef ?? null,
      created_at: now(),
    })
  }

  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    of: { filter: ReportFilter; after: ConversationPlace | undefined; limit: number },
  ): Promise<ReadReport[]> {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    const mayReadAll = canUse(caller, base, 'chat')
    // A filter must not tell what the message does not: words are looked for where the caller may read them.
    const reports = await listReports(db, { ...of, knowledgeBaseId: base.id, publicOnly: !mayReadAll })
    return reports.map((report) => ({ ...report, isWithheld: !mayReadAll && !sawPublicPagesOnly(report) }))
  }

  /** Deletes a report for good, on an archived base too. */
  async function remove(caller: Caller, id: string): Promise<void> {
    const knowledgeBaseId = await findBaseOf(db, 'mcp_feedback', id)
    if (knowledgeBaseId === undefined) {
      throw new Refusal('NOT_FOUND', { because: 'There is no such report.' })
    }
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    await deleteRecord(db, 'mcp_feedback', { knowledgeBaseId: base.id, id })
  }

  return { keep, list, remove }
}

export type Reports = ReturnType<typeof createReports>
