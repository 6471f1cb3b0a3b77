import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Bots } from './bots.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const botRoutes = (bots: Bots) => [
  endpoint(ENDPOINTS.listBots, async ({ caller, params, query }) =>
    pageOfRows(await bots.list(caller, params.id, parsePageQuery(query)), query.limit, (bot) => bot),
  ),
  endpoint(ENDPOINTS.createBot, ({ caller, params, body }) => bots.create(caller, params.id, body)),
  endpoint(ENDPOINTS.getBot, ({ caller, params }) => bots.get(caller, params.id)),
  endpoint(ENDPOINTS.updateBot, ({ caller, params, body }) => bots.change(caller, params.id, body)),
  endpoint(ENDPOINTS.deleteBot, ({ caller, params }) => bots.remove(caller, params.id)),
]
