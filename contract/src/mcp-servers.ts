import { z } from 'zod'
import { RESERVED_SERVER_NAMES, SIGN_IN_TYPES } from './closed-lists.ts'
import { declareEndpoints, CALLED_BY, GET, PATCH } from './endpoint.ts'
import { HttpUrl, idOf, nullableText, recordFields, Timestamp, wholeNumber } from './fields.ts'
import { pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'
import { recordEndpoints } from './record-endpoints.ts'

const isFree = (name: string) => !RESERVED_SERVER_NAMES.includes(name)

export const ServerName = z
  .string()
  .min(3, { error: 'must have at least 3 characters' })
  .max(63, { error: 'must have at most 63 characters' })
  .regex(/^[a-z0-9-]*$/, { error: 'must contain only lowercase letters, digits and hyphens' })
  .regex(/^[^-](?:.*[^-])?$/, { error: 'must not start or end with a hyphen' })
  .refine(isFree, { error: 'is a reserved name' })
  .meta({
    description: 'Last part of its address. It cannot be changed, and is unique within this service.',
    examples: ['acme-docs'],
  })

const SignInType = z
  .enum(SIGN_IN_TYPES)
  .describe(
    'Who may connect. It cannot be changed. `api_key`: anyone with a client key with MCP access. `public`: readers who sign in. `internal`: members who may ask the knowledge base. An external knowledge base offers the first two, an internal one the last.',
  )

export const McpServer = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    server_name: z.string().meta({ examples: ['acme-docs'] }),
    sign_in_type: SignInType,
    url: HttpUrl.meta({
      description: 'The address to give to an AI tool.',
      examples: ['https://answers.example.com/mcp/acme-docs'],
    }),
    notice: nullableText().describe(
      'What keeps it from answering, and what to do about it; null if it works. A `public` server needs an identity provider for readers.',
    ),
    calls: wholeNumber(412).describe(
      'Calls of its tools in the last 30 days (UTC), without those that a limit refused. Counted with any retention, and with zero retention too: without readers.',
    ),
    readers: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description:
          'Who called in these days: signed-in people, or addresses if a key is sent. At most 2,000 a day are told apart. Those from before the retention of the workspace (`retention_days`) are not counted. Null with zero retention, which tells no one apart.',
        examples: [17],
      }),
    last_used_at: Timestamp.nullable().describe(
      'When a tool was last called, written at most once a minute. Null: never.',
    ),
  })
  .meta({ id: 'McpServer', description: 'An address at which AI tools read a knowledge base.' })

export type McpServer = z.infer<typeof McpServer>

export const NewMcpServer = z
  .strictObject({ server_name: ServerName, sign_in_type: SignInType })
  .meta({ id: 'NewMcpServer', examples: [{ server_name: 'acme-docs', sign_in_type: 'api_key' }] })

export type NewMcpServer = z.infer<typeof NewMcpServer>

/** Why readers may not connect AI tools to a base. */
export const MCP_UNAVAILABLE = [
  'sign_in_not_set_up',
  'knowledge_base_internal',
  'knowledge_base_archived',
] as const

export const McpAvailability = z
  .object({
    knowledge_base_id: idOf('knowledge base'),
    mcp_available: z.boolean().meta({
      description: 'Whether readers may connect AI tools, as in `widget-config`.',
      examples: [false],
    }),
    because: z
      .enum(MCP_UNAVAILABLE)
      .nullable()
      .meta({
        description:
          'Why they may not; null if they may. `sign_in_not_set_up`: this service has no identity provider for readers. An operator sets one up, for example with `CITEWELL_GOOGLE_CLIENT_ID` and `CITEWELL_GOOGLE_CLIENT_SECRET`.',
        examples: ['sign_in_not_set_up'],
      }),
  })
  .meta({ id: 'McpAvailability', description: 'Whether readers may connect AI tools, and if not, why.' })

export type McpAvailability = z.infer<typeof McpAvailability>

const about = { caller: 'access-token', room: 'channels/mcp-servers', group: 'MCP servers' } as const
const servers = recordEndpoints({
  ...about,
  path: 'mcp-servers',
  record: McpServer,
  page: pageOf(McpServer, 'McpServerPage'),
})

export const MCP_SERVER_ENDPOINTS = declareEndpoints({
  listMcpServers: servers.list({ summary: 'List the MCP servers' }),
  getMcpAvailability: {
    ...about,
    ...GET('/api/v1/knowledge-bases/{id}/mcp-availability'),
    summary: 'Check whether readers may connect AI tools',
    description:
      'The origin of `mcp_available` in `widget-config`. Client keys with MCP access can connect in any case.',
    ...CALLED_BY.members,
    params: InKnowledgeBase,
    answer: { status: 200, body: McpAvailability },
  },
  createMcpServer: servers.create({
    summary: 'Make an MCP server',
    body: NewMcpServer,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  }),
  updateMcpServer: {
    ...about,
    ...PATCH('/api/v1/mcp-servers/{id}'),
    summary: 'Change an MCP server: always refused',
    description:
      'Neither its name nor its sign-in type can be changed: tools depend on both. Delete it and make another. The response is always 400.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    answer: { status: 200, body: McpServer },
  },
  deleteMcpServer: servers.remove({
    summary: 'Delete an MCP server',
    description: 'Anyone may use its name again.',
  }),
})
