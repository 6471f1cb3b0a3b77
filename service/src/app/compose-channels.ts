import { askableBases } from '../accounts/grants/grants.ts'
import { createActionPosting, createApprovals } from '../channels/approvals/approvals.ts'
import { createBaseEvents } from '../channels/base-events/base-events.ts'
import {
  ChatIncoming,
  createChatBots,
  createChatPlatforms,
  createChatPosting,
  handOverEnded,
} from '../channels/chat-bots/chat-bots.ts'
import { createCaptcha } from '../channels/captcha/captcha.ts'
import { createDeflections, createFormDeflectors } from '../channels/form-deflectors/form-deflectors.ts'
import { createHelpDesks, DeskIncoming } from '../channels/help-desks/help-desks.ts'
import { createIntegrations, type Integrations } from '../channels/integrations/integrations.ts'
import { createMcpCalls, createMcpServers } from '../channels/mcp-servers/mcp-servers.ts'
import { createConnectedTools } from '../channels/oauth/oauth.ts'
import { createPlatformHooks } from '../channels/platform-hooks/platform-hooks.ts'
import { createPlatformPosts } from '../channels/platform-posts/platform-posts.ts'
import { createPublicQuestions } from '../channels/public-api/public-api.ts'
import { createSimulations, modelsOfBases } from '../channels/simulations/simulations.ts'
import { createTickets } from '../channels/tickets/tickets.ts'
import { createWebhooks } from '../channels/webhooks/webhooks.ts'
import { createWidgets } from '../channels/widgets/widgets.ts'
import { z } from 'zod'
import type { AccountRooms } from './compose-accounts.ts'
import type { AnswerRooms } from './compose-answers.ts'
import type { WebhookSending } from './compose-webhooks.ts'
import type { RoomParts } from './room-parts.ts'

/** How often a base that somebody follows is looked at, and how long one stream of it lasts. */
const LOOK_EVERY_MS = 1_000
const CHECK_EVERY_MS = 5_000
const STREAM_LASTS_MS = 300_000

/** Where people and programs ask: the records of widgets, forms, bots, help desks, MCP servers and webhooks. */
export function composeChannels(
  parts: RoomParts,
  { knowledgeBases, allowance }: AccountRooms,
  { answering, unstoredAnswering, conversations, feedback, questionSettings }: AnswerRooms,
  { webhookSender }: WebhookSending,
) {
  const { db, now, newId, log, settings, platform, report } = parts
  const { events, jobs, sealer, outbound } = platform
  const ofBases = { db, knowledgeBases, newId, now }
  const publicQuestions = createPublicQuestions({ db, conversations })
  const integrations = createIntegrations({ ...ofBases, sealer })
  const platforms = composePlatforms(parts, { answering, conversations, feedback, integrations })
  return {
    widgets: createWidgets(ofBases),
    mcpServers: createMcpServers(ofBases),
    mcpCalls: createMcpCalls({ db, now, report, pseudonymOf: platform.pseudonymOf }),
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
    deflections: createDeflections({ db, questions: publicQuestions, answering, events, newId, now }),
    ...integrations,
    ...platforms,
    tickets: createTickets({
      db,
      integrations: integrations.helpdeskIntegrations,
      answering,
      events,
      newId,
      now,
    }),
    baseEvents: createBaseEvents({
      db,
      events,
      now,
      everyMs: LOOK_EVERY_MS,
      checksEveryMs: CHECK_EVERY_MS,
      lastsMs: STREAM_LASTS_MS,
    }),
    approvals: createApprovals({
      ...ofBases,
      events,
      sealer,
      posts: platforms.platformPosts,
      settings: questionSettings,
    }),
    simulations: createSimulations({
      ...ofBases,
      answering: unstoredAnswering,
      events,
      jobs,
      allowance,
      settings: questionSettings,
      embedder: platform.embedder,
      readTickets: (...given) => platform.parsing.readTickets(...given),
      modelOf: modelsOfBases(platform.workspaceModels),
      embeddingHost: URL.parse(settings.remoteEmbedding?.baseUrl ?? '')?.host,
      report,
    }),
    webhooks: createWebhooks({ ...ofBases, sealer, outbound, sender: webhookSender }),
    webhookSender,
  }
}

/** Chat platforms and help desks: what they deliver, what becomes of it, and what is posted to them. */
function composePlatforms(
  { db, now, newId, platform, publicUrl, report }: RoomParts,
  {
    answering,
    conversations,
    feedback,
    integrations,
  }: Pick<AnswerRooms, 'answering' | 'conversations' | 'feedback'> & { integrations: Integrations },
) {
  const { events, sealer, outbound } = platform
  const shared = { db, now, newId, sealer, outbound, publicUrl, report, answering }
  const helpDesks = createHelpDesks({
    ...shared,
    integrations: integrations.helpdeskIntegrations,
    events,
    parseMail: (bytes, signal) => platform.parsing.parseMail(bytes, signal),
  })
  const actionDriverOf = createActionPosting({ sealer, outbound, now })
  const platformOf = createChatPlatforms({ now })
  const chatPostDriverOf = createChatPosting({ sealer, outbound, platformOf })
  const platformPosts = createPlatformPosts({
    ...shared,
    noted: handOverEnded,
    driverOf: (integration) =>
      chatPostDriverOf(integration) ?? helpDesks.postDriverOf(integration) ?? actionDriverOf(integration),
  })
  const chatBots = createChatBots({
    ...shared,
    platformOf,
    conversations,
    openingPost: helpDesks.openingPost,
    bots: integrations.bots,
    feedback,
    posts: platformPosts,
  })
  const platformHooks = createPlatformHooks<ChatIncoming | DeskIncoming>({
    ...shared,
    platformOf: (integration) => platformOf(integration) ?? helpDesks.hookOf(integration),
    schema: z.union([ChatIncoming, DeskIncoming]),
    handle: ({ incoming, ...event }, signal) =>
      incoming.kind === 'ticket'
        ? helpDesks.handle({ ...event, incoming })
        : chatBots.handle({ ...event, incoming }, signal),
    givenUp: async ({ incoming, ...event }) => {
      if (incoming.kind !== 'ticket') await chatBots.givenUp({ ...event, incoming })
    },
  })
  return {
    chatBots,
    chatHearing: chatBots.listen(platformHooks.takeHeard),
    helpDesks,
    ticketWork: helpDesks.work(platformPosts),
    platformPosts,
    platformHooks,
  }
}
