import { z } from 'zod'
import { Moment } from './conversations.ts'
import { declareEndpoints, CALLED_BY } from './endpoint.ts'
import { idOf, nullableText, PageUrl, recordFields, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'

export const Report = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    message: nullableText('The page on keys does not say how to rotate one by hand.').describe(
      'What was wrong in an answer, or is missing. Untrusted plain text. Null if it is withheld.',
    ),
    url: PageUrl.nullable().describe('The page that it is about.'),
    server_name: nullableText('acme-docs').describe('Null at the generic address.'),
    client_key_id: z
      .uuid()
      .nullable()
      .describe('The client key that was used; null if a person was signed in.'),
    user: nullableText().describe('An opaque id of the signed-in person.'),
    withheld: z.boolean().meta({
      description:
        'True if it came from a server that reads restricted pages, and you may not chat in the knowledge base.',
      examples: [false],
    }),
  })
  .meta({ id: 'Report', description: 'A wrong answer or a gap that an AI tool reported over MCP.' })

export type Report = z.infer<typeof Report>

export const ReportQuery = PageQuery.extend({
  from: Moment.optional().meta({
    description: 'Reported at this time or later; a day counts from its start, in UTC.',
    examples: ['2026-03-09'],
  }),
  to: Moment.optional().meta({
    description: 'Reported before this time; a day counts to its end.',
    examples: ['2026-03-15'],
  }),
  text: text(1, LIMITS.conversationText)
    .optional()
    .meta({ description: 'Only with this text in the message or the address.', examples: ['rotate'] }),
  server_name: text(1, 63)
    .optional()
    .meta({ description: 'Only from this server.', examples: ['acme-docs'] }),
  user: text(1, 320)
    .optional()
    .meta({ description: 'Only of this person.', examples: ['reader:k3Jx'] }),
})

const reports = recordEndpoints({
  room: 'answers/mcp-feedback',
  group: 'Conversations',
  path: 'reports',
  record: Report,
  page: pageOf(Report, 'ReportPage'),
  reading: CALLED_BY.configurers,
})

export const REPORT_ENDPOINTS = declareEndpoints({
  listReports: {
    ...reports.list({
      summary: 'List reports of AI tools',
      description:
        'Wrong answers and gaps that were reported with the MCP tool `feedback`, newest first. Several filters are combined with AND.',
    }),
    query: ReportQuery,
  },
  deleteReport: reports.remove({
    summary: 'Delete a report',
    description:
      'Permanently; it no longer counts in the analytics. Also works on an archived knowledge base.',
  }),
})
