import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { idOf, Origins, recordFields, text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'

const Name = text(1, LIMITS.name).meta({ examples: ['Website'] })

const Kind = z.enum(['public', 'secret']).meta({
  description:
    '`public`: one key, for pages and apps. `secret`: a client id and a client secret, for servers.',
})

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

const about = { caller: 'access-token', room: 'accounts/client-keys', group: 'Client keys' } as const

export const CLIENT_KEY_ENDPOINTS = declareEndpoints({
  listClientKeys: {
    ...about,
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}/client-keys',
    summary: 'List the client keys',
    scope: 'read',
    permission: 'config',
    params: InKnowledgeBase,
    query: PageQuery,
    answer: { status: 200, body: pageOf(ClientKey, 'ClientKeyPage') },
  },
  createClientKey: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/client-keys',
    summary: 'Make a client key',
    description:
      'An internal knowledge base has no client keys. The secret of a pair is shown only in this response.',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    body: NewClientKey,
    answer: { status: 201, body: CreatedClientKey },
    refusals: ['KNOWLEDGE_BASE_INTERNAL', 'KNOWLEDGE_BASE_ARCHIVED'],
  },
  updateClientKey: {
    ...about,
    method: 'PATCH',
    path: '/api/v1/client-keys/{id}',
    summary: 'Change a client key',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    body: ClientKeyChange,
    answer: { status: 200, body: ClientKey },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
  revokeClientKey: {
    ...about,
    method: 'DELETE',
    path: '/api/v1/client-keys/{id}',
    summary: 'Revoke a client key',
    description: 'It stops working immediately, and cannot be restored.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 204 },
  },
})
