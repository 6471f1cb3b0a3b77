import { z } from 'zod'
import { DELIVERY_STATUSES } from './closed-lists.ts'
import { declareEndpoints, CALLED_BY, GET, POST } from './endpoint.ts'
import { WebhookEvent } from './events.ts'
import { HttpUrl, Id, idOf, lineText, nullableText, recordFields, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { OneRecord } from './params.ts'
import { recordEndpoints } from './record-endpoints.ts'

const Name = lineText(1, LIMITS.name).meta({ examples: ['Answers to our chat'] })
const Url = HttpUrl.meta({
  description: 'Where deliveries are posted. Use https: a body contains the beginning of an answer.',
  examples: ['https://hooks.example.com/citewell'],
})
const Events = z
  .array(WebhookEvent)
  .min(1)
  .max(20)
  .transform((events) => [...new Set(events)])
  .meta({ description: 'The events to send.', examples: [['conversation.completed']] })

const DeliveryStatus = z.enum(DELIVERY_STATUSES).meta({
  description:
    '`delivered`: the receiver answered with a 2xx status in time. `failed`: with another status, too late, or not at all. `unknown`: the service ended while it was being sent. `cancelled`: not sent, because the knowledge base was archived or the receiver is gone.',
  examples: ['delivered'],
})

const outcome = {
  status: DeliveryStatus,
  response_status: z
    .int()
    .nullable()
    .meta({ description: 'Status of the receiver’s response; null if there was none.', examples: [204] }),
  error: nullableText().describe('Why it failed.'),
  duration_ms: z
    .int()
    .nullable()
    .meta({ description: 'From the first attempt to connect until the status arrived.', examples: [84] }),
  attempted_at: Timestamp.nullable().describe('When it was sent; null until then.'),
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
        '`gone`: its receiver answered 410, so nothing is sent any more. A successful redelivery makes it live again.',
      examples: ['live'],
    }),
    last_delivery: z
      .object({ id: Id, event: WebhookEvent, ...outcome })
      .nullable()
      .describe('The newest delivery; the others are in the log.'),
  })
  .meta({
    id: 'WebhookTrigger',
    description: 'An address to which events are sent. Its secret is not shown.',
  })

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
          'Signs every delivery. Recommended: `whsec_` and 24 to 64 random bytes in base64, as in Standard Webhooks; any other text is used unchanged. Stored encrypted, and never shown again.',
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
      description: 'The exact text that was, or will be, posted.',
      examples: ['{"event":"conversation.completed","knowledge_base_id":"…","data":{},"timestamp":"…"}'],
    }),
    response_body: nullableText('ok').describe(
      'The beginning of the response of the receiver: 4,096 bytes at most.',
    ),
    redelivery_of: Id.nullable().meta({
      description: 'The delivery that this one repeats manually; null for a first one.',
      examples: [null],
    }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One attempt to send an event to a receiver.' })

export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const about = { caller: 'access-token', room: 'channels/webhooks', group: 'Webhooks' } as const
const triggers = recordEndpoints({
  ...about,
  path: 'webhook-triggers',
  record: WebhookTrigger,
  page: pageOf(WebhookTrigger, 'WebhookTriggerPage'),
  reading: CALLED_BY.configurers,
})

export const WEBHOOK_ENDPOINTS = declareEndpoints({
  listWebhookTriggers: triggers.list({ summary: 'List the webhooks' }),
  createWebhookTrigger: triggers.create({
    summary: 'Register a webhook',
    description:
      'From now on each selected event is posted to the address, once: nothing is retried. The receiver has 10 seconds to answer.',
    body: NewWebhookTrigger,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  }),
  deleteWebhookTrigger: triggers.remove({
    summary: 'Remove a webhook',
    description: 'Nothing more is sent to it. Its log is deleted too.',
  }),
  listWebhookDeliveries: {
    ...about,
    ...GET('/api/v1/webhook-triggers/{id}/deliveries'),
    summary: 'Read the log of a webhook',
    description: 'Newest first. The log goes back 30 days.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    query: PageQuery,
    answer: { status: 200, body: pageOf(WebhookDelivery, 'WebhookDeliveryPage') },
  },
  redeliverWebhook: {
    ...about,
    ...POST('/api/v1/webhook-deliveries/{id}/redeliver'),
    summary: 'Resend a delivery',
    description:
      'The same bytes with the same `webhook-id`, signed at the time of sending. It is a separate delivery in the log.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    answer: { status: 202, body: WebhookDelivery },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
})
