import { ENDPOINTS } from '@citewell/contract/endpoints'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { presentDelivery, presentTrigger } from './present-webhook.ts'
import type { Webhooks } from './webhooks.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const webhookRoutes = (webhooks: Webhooks) => [
  ...recordRoutes(
    {
      list: ENDPOINTS.listWebhookTriggers,
      create: ENDPOINTS.createWebhookTrigger,
      remove: ENDPOINTS.deleteWebhookTrigger,
    },
    webhooks,
    presentTrigger,
  ),
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
