import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Traces } from './traces.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const traceRoutes = (traces: Traces) => [
  endpoint(ENDPOINTS.getTrace, ({ caller, params }) => traces.get(caller, params.id)),
  endpoint(ENDPOINTS.replayMessage, ({ caller, params, body, signal }) =>
    traces.replay(caller, params.id, body, signal),
  ),
  endpoint(ENDPOINTS.tryQuestion, ({ caller, params, body, signal }) =>
    traces.tryQuestion(caller, params.id, body, signal),
  ),
]
