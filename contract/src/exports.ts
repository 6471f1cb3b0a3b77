import { z } from 'zod'
import { ActivityQuery } from './activity.ts'
import { AnalyticsQuery } from './analytics.ts'
import { ConversationQuery } from './conversations.ts'
import { declareEndpoints, CALLED_BY, GET } from './endpoint.ts'
import { LIMITS } from './limits.ts'
import { InKnowledgeBase } from './params.ts'
import { OfWorkspace } from './workspaces.ts'

const { rows } = LIMITS.exports

const Format = z
  .enum(['csv', 'ndjson'])
  .default('csv')
  .describe(
    '`csv`: a line of column names, then a line for each row, for spreadsheets, in UTF-8 with a byte order mark; a text that a spreadsheet would run as a formula has an apostrophe before it. `ndjson`: a JSON object a line.',
  )

const bounded = `At most ${rows.toLocaleString('en')} rows, the newest; if there are more, the response header \`X-Citewell-Truncated\` is \`true\`.`

const withoutPage = { limit: true, cursor: true } as const
const text = {
  status: 200,
  text: 'text/csv; charset=utf-8',
  others: ['application/x-ndjson; charset=utf-8'],
  description: 'A file, by its format.',
} as const

export const EXPORT_ENDPOINTS = declareEndpoints({
  exportConversations: {
    caller: 'access-token',
    room: 'answers/exports',
    group: 'Conversations',
    ...GET('/api/v1/knowledge-bases/{id}/conversations/export'),
    summary: 'Export conversations',
    description: `A row for each question with its answer, of the conversations that the filters find. ${bounded}`,
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    query: ConversationQuery.omit(withoutPage).extend({ format: Format }),
    answer: { ...text, isBounded: true },
  },
  exportAnalytics: {
    caller: 'access-token',
    room: 'answers/exports',
    group: 'Conversations',
    ...GET('/api/v1/knowledge-bases/{id}/analytics/export'),
    summary: 'Export the figures of each day',
    description: 'A row for each day and surface with a question, in UTC.',
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    query: AnalyticsQuery.extend({ format: Format }),
    answer: text,
  },
  exportActivity: {
    caller: 'access-token',
    room: 'accounts/activity-log',
    group: 'Workspaces',
    ...GET('/api/v1/workspaces/{id}/activity/export'),
    summary: 'Export the activity log',
    description: `For owners and admins. ${bounded}`,
    scope: 'read',
    permission: 'administer',
    params: OfWorkspace,
    query: ActivityQuery.omit(withoutPage).extend({ format: Format }),
    answer: { ...text, isBounded: true },
  },
})
