import { LIMITS } from '@citewell/contract/limits'
import type { NewWebhookTrigger } from '@citewell/contract/webhooks'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'
import {
  baseThatKeeps,
  type BaseHooks,
  type KnowledgeBases,
} from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { canUse, type Caller } from '../../accounts/permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { sealedSecretContext } from './sealed-secret-context.ts'
import {
  findDelivery,
  findLastDeliveries,
  insertDeliveries,
  listDeliveries,
  type DeliveryRow,
} from './webhook-deliveries-store.ts'
import type { SendQueueDb } from './send-queue-store.ts'
import type { WebhookSender } from './webhook-sender.ts'
import { insertTrigger, type TriggerRow } from './webhook-triggers-store.ts'
import { deleteRecord, listRecords } from '../../platform/storage/base-records.ts'
import { isOfConversation, NOT_KEPT } from './of-conversation.ts'
import { withholdExcerpts } from './withhold-excerpts.ts'

export { recordWebhookEvent } from './record-webhook-event.ts'
export { createWebhookSender, DEFAULT_SLOTS, LOST_AFTER_SECONDS } from './webhook-sender.ts'
export { listenForWebhooks } from './webhook-listeners.ts'
export { webhookHeaders } from './webhook-signature.ts'
export { webhookUpkeepJob } from './webhook-retention.ts'

export const webhookHooks: BaseHooks = {
  records: [
    { noun: 'webhook-triggers', table: 'webhook_triggers', name: 'name' },
    { noun: 'webhook-deliveries', table: 'webhook_deliveries' },
  ],
}

export interface WebhooksDeps {
  db: SendQueueDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  sealer: Pick<Sealer, 'seal'>
  outbound: Pick<Outbound, 'checkHost'>
  sender: Pick<WebhookSender, 'wake'>
  newId: () => string
  now: () => Date
}

export interface TriggerWithLast {
  trigger: TriggerRow
  last: DeliveryRow | undefined
}

/** Webhooks: their records, the log of their deliveries, and manual redelivery. */
export function createWebhooks({ db, knowledgeBases, sealer, outbound, sender, newId, now }: WebhooksDeps) {
  const bases = createRecordBases({ db, knowledgeBases, table: 'webhook_triggers', noun: 'webhook' })

  /** Refuses an address that may never be called. An address that merely does not answer now is accepted. */
  async function requireReachable(url: URL): Promise<void> {
    const refuse = (message: string) => wrongField('url', message)
    if (url.username !== '' || url.password !== '') throw refuse('must not contain a user name or password')
    const port = Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port)
    try {
      await outbound.checkHost(url.hostname, port, 'customer')
    } catch (fault) {
      if (!(fault instanceof OutboundFailure)) throw fault
      if (!fault.isTransient) throw refuse(fault.message)
    }
  }

  /** @throws Refusal CONFLICT if the base has the maximum number of webhooks, BAD_REQUEST for an address that may never be called */
  async function create(
    caller: Caller,
    knowledgeBaseId: string,
    given: NewWebhookTrigger,
  ): Promise<TriggerWithLast> {
    await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const url = new URL(given.url)
    await requireReachable(url)
    const id = newId()
    const row: TriggerRow = {
      knowledge_base_id: knowledgeBaseId,
      id,
      name: given.name,
      url: given.url,
      origin: url.origin,
      events: given.events,
      sealed_secret: given.secret === undefined ? null : sealer.seal(given.secret, sealedSecretContext(id)),
      gone_at: null,
      created_at: now(),
      updated_at: now(),
    }
    if (!(await insertTrigger(db, row, LIMITS.webhooks.triggersPerBase)))
      throw new Refusal('CONFLICT', {
        because: `A knowledge base has at most ${LIMITS.webhooks.triggersPerBase} webhooks.`,
      })
    return { trigger: row, last: undefined }
  }

  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    page: PageRequest,
  ): Promise<TriggerWithLast[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    const triggers = await listRecords(db, 'webhook_triggers', { ...page, knowledgeBaseId })
    const last = await findLastDeliveries(
      db,
      knowledgeBaseId,
      triggers.map(({ id }) => id),
    )
    return triggers.map((trigger) => ({ trigger, last: last.get(trigger.id) }))
  }

  /** Nothing more is sent to it; pending deliveries are deleted too. */
  async function remove(caller: Caller, triggerId: string): Promise<void> {
    const base = await bases.open(caller, triggerId, 'config')
    await deleteRecord(db, 'webhook_triggers', { knowledgeBaseId: base.id, id: triggerId })
  }

  /** The log. Who may not chat in the base reads no excerpt of an answer that used a page which is restricted now. */
  async function deliveries(caller: Caller, triggerId: string, page: PageRequest): Promise<DeliveryRow[]> {
    const base = await bases.open(caller, triggerId, 'config')
    const rows = await listDeliveries(db, { ...page, knowledgeBaseId: base.id, triggerId })
    return canUse(caller, base, 'chat') ? rows : await withholdExcerpts(db, rows)
  }

  /**
   * Sends the same bytes once more, as a separate delivery; without the excerpt if a page of the answer is not public any more.
   *
   * @throws Refusal CONFLICT while the first is being sent, and under zero retention if it is about a conversation
   */
  async function redeliver(caller: Caller, deliveryId: string): Promise<DeliveryRow> {
    const first = await findDelivery(db, deliveryId)
    if (first === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such delivery.' })
    await knowledgeBases.openActive(caller, first.knowledge_base_id, 'config')
    if (first.status === 'pending' || first.status === 'sending')
      throw new Refusal('CONFLICT', { because: 'This delivery is still being sent.' })
    if (isOfConversation(first.event)) {
      const keeps = await baseThatKeeps(db, first.knowledge_base_id).select('knowledge_bases.id').execute()
      if (keeps.length === 0) throw new Refusal('CONFLICT', { because: NOT_KEPT })
    }
    const [told = first] = await withholdExcerpts(db, [first])
    const row: DeliveryRow = {
      ...told,
      id: newId(),
      redelivery_of: first.id,
      status: 'pending',
      response_status: null,
      response_body: null,
      error: null,
      duration_ms: null,
      attempted_at: null,
      created_at: now(),
      updated_at: now(),
    }
    await insertDeliveries(db, [row])
    sender.wake()
    return row
  }

  return { create, list, remove, deliveries, redeliver }
}

export type Webhooks = ReturnType<typeof createWebhooks>
