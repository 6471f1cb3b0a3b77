import { askableBases } from '../accounts/grants/grants.ts'
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

/** Where people and programs ask: the records of widgets, forms, bots, help desks, MCP servers and webhooks. */
export function composeChannels(
  { db, now, newId, log, settings, platform }: RoomParts,
  { knowledgeBases }: AccountRooms,
  { answering, unstoredAnswering, conversations }: AnswerRooms,
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
    tickets: createTickets({
      db,
      integrations: integrations.helpdeskIntegrations,
      answering,
      events,
      newId,
      now,
    }),
    approvals: createApprovals({ ...ofBases, events }),
    simulations: createSimulations({ ...ofBases, answering: unstoredAnswering, events, jobs }),
    webhooks: createWebhooks({ ...ofBases, sealer, outbound, sender: webhookSender }),
    webhookSender,
  }
}
