import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Report } from '@citewell/contract/reports'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parseDateRange } from '../../kernel/date-range.ts'
import { pageWith } from '../../kernel/paging.ts'
import { webAddress } from '../../kernel/uri.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { cursorOf, readCursor } from '../conversations/conversations.ts'
import type { ReadReport, McpFeedback } from './mcp-feedback.ts'

const present = ({ isWithheld, ...report }: ReadReport): Report => ({
  id: report.id,
  knowledge_base_id: report.knowledge_base_id,
  message: isWithheld ? null : report.message,
  // An address in which personal data was masked may no longer be valid.
  url: isWithheld || report.url === null ? null : (webAddress(report.url) ?? null),
  server_name: report.server_name,
  client_key_id: report.client_key_id,
  user: report.user_ref,
  withheld: isWithheld,
  created_at: report.created_at.toISOString(),
  updated_at: report.created_at.toISOString(),
})

const endpoint = endpointsFor<'access-token', Caller>()

export const mcpFeedbackRoutes = (reports: McpFeedback) => [
  endpoint(ENDPOINTS.listReports, async ({ caller, params, query }) => {
    const { limit, text, server_name: serverName, user: userRef } = query
    const filter = { ...parseDateRange(query), text, serverName, userRef }
    const of = { filter, after: readCursor(query.cursor), limit: limit + 1 }
    return pageWith(await reports.list(caller, params.id, of), limit, present, cursorOf)
  }),
  endpoint(ENDPOINTS.deleteReport, ({ caller, params }) => reports.remove(caller, params.id)),
]
