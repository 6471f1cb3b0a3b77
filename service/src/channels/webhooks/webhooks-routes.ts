import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { presentDelivery, presentTrigger } from './present-webhook.ts'
import type { Webhooks } from './webhooks.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const webhookRoutes = (webhooks: Webhooks) => [
  endpoint(ENDPOINTS.listWebhookTriggers, async ({ caller, params, query }) =>
    pageOfRows(await webhooks.list(caller, params.id, parsePageQuery(query)), query.limit, presentTrigger),
  ),
  endpoint(ENDPOINTS.createWebhookTrigger, async ({ caller, params, body }) =>
    presentTrigger({ trigger: await webhooks.create(caller, params.id, body), last: undefined }),
  ),
  endpoint(ENDPOINTS.deleteWebhookTrigger, ({ caller, params }) => webhooks.remove(caller, params.id)),
  endpoint(ENDPOINTS.listWebhookDeliveries, async ({ caller, params, query }) =>
    pageOfRows(
      await webhooks.deliveries(caller, params.id, parsePageQuery(query)),
      query.limit,
      presentDelivery,
    ),
  ),
  endpoint(ENDPOINTS.redeliverWebhook, async ({ caller, params }) =>
    presentDelivery(await webhooks.redeliver(caller, params.id)),
  ),
]
