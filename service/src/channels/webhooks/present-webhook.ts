import type { WebhookEventName } from '@citewell/contract/events'
import type { WebhookDelivery, WebhookTrigger } from '@citewell/contract/webhooks'
import type { DeliveryRow } from './webhook-deliveries-store.ts'
import type { TriggerWithLast } from './webhooks.ts'

const outcomeOf = (row: DeliveryRow) => ({
  status: row.status,
  response_status: row.response_status,
  error: row.error,
  duration_ms: row.duration_ms,
  attempted_at: row.attempted_at?.toISOString() ?? null,
})

// The column holds only names of the contract.
const eventOf = (row: DeliveryRow) => row.event as WebhookEventName

/** The record in the management API, without its secret. */
export function presentTrigger({ trigger, last }: TriggerWithLast): WebhookTrigger {
  return {
    id: trigger.id,
    knowledge_base_id: trigger.knowledge_base_id,
    name: trigger.name,
    url: trigger.url,
    events: trigger.events as WebhookEventName[],
    has_secret: trigger.sealed_secret !== null,
    status: trigger.gone_at === null ? 'live' : 'gone',
    last_delivery: last === undefined ? null : { id: last.id, event: eventOf(last), ...outcomeOf(last) },
    created_at: trigger.created_at.toISOString(),
    updated_at: trigger.updated_at.toISOString(),
  }
}

export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    webhook_trigger_id: row.trigger_id,
    event: eventOf(row),
    ...outcomeOf(row),
    body: row.body,
    response_body: row.response_body,
    redelivery_of: row.redelivery_of,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
