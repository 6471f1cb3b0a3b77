import { z } from 'zod'
import { declareEndpoints, DELETE, GET } from './endpoint.ts'
import { Id, recordFields, Timestamp } from './fields.ts'
import { PageQuery, pageOf } from './paging.ts'
import { OneRecord } from './params.ts'

export const ConnectedTool = z
  .object({
    ...recordFields,
    client_name: z.string().meta({ description: 'The name that the tool gave.', examples: ['Claude Code'] }),
    redirect_host: z.string().meta({
      description: 'Where it was authorised from: your own machine, or a website.',
      examples: ['localhost:43117'],
    }),
    url: z.string().meta({
      description: 'The MCP server that it reads.',
      examples: ['https://answers.example.com/mcp/portal'],
    }),
    reads_all: z
      .boolean()
      .nullable()
      .describe(
        'At the portal: whether it reads every base that you may chat in, including future ones. Null elsewhere.',
      ),
    knowledge_base_ids: z
      .array(Id)
      .nullable()
      .describe('At the portal: the bases that you chose. Null elsewhere.'),
    last_used_at: Timestamp.nullable().describe('Written at most once a minute. Null: never.'),
  })
  .meta({ id: 'ConnectedTool', description: 'An AI tool that reads an MCP server on your behalf.' })

export type ConnectedTool = z.infer<typeof ConnectedTool>

const about = {
  caller: 'access-token',
  room: 'channels/oauth',
  group: 'You and your tokens',
  permission: 'member',
} as const

export const CONNECTED_TOOL_ENDPOINTS = declareEndpoints({
  listConnectedTools: {
    ...about,
    ...GET('/api/v1/me/connected-tools'),
    summary: 'List the AI tools that you have connected',
    scope: 'read',
    query: PageQuery,
    answer: { status: 200, body: pageOf(ConnectedTool, 'ConnectedToolPage') },
  },
  deleteConnectedTool: {
    ...about,
    ...DELETE('/api/v1/me/connected-tools/{id}'),
    summary: 'Disconnect an AI tool',
    description: 'Its tokens are refused from its next request on.',
    scope: 'config',
    params: OneRecord,
    recordedBy: 'room',
    answer: { status: 204 },
  },
})
