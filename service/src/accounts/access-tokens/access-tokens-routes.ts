import { ENDPOINTS } from '@citewell/contract/endpoints'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { AccessTokens } from './access-tokens.ts'
import { presentAccessToken } from './present-access-token.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const accessTokenRoutes = (accessTokens: AccessTokens) => [
  endpoint(ENDPOINTS.listAccessTokens, async ({ caller, query }) =>
    pageOfRows(await accessTokens.list(caller, parsePageQuery(query)), query.limit, presentAccessToken),
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
