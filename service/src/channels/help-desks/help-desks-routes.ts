import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { HelpDesks } from './help-desks.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const helpDeskRoutes = (helpDesks: Pick<HelpDesks, 'setup' | 'check'>) => [
  endpoint(ENDPOINTS.getHelpdeskSetup, ({ caller, params }) => helpDesks.setup(caller, params.id)),
  endpoint(ENDPOINTS.checkHelpdesk, ({ caller, params, signal }) =>
    helpDesks.check(caller, params.id, signal),
  ),
]
