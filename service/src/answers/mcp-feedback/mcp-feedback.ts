import type { BaseHooks, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { canUse, type Caller } from '../../accounts/permissions/permissions.ts'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'
import { deleteRecord } from '../../platform/storage/base-records.ts'
import type { ConversationPosition } from '../conversations/conversations.ts'
import {
  insertReport,
  listReports,
  type ReportFilter,
  type ReportRow,
  type McpFeedbackDb,
} from './mcp-feedback-store.ts'

export const mcpFeedbackHooks: BaseHooks = { records: [{ noun: 'reports', table: 'mcp_feedback' }] }

export interface McpFeedbackDeps {
  db: McpFeedbackDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  /** Masks personal data by the settings of the base. */
  mask: (knowledgeBaseId: string, text: string) => Promise<string>
  newId: () => string
  now: () => Date
}

/** A report by an AI tool, with the reader on whose behalf the tool read. */
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

/** Whether the reporter could only read public pages: with a client key, or signed in as a reader. */
const couldReadOnlyPublic = ({ client_key_id: keyId, user_ref: userRef }: ReportRow) =>
  keyId !== null || (userRef?.startsWith('reader:') ?? false)

/** Reports by AI tools about wrong answers and gaps, for members with Config on their base. */
export function createMcpFeedback({ db, knowledgeBases, mask, newId, now }: McpFeedbackDeps) {
  const bases = createRecordBases({ db, knowledgeBases, table: 'mcp_feedback', noun: 'report' })

  /** Stores a report, masked by the settings of its base. False under zero retention. */
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
    of: { filter: ReportFilter; after: ConversationPosition | undefined; limit: number },
  ): Promise<ReadReport[]> {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    const mayReadAll = canUse(caller, base, 'chat')
    // A text filter must not reveal a withheld message: it only matches messages that the caller may read.
    const reports = await listReports(db, { ...of, knowledgeBaseId: base.id, publicOnly: !mayReadAll })
    return reports.map((report) => ({ ...report, isWithheld: !mayReadAll && !couldReadOnlyPublic(report) }))
  }

  /** Deletes a report for good, on an archived base too. */
  async function remove(caller: Caller, id: string): Promise<void> {
    const base = await bases.open(caller, id, 'config')
    await deleteRecord(db, 'mcp_feedback', { knowledgeBaseId: base.id, id })
  }

  return { keep, list, remove }
}

export type McpFeedback = ReturnType<typeof createMcpFeedback>
