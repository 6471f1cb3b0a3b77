import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { WebhookEvent } from './events.ts'
import { HttpUrl, Id, idOf, recordFields, text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'

const Name = text(1, LIMITS.name).meta({ examples: ['Answers to our chat'] })
const Url = HttpUrl.meta({
  description: 'Where deliveries are posted. Use https: a body holds the beginning of an answer.',
  examples: ['https://hooks.example.com/citewell'],
})
const Events = z
  .array(WebhookEvent)
  .min(1)
  .max(20)
  .transform((events) => [...new Set(events)])
  .meta({ description: 'The events to be told of.', examples: [['conversation.completed']] })

export const DELIVERY_STATUSES = [
  'pending',
  'sending',
  'delivered',
  'failed',
  /** The service ended while it was being sent: it may have arrived. It is never sent again on its own. */
  'unknown',
  /** It was not sent: the knowledge base was archived, or the receiver has gone. */
  'cancelled',
] as const

const DeliveryStatus = z.enum(DELIVERY_STATUSES).meta({
  description:
    '`delivered`: the receiver answered with a 2xx status in time. `failed`: with another one, too late, or not at all. `unknown`: the service ended while it was being sent. `cancelled`: not sent, because the knowledge base was archived or the receiver is gone.',
  examples: ['delivered'],
})

const outcome = {
  status: DeliveryStatus,
  response_status: z
    .int()
    .nullable()
    .meta({ description: 'What the receiver answered; null where it did not.', examples: [204] }),
  error: z
    .string()
    .nullable()
    .meta({ description: 'Why it failed, in words.', examples: [null] }),
  duration_ms: z
    .int()
    .nullable()
    .meta({ description: 'From the first attempt to connect until the status came.', examples: [84] }),
  attempted_at: Timestamp.nullable().meta({ description: 'When it was sent; null until then.' }),
}

export const WebhookTrigger = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    name: Name,
    url: Url,
    events: z.array(WebhookEvent),
    has_secret: z.boolean().meta({ description: 'Whether deliveries are signed.', examples: [true] }),
    status: z.enum(['live', 'gone']).meta({
      description:
        '`gone`: its receiver answered 410, so nothing is sent any more. A redelivery that arrives makes it live again.',
      examples: ['live'],
    }),
    last_delivery: z
      .object({ id: Id, event: WebhookEvent, ...outcome })
      .nullable()
      .meta({ description: 'The newest one; the log has the others.' }),
  })
  .meta({ id: 'WebhookTrigger', description: 'An address that is told of events. Its secret is not shown.' })

export type WebhookTrigger = z.infer<typeof WebhookTrigger>

export const NewWebhookTrigger = z
  .strictObject({
    name: Name,
    url: Url,
    events: Events,
    secret: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .meta({
        description:
          'Signs every delivery. Best is `whsec_` and 24 to 64 random bytes in base64, as Standard Webhooks has it; any other text is used as it stands. Kept sealed, and never shown again.',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      }),
  })
  .meta({ id: 'NewWebhookTrigger' })

export type NewWebhookTrigger = z.infer<typeof NewWebhookTrigger>

export const WebhookDelivery = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    webhook_trigger_id: idOf('webhook'),
    event: WebhookEvent,
    ...outcome,
    body: z.string().meta({
      description: 'The very text that was, or will be, posted.',
      examples: ['{"event":"conversation.completed","knowledge_base_id":"…","data":{},"timestamp":"…"}'],
    }),
    response_body: z
      .string()
      .nullable()
      .meta({ description: 'How the answer of the receiver begins: 4,096 bytes at most.', examples: ['ok'] }),
    redelivery_of: Id.nullable().meta({
      description: 'The delivery that this one repeats by hand; null for a first one.',
      examples: [null],
    }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One attempt to tell a receiver of an event.' })

export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const about = { caller: 'access-token', room: 'channels/webhooks', group: 'Webhooks' } as const

export const WEBHOOK_ENDPOINTS = declareEndpoints({
  listWebhookTriggers: {
    ...about,
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}/webhook-triggers',
    summary: 'List the webhooks',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    query: PageQuery,
    answer: { status: 200, body: pageOf(WebhookTrigger, 'WebhookTriggerPage') },
  },
  createWebhookTrigger: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/webhook-triggers',
    summary: 'Register a webhook',
    description:
      'From now on each event named is posted to the address, once: nothing is retried. The receiver has 10 seconds to answer.',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    body: NewWebhookTrigger,
    answer: { status: 201, body: WebhookTrigger },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
  deleteWebhookTrigger: {
    ...about,
    method: 'DELETE',
    path: '/api/v1/webhook-triggers/{id}',
    summary: 'Remove a webhook',
    description: 'Nothing more is sent to it. Its log goes with it.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 204 },
  },
  listWebhookDeliveries: {
    ...about,
    method: 'GET',
    path: '/api/v1/webhook-triggers/{id}/deliveries',
    summary: 'Read the log of a webhook',
    description: 'The newest first. The log goes back 30 days.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    query: PageQuery,
    answer: { status: 200, body: pageOf(WebhookDelivery, 'WebhookDeliveryPage') },
  },
  redeliverWebhook: {
    ...about,
    method: 'POST',
    path: '/api/v1/webhook-deliveries/{id}/redeliver',
    summary: 'Send a delivery once more',
    description:
      'The same bytes, with the same `webhook-id`, signed at the time of sending. It is a delivery of its own in the log.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 202, body: WebhookDelivery },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
})
