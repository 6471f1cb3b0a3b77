import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { idOf, lineText, Origins, recordFields, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'

const Name = lineText(1, LIMITS.name).meta({ examples: ['Website'] })

const Kind = z
  .enum(['public', 'secret'])
  .describe('`public`: one key, for pages and apps. `secret`: a client id and a client secret, for servers.')

const AllowedSourceGroupIds = z
  .array(idOf('source group'))
  .max(200)
  .meta({
    description:
      'The source groups that it may use; `group_ids` of a request only narrow them further. An empty list allows the whole knowledge base.',
    examples: [[]],
  })

const AllowMcpAccess = z
  .boolean()
  .meta({ description: 'Whether MCP servers accept it. Cannot be changed after creation.', examples: [true] })

export const ClientKey = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    name: Name,
    kind: Kind,
    key: z
      .string()
      .optional()
      .meta({ description: 'For a public key: the value of `X-Client-Key`.', examples: ['cw_pk_4f9aK2…'] }),
    client_id: z
      .string()
      .optional()
      .meta({ description: 'For a secret pair: the value of `X-Client-Id`.', examples: ['cw_id_8hT31b…'] }),
    allow_mcp_access: AllowMcpAccess,
    allowed_origins: Origins,
    allowed_source_group_ids: AllowedSourceGroupIds,
    status: z.enum(['live', 'revoked']),
    last_used_at: Timestamp.nullable(),
  })
  .meta({
    id: 'ClientKey',
    description: 'The credential with which a page, an app or a server asks an external knowledge base.',
  })

export type ClientKey = z.infer<typeof ClientKey>

/** Only the response to the creation contains the secret. */
export const CreatedClientKey = ClientKey.extend({
  client_secret: z
    .string()
    .optional()
    .meta({
      description: 'For a secret pair: the value of `X-Client-Secret`. It is shown only once.',
      examples: ['cw_sk_x81Tq9…'],
    }),
}).meta({ id: 'CreatedClientKey', description: 'A new client key.' })

export type CreatedClientKey = z.infer<typeof CreatedClientKey>

export const NewClientKey = z
  .strictObject({
    name: Name,
    kind: Kind.default('public'),
    allow_mcp_access: AllowMcpAccess.default(true),
    allowed_origins: Origins.default([]),
    allowed_source_group_ids: AllowedSourceGroupIds.default([]),
  })
  .meta({
    id: 'NewClientKey',
    examples: [{ name: 'Website', allowed_origins: ['https://docs.example.com'] }],
  })

export type NewClientKey = z.infer<typeof NewClientKey>

export const ClientKeyChange = z
  .strictObject({ name: Name, allowed_origins: Origins, allowed_source_group_ids: AllowedSourceGroupIds })
  .partial()
  .meta({
    id: 'ClientKeyChange',
    description: '`allow_mcp_access` cannot be changed.',
    examples: [{ allowed_origins: ['https://*.example.com'] }],
  })

export type ClientKeyChange = z.infer<typeof ClientKeyChange>

const keys = recordEndpoints({
  room: 'accounts/client-keys',
  group: 'Client keys',
  path: 'client-keys',
  record: ClientKey,
  page: pageOf(ClientKey, 'ClientKeyPage'),
  reading: { scope: 'read', permission: 'config' },
})

export const CLIENT_KEY_ENDPOINTS = declareEndpoints({
  listClientKeys: keys.list({ summary: 'List the client keys' }),
  createClientKey: {
    ...keys.create({
      summary: 'Make a client key',
      description:
        'An internal knowledge base has no client keys. The secret of a pair is shown only in this response.',
      body: NewClientKey,
      refusals: ['KNOWLEDGE_BASE_INTERNAL', 'KNOWLEDGE_BASE_ARCHIVED'],
    }),
    recordedBy: 'room',
    answer: { status: 201, body: CreatedClientKey },
  },
  updateClientKey: {
    ...keys.change({
      summary: 'Change a client key',
      body: ClientKeyChange,
      refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
    }),
    recordedBy: 'room',
  },
  revokeClientKey: {
    ...keys.remove({
      summary: 'Revoke a client key',
      description: 'It stops working immediately, and cannot be restored.',
    }),
    recordedBy: 'room',
  },
})
