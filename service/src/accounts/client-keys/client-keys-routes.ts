import { ENDPOINTS } from '@citewell/contract/endpoints'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { ClientKeys } from './client-keys.ts'
import { presentClientKey } from './present-client-key.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const clientKeyRoutes = (clientKeys: ClientKeys) => [
  endpoint(ENDPOINTS.listClientKeys, async ({ caller, params, query }) =>
    pageOfRows(
      await clientKeys.list(caller, params.id, parsePageQuery(query)),
      query.limit,
      presentClientKey,
    ),
  ),
  endpoint(ENDPOINTS.createClientKey, async ({ caller, params, body }) => {
    const { row, clientSecret } = await clientKeys.create(caller, params.id, body)
    return { ...presentClientKey(row), ...(clientSecret !== undefined && { client_secret: clientSecret }) }
  }),
  endpoint(ENDPOINTS.updateClientKey, async ({ caller, params, body }) =>
    presentClientKey(await clientKeys.change(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.revokeClientKey, ({ caller, params }) => clientKeys.revoke(caller, params.id)),
]
