import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { presentWidget } from './present-widget.ts'
import type { Widgets } from './widgets.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const widgetRoutes = (widgets: Widgets) => [
  endpoint(ENDPOINTS.listWidgets, async ({ caller, params, query }) =>
    pageOfRows(await widgets.list(caller, params.id, parsePageQuery(query)), query.limit, presentWidget),
  ),
  endpoint(ENDPOINTS.createWidget, async ({ caller, params, body }) =>
    presentWidget(await widgets.create(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.getWidget, async ({ caller, params }) =>
    presentWidget(await widgets.get(caller, params.id)),
  ),
  endpoint(ENDPOINTS.updateWidget, async ({ caller, params, body }) =>
    presentWidget(await widgets.change(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.deleteWidget, ({ caller, params }) => widgets.remove(caller, params.id)),
]
