import { LIMITS } from '@citewell/contract/limits'
import type { KnowledgeBases } from '../accounts/knowledge-bases/knowledge-bases.ts'
import {
  createWebhooks,
  createWebhookSender,
  DEFAULT_SLOTS,
  webhookUpkeepJob,
} from '../channels/webhooks/webhooks.ts'
import { listenForWebhooks } from '../channels/webhooks/webhook-listeners.ts'
import type { ComposeInput, Platform } from './compose-platform.ts'

export interface WebhookParts {
  input: Pick<ComposeInput, 'storage' | 'log'>
  platform: Pick<Platform, 'events' | 'outbound' | 'sealer'>
  now: () => Date
  newId: () => string
}

/** What sends webhooks, and what records them: made before the rooms that announce something. */
export function composeWebhookSending({ input, platform, now, newId }: WebhookParts) {
  const { db } = input.storage
  const sender = createWebhookSender({
    db,
    outbound: platform.outbound,
    sealer: platform.sealer,
    timeoutMs: LIMITS.webhooks.timeoutSeconds * 1_000,
    slots: DEFAULT_SLOTS,
    now,
    milliseconds: () => performance.now(),
    report: (fault, doing) => input.log.error({ err: fault }, `${doing} failed`),
  })
  const { onAnswerKept } = listenForWebhooks({ db, events: platform.events, sender, newId, now })
  return { sender, onAnswerKept, jobs: [webhookUpkeepJob({ db, now })] }
}

export type WebhookSending = ReturnType<typeof composeWebhookSending>

/** The management of webhooks. */
export function composeWebhooks(
  { input, platform, now, newId }: WebhookParts,
  { sender }: WebhookSending,
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>,
) {
  const { outbound, sealer } = platform
  return createWebhooks({ db: input.storage.db, knowledgeBases, sealer, outbound, sender, newId, now })
}
