import { z } from 'zod'
import { declareEndpoints, TOKEN_SCOPES, DELETE, GET, POST } from './endpoint.ts'
import { idOf, lineText, recordFields, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { OneRecord } from './params.ts'

const Name = lineText(1, LIMITS.name).meta({ examples: ['deploy script'] })

export const TokenScopes = z
  .array(z.enum(TOKEN_SCOPES))
  .min(1)
  .max(TOKEN_SCOPES.length)
  .meta({
    description:
      'What it may be used for: `read`, `config` (also change things), `admin` (also people, tokens and the workspace). It never has more permissions than its owner.',
    examples: [['read', 'config']],
  })

const ExpiresAt = Timestamp.nullable().meta({
  description: 'When it expires. Null: never.',
  examples: ['2027-01-01T00:00:00.000Z'],
})

export const AccessToken = z
  .object({
    ...recordFields,
    user_id: idOf('owner'),
    name: Name,
    token_start: z
      .string()
      .meta({ description: 'Its first characters, to recognise it.', examples: ['cw_pat_9fK2'] }),
    scopes: TokenScopes,
    expires_at: ExpiresAt,
    last_used_at: Timestamp.nullable(),
  })
  .meta({ id: 'AccessToken', description: 'Gives a person, or their script, access to the management API.' })

export type AccessToken = z.infer<typeof AccessToken>

export const CreatedAccessToken = AccessToken.extend({
  token: z
    .string()
    .meta({ description: 'The token itself. It is shown only once.', examples: ['cw_pat_9fK2m7…'] }),
}).meta({ id: 'CreatedAccessToken', description: 'A new access token.' })

export type CreatedAccessToken = z.infer<typeof CreatedAccessToken>

export const NewAccessToken = z
  .strictObject({ name: Name, scopes: TokenScopes.default(['read']), expires_at: ExpiresAt.default(null) })
  .meta({ id: 'NewAccessToken', examples: [{ name: 'deploy script', scopes: ['read', 'config'] }] })

const about = {
  caller: 'access-token',
  room: 'accounts/access-tokens',
  group: 'You and your tokens',
  permission: 'member',
} as const

export const ACCESS_TOKEN_ENDPOINTS = declareEndpoints({
  listAccessTokens: {
    ...about,
    ...GET('/api/v1/access-tokens'),
    summary: 'List your access tokens',
    scope: 'read',
    query: PageQuery,
    answer: { status: 200, body: pageOf(AccessToken, 'AccessTokenPage') },
  },
  createAccessToken: {
    ...about,
    ...POST('/api/v1/access-tokens'),
    summary: 'Make an access token',
    description:
      'The token is shown only in this response. It cannot have a scope that the calling token lacks, nor expire later: if the calling token expires, `expires_at` is required.',
    scope: 'admin',
    body: NewAccessToken,
    recordedBy: 'room',
    answer: { status: 201, body: CreatedAccessToken },
  },
  deleteAccessToken: {
    ...about,
    ...DELETE('/api/v1/access-tokens/{id}'),
    summary: 'Delete an access token',
    description: 'It stops working immediately.',
    scope: 'admin',
    params: OneRecord,
    recordedBy: 'room',
    answer: { status: 204 },
  },
})
