import type { AccessToken } from '@citewell/contract/access-tokens'
import type { TokenScope } from '@citewell/contract/endpoint'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { askedPage, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { AccessTokenRow, AccessTokens } from './access-tokens.ts'

const endpoint = endpointsFor<'access-token', Caller>()

function presentAccessToken(row: AccessTokenRow): AccessToken {
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    token_start: row.token_start,
    scopes: row.scopes as TokenScope[],
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export const accessTokenRoutes = (accessTokens: AccessTokens) => [
  endpoint(ENDPOINTS.listAccessTokens, async ({ caller, query }) =>
    pageOfRows(await accessTokens.list(caller, askedPage(query)), query.limit, presentAccessToken),
  ),
  endpoint(ENDPOINTS.createAccessToken, async ({ caller, body }) => {
    const expiresAt = body.expires_at === null ? undefined : new Date(body.expires_at)
    const { token, row } = await accessTokens.create(caller, {
      name: body.name,
      scopes: body.scopes,
      expiresAt,
    })
    return { ...presentAccessToken(row), token }
  }),
  endpoint(ENDPOINTS.deleteAccessToken, ({ caller, params }) => accessTokens.remove(caller, params.id)),
]
