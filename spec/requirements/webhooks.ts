import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/webhooks/webhooks.ts'
const schema = 'contract/src/webhooks.ts'
const record = 'service/src/channels/webhooks/present-webhook.ts'
const posting = 'service/src/channels/webhooks/post-delivery.ts'
const headers = 'service/src/channels/webhooks/webhook-signature.ts'
const queue = 'service/src/channels/webhooks/send-queue-store.ts'
const managed = 'interface#management-api'
const rule = 'interface#events'
const open = 'open-items#2-management-api'

export const WEBHOOKS = {
  'webhooks.create': {
    says: 'A webhook is registered with a name, an address, the events it wants and, if wished, a secret.',
    spec: managed,
    lives,
  },
  'webhooks.needs-config': {
    says: 'Registering, listing and removing webhooks needs the Config permission on the knowledge base.',
    spec: managed,
    lives,
  },
  'webhooks.list': { says: "A knowledge base's webhooks can be listed.", spec: managed, lives },
  'webhooks.delete': {
    says: 'Deleting a webhook removes it: nothing more is sent to it.',
    spec: managed,
    lives,
  },
  'webhooks.fields': {
    says: 'A webhook has a name, an address, a list of event names and an optional secret.',
    spec: 'interface#webhook-trigger',
    lives: schema,
  },
  'webhooks.url-only': {
    says: 'The address of a webhook is an http or https URL, and the events are names of events that there are.',
    spec: 'interface#webhook-trigger',
    lives: schema,
  },
  'webhooks.record': {
    says: 'The record has id, knowledge_base_id, name, url, events, has_secret, created_at and last_delivery.',
    spec: open,
    lives: record,
  },
  'webhooks.secret-never-returned': {
    says: 'The secret of a webhook is never returned.',
    spec: open,
    lives: record,
  },
  'webhooks.secret-sealed': {
    says: 'A webhook’s secret is encrypted where it is stored.',
    spec: 'security#1.14',
    lives,
  },
  'webhooks.log': { says: 'The deliveries of a webhook can be read as a log.', spec: open, lives },
  'webhooks.redeliver': { says: 'A delivery can be sent once more by hand.', spec: open, lives },
  'webhooks.post-json': {
    says: 'Each delivery is an HTTP POST with a JSON body.',
    spec: rule,
    lives: posting,
  },
  'webhooks.body': {
    says: 'The body of a delivery has event, knowledge_base_id, data and timestamp.',
    spec: rule,
    lives: 'service/src/channels/webhooks/record-webhook-event.ts',
  },
  'webhooks.event-header': { says: 'A header names the event: X-Service-Event.', spec: rule, lives: headers },
  'webhooks.signature': {
    says: 'With a secret, X-Service-Signature holds the hex HMAC-SHA256 of the raw body.',
    spec: rule,
    lives: headers,
  },
  'webhooks.unsigned-without-secret': {
    says: 'Without a secret a delivery carries no signature.',
    spec: rule,
    lives: headers,
  },
  'webhooks.standard-headers': {
    says: 'The headers of Standard Webhooks stand beside ours, and verify with its library.',
    spec: 'security#1.11',
    lives: headers,
  },
  'webhooks.no-retries': {
    says: 'A delivery that fails is not retried.',
    spec: rule,
    lives: 'service/src/channels/webhooks/webhook-sender.ts',
  },
  'webhooks.ten-seconds': { says: 'The receiver has 10 seconds to answer.', spec: rule, lives: posting },
  'webhooks.ten-seconds-limit': {
    says: 'Webhook response time is 10 seconds, without retries.',
    spec: 'interface#limits',
    lives: 'contract/src/limits.ts',
  },
  'webhooks.redirects-fail': {
    says: 'A redirect is a failure: it is not followed.',
    spec: 'security#1.5',
    lives: posting,
  },
  'webhooks.guarded': {
    says: 'Webhooks reach private addresses only where the operator has allowed it.',
    spec: 'open-items#5-running-it',
    lives: 'service/src/platform/outbound/outbound-policy.ts',
  },
  'webhooks.at-most-once': {
    says: 'A delivery is sent at most once, even when the process dies in the middle of it; the log says which.',
    spec: 'security#1.11',
    lives: queue,
  },
  'webhooks.recorded-with-the-answer': {
    says: 'What is to be sent is kept with the answer that it tells of, or not at all: a crash loses none.',
    spec: 'security#1.11',
    lives: 'service/src/channels/webhooks/webhook-listeners.ts',
  },
  'webhooks.slow-receiver-alone': {
    says: 'A receiver that hangs holds up no other.',
    spec: 'security#1.11',
    lives: 'service/src/channels/webhooks/delivery-slots.ts',
  },
  'webhooks.answer-cut': {
    says: 'Of what a receiver answers, at most 4,096 bytes are read.',
    spec: 'security#1.11',
    lives: posting,
  },
  'webhooks.gone': {
    says: 'A receiver that answers 410 is sent nothing more.',
    spec: 'security#1.11',
    lives: queue,
  },
  'webhooks.per-base': {
    says: 'A webhook belongs to one knowledge base, and hears of that one alone.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/webhooks/webhook-deliveries-store.ts',
  },
  'webhooks.archived-silent': {
    says: 'An archived knowledge base sends nothing, not even what was waiting.',
    spec: 'interface#knowledge-base-1',
    lives: queue,
  },
} as const satisfies Record<string, Requirement>
