import { createStorageQuota } from '../accounts/storage-quota/storage-quota.ts'
import { createIndexing } from '../content/indexing/indexing.ts'
import { composeAccounts } from './compose-accounts.ts'
import { composeAnswers } from './compose-answers.ts'
import { composeChannels } from './compose-channels.ts'
import { composeContent } from './compose-content.ts'
import { composeWebhookSending } from './compose-webhooks.ts'
import type { RoomParts } from './room-parts.ts'

/** Every room by its door, each given what it needs: lower floors come first. */
export function composeRooms(parts: RoomParts) {
  const { db, now, newId, settings, storage, platform } = parts
  const { embedder, preparing, events, freeSpace } = platform
  const storageQuota = createStorageQuota({ limitMegabytes: settings.workspaceStorageMegabytes })
  const indexing = createIndexing({
    db,
    now,
    newId,
    freeSpace,
    storageQuota,
    engine: storage.engine,
    embedder,
    preparing,
    events,
    report: parts.report,
  })
  const webhookSending = composeWebhookSending(parts)
  const accounts = composeAccounts(parts, { storageQuota, indexing })
  const content = composeContent(parts, accounts, { storageQuota, indexing })
  const answers = composeAnswers(parts, accounts, content, { alsoStore: webhookSending.onAnswerKept })
  const channels = composeChannels(parts, accounts, answers, webhookSending)
  return {
    ...accounts,
    ...content,
    ...answers,
    ...channels,
    jobs: [
      ...accounts.members.jobs,
      ...content.syncs.jobs,
      ...content.sources.jobs,
      ...indexing.jobs,
      ...answers.retention.jobs,
      ...answers.evaluationRuns.jobs,
      ...answers.heldSyncs.jobs,
      ...webhookSending.jobs,
      ...channels.approvals.jobs,
      ...channels.simulations.jobs,
      ...channels.mcpCalls.jobs,
      ...channels.chatBots.jobs,
      ...channels.platformHooks.jobs,
      ...channels.platformPosts.jobs,
    ],
  }
}

export type Rooms = ReturnType<typeof composeRooms>
