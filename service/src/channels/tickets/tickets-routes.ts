import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Tickets } from './tickets.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const ticketRoutes = (tickets: Tickets) => [
  endpoint(ENDPOINTS.takeTicketMessage, ({ caller, params, body, signal }) =>
    tickets.takeMessage(caller, params.id, body, signal),
  ),
]
