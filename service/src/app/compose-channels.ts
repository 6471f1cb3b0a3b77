import { askableBases } from '../accounts/grants/grants.ts'
import { createChatBots } from '../channels/chat-bots/chat-bots.ts'
import { createBaseEvents } from '../channels/base-events/base-events.ts'
import { createApprovals } from '../channels/approvals/approvals.ts'
import { createCaptcha } from '../channels/captcha/captcha.ts'
import { createDeflections, createFormDeflectors } from '../channels/form-deflectors/form-deflectors.ts'
import { createIntegrations } from '../channels/integrations/integrations.ts'
import { createMcpServers } from '../channels/mcp-servers/mcp-servers.ts'
import { createConnectedTools } from '../channels/oauth/oauth.ts'
import { createPublicQuestions } from '../channels/public-api/public-api.ts'
import { createSimulations } from '../channels/simulations/simulations.ts'
import { createTickets } from '../channels/tickets/tickets.ts'
import { createWebhooks } from '../channels/webhooks/webhooks.ts'
import { createWidgets } from '../channels/widgets/widgets.ts'
import type { AccountRooms } from './compose-accounts.ts'
import type { AnswerRooms } from './compose-answers.ts'
import type { WebhookSending } from './compose-webhooks.ts'
import type { RoomParts } from './room-parts.ts'

/** How often a base that somebody follows is looked at, and how long one stream of it lasts. */
const LOOK_EVERY_MS = 1_000
const STREAM_LASTS_MS = 300_000

/** Where people and programs ask: the records of widgets, forms, bots, help desks, MCP servers and webhooks. */
export function composeChannels(
  { db, now, newId, log, settings, platform, publicUrl, report }: RoomParts,
  { knowledgeBases }: AccountRooms,
  { answering, unstoredAnswering, conversations, feedback }: AnswerRooms,
  { webhookSender }: WebhookSending,
) {
  const { events, jobs, sealer, outbound } = platform
  const ofBases = { db, knowledgeBases, newId, now }
  const publicQuestions = createPublicQuestions({ db, conversations })
  const integrations = createIntegrations({ ...ofBases, sealer })
  return {
    widgets: createWidgets(ofBases),
    mcpServers: createMcpServers(ofBases),
    connectedTools: createConnectedTools({
      db,
      now,
      basesOf: (userId) => askableBases(db, userId, undefined),
    }),
    captcha: createCaptcha({
      db,
      now,
      outbound,
      settings: settings.captcha,
      masterKey: platform.oldestMasterKey,
      report: (error, activity) => log.warn({ err: error }, activity),
    }),
    publicQuestions,
    formDeflectors: createFormDeflectors(ofBases),
    deflections: createDeflections({ db, questions: publicQuestions, answering, events, now }),
    ...integrations,
    chatBots: createChatBots({
      db,
      bots: integrations.bots,
      answering,
      feedback,
      sealer,
      outbound,
      now,
      newId,
      publicUrl,
      report,
    }),
    tickets: createTickets({
      db,
      integrations: integrations.helpdeskIntegrations,
      answering,
      events,
      newId,
      now,
    }),
    baseEvents: createBaseEvents({ db, events, now, everyMs: LOOK_EVERY_MS, lastsMs: STREAM_LASTS_MS }),
    approvals: createApprovals({ ...ofBases, events }),
    simulations: createSimulations({ ...ofBases, answering: unstoredAnswering, events, jobs }),
    webhooks: createWebhooks({ ...ofBases, sealer, outbound, sender: webhookSender }),
    webhookSender,
  }
}
