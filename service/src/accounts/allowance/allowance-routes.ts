import { ENDPOINTS } from '@citewell/contract/endpoints'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { Allowance } from './allowance.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const allowanceRoutes = ({ usage }: Pick<Allowance, 'usage'>) => [
  endpoint(ENDPOINTS.getWorkspaceUsage, async ({ caller, params }) => await usage(caller, params.id)),
]
