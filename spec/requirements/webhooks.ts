import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/webhooks'
const managed = { spec: 'interface#management-api', lives } as const
const rule = { spec: 'interface#events', lives } as const
const open = { spec: 'open-items#2-management-api', lives } as const

export const WEBHOOKS = {
  'webhooks.create': {
    says: 'A webhook is registered with a name, an address, the events it wants and, if wished, a secret.',
    ...managed,
  },
  'webhooks.needs-config': {
    says: 'Registering, listing and removing webhooks needs the Config permission on the knowledge base.',
    ...managed,
  },
  'webhooks.list': { says: "A knowledge base's webhooks can be listed.", ...managed },
  'webhooks.delete': { says: 'Deleting a webhook removes it: nothing more is sent to it.', ...managed },
  'webhooks.fields': {
    says: 'A webhook has a name, an address, a list of event names and an optional secret.',
    spec: 'interface#webhook-trigger',
    lives,
  },
  'webhooks.url-only': {
    says: 'The address of a webhook is an http or https URL, and the events are names of events that there are.',
    spec: 'interface#webhook-trigger',
    lives,
  },
  'webhooks.record': {
    says: 'The record has id, knowledge_base_id, name, url, events, has_secret, created_at and last_delivery.',
    ...open,
  },
  'webhooks.secret-never-returned': { says: 'The secret of a webhook is never returned.', ...open },
  'webhooks.secret-sealed': {
    says: 'A webhook’s secret is encrypted where it is stored.',
    spec: 'security#1.14',
    lives,
  },
  'webhooks.log': { says: 'The deliveries of a webhook can be read as a log.', ...open },
  'webhooks.redeliver': { says: 'A delivery can be sent once more by hand.', ...open },
  'webhooks.post-json': { says: 'Each delivery is an HTTP POST with a JSON body.', ...rule },
  'webhooks.body': {
    says: 'The body of a delivery has event, knowledge_base_id, data and timestamp.',
    ...rule,
  },
  'webhooks.event-header': { says: 'A header names the event: X-Service-Event.', ...rule },
  'webhooks.signature': {
    says: 'With a secret, X-Service-Signature holds the hex HMAC-SHA256 of the raw body.',
    ...rule,
  },
  'webhooks.unsigned-without-secret': {
    says: 'Without a secret a delivery carries no signature.',
    ...rule,
  },
  'webhooks.standard-headers': {
    says: 'The headers of Standard Webhooks stand beside ours, and verify with its library.',
    spec: 'security#1.11',
    lives,
  },
  'webhooks.no-retries': { says: 'A delivery that fails is not retried.', ...rule },
  'webhooks.ten-seconds': { says: 'The receiver has 10 seconds to answer.', ...rule },
  'webhooks.ten-seconds-limit': {
    says: 'Webhook response time is 10 seconds, without retries.',
    spec: 'interface#limits',
    lives,
  },
  'webhooks.redirects-fail': {
    says: 'A redirect is a failure: it is not followed.',
    spec: 'security#1.5',
    lives,
  },
  'webhooks.guarded': {
    says: 'Webhooks reach private addresses only where the operator has allowed it.',
    spec: 'open-items#5-running-it',
    lives,
  },
  'webhooks.at-most-once': {
    says: 'A delivery is sent at most once, even when the process dies in the middle of it; the log says which.',
    spec: 'security#1.11',
    lives,
  },
  'webhooks.recorded-with-the-answer': {
    says: 'What is to be sent is kept with the answer that it tells of, or not at all: a crash loses none.',
    spec: 'security#1.11',
    lives,
  },
  'webhooks.slow-receiver-alone': {
    says: 'A receiver that hangs holds up no other.',
    spec: 'security#1.11',
    lives,
  },
  'webhooks.answer-cut': {
    says: 'Of what a receiver answers, at most 4,096 bytes are read.',
    spec: 'security#1.11',
    lives,
  },
  'webhooks.gone': {
    says: 'A receiver that answers 410 is sent nothing more.',
    spec: 'security#1.11',
    lives,
  },
  'webhooks.per-base': {
    says: 'A webhook belongs to one knowledge base, and hears of that one alone.',
    spec: 'interface#what-the-service-does',
    lives,
  },
  'webhooks.archived-silent': {
    says: 'An archived knowledge base sends nothing, not even what was waiting.',
    spec: 'interface#knowledge-base-1',
    lives,
  },
} as const satisfies Record<string, Requirement>
