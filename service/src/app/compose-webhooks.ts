import { LIMITS } from '@citewell/contract/limits'
import {
  createWebhookSender,
  DEFAULT_SLOTS,
  listenForWebhooks,
  webhookUpkeepJob,
} from '../channels/webhooks/webhooks.ts'
import type { RoomParts } from './room-parts.ts'

/** What sends webhooks, and what records them: made before the rooms that announce something. */
export function composeWebhookSending({ db, platform, now, newId, report }: RoomParts) {
  const webhookSender = createWebhookSender({
    db,
    outbound: platform.outbound,
    sealer: platform.sealer,
    timeoutMs: LIMITS.webhooks.timeoutSeconds * 1_000,
    slots: DEFAULT_SLOTS,
    now,
    milliseconds: () => performance.now(),
    report,
  })
  const { onAnswerKept } = listenForWebhooks({ events: platform.events, sender: webhookSender, newId, now })
  return { webhookSender, onAnswerKept, jobs: [webhookUpkeepJob({ db, now })] }
}

export type WebhookSending = ReturnType<typeof composeWebhookSending>
