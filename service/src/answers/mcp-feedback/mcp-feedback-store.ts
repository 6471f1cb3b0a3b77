import { sql, type Selectable } from 'kysely'
import type { McpFeedbackTable } from './mcp-feedback-table.ts'
import { baseThatKeeps } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { ConversationPosition } from '../conversations/conversations.ts'

export type McpFeedbackDb = Db<'mcp_feedback' | 'knowledge_bases' | 'workspaces'>

export type ReportRow = Selectable<McpFeedbackTable>

/** Filters of the list of reports. Undefined ones do not apply. */
export interface ReportFilter {
  from: Date | undefined
  before: Date | undefined
  /** A substring of the message or the address. */
  text: string | undefined
  serverName: string | undefined
  userRef: string | undefined
}

/** Reports of a base, latest first. */
export async function listReports(
  db: McpFeedbackDb,
  of: {
    knowledgeBaseId: string
    filter: ReportFilter
    after: ConversationPosition | undefined
    limit: number
    publicOnly: boolean
  },
): Promise<ReportRow[]> {
  const { from, before, text, serverName, userRef } = of.filter
  const { after } = of
  return await db
    .selectFrom('mcp_feedback')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.createdAt}::timestamptz, ${after?.id}::uuid)`),
    )
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from ?? new Date()))
    .$if(before !== undefined, (query) => query.where('created_at', '<', before ?? new Date()))
    .$if(serverName !== undefined, (query) => query.where('server_name', '=', serverName ?? ''))
    .$if(userRef !== undefined, (query) => query.where('user_ref', '=', userRef ?? ''))
    .$if(text !== undefined && of.publicOnly, (query) =>
      query.where(sql<boolean>`(client_key_id is not null or user_ref like 'reader:%')`),
    )
    .$if(text !== undefined, (query) =>
      query.where(sql<boolean>`strpos(lower(message || ' ' || coalesce(url, '')), lower(${text})) > 0`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(of.limit)
    .execute()
}

/** False under zero retention, or if the base was deleted: checked in the statement that writes. */
export async function insertReport(db: McpFeedbackDb, report: ReportRow): Promise<boolean> {
  const row = await db
    .insertInto('mcp_feedback')
    .columns([
      'knowledge_base_id',
      'id',
      'message',
      'url',
      'server_name',
      'client_key_id',
      'user_ref',
      'created_at',
    ])
    .expression(
      baseThatKeeps(db, report.knowledge_base_id).select([
        'knowledge_bases.id',
        sql<string>`${report.id}::uuid`.as('report_id'),
        sql<string>`${report.message}::text`.as('message'),
        sql<string | null>`${report.url}::text`.as('url'),
        sql<string | null>`${report.server_name}::text`.as('server_name'),
        sql<string | null>`${report.client_key_id}::uuid`.as('client_key_id'),
        sql<string | null>`${report.user_ref}::text`.as('user_ref'),
        sql<Date>`${report.created_at.toISOString()}::timestamptz`.as('created_at'),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
