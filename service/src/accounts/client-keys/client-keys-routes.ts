import { ENDPOINTS } from '@citewell/contract/endpoints'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { recordRoutes } from '../base-records/base-records.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { ClientKeys } from './client-keys.ts'
import { presentClientKey } from './present-client-key.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const clientKeyRoutes = (clientKeys: ClientKeys) => [
  ...recordRoutes(
    { list: ENDPOINTS.listClientKeys, change: ENDPOINTS.updateClientKey, remove: ENDPOINTS.revokeClientKey },
    { ...clientKeys, remove: clientKeys.revoke },
    presentClientKey,
  ),
  endpoint(ENDPOINTS.createClientKey, async ({ caller, params, body }) => {
    const { row, clientSecret } = await clientKeys.create(caller, params.id, body)
    return { ...presentClientKey(row), ...(clientSecret !== undefined && { client_secret: clientSecret }) }
  }),
]
