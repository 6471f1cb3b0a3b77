import { createAccessTokens } from '../accounts/access-tokens/access-tokens.ts'
import { createAllowance } from '../accounts/allowance/allowance.ts'
import {
  auditActivity,
  createActivityLog,
  createChangeRecorder,
} from '../accounts/activity-log/activity-log.ts'
import {
  createClientKeys,
  createFirstClientKey,
  createMissingClientKey,
  ownedClientKeys,
  presentClientKey,
  revokeClientKeys,
} from '../accounts/client-keys/client-keys.ts'
import { basesOfMember, createGrants, grantToMaker } from '../accounts/grants/grants.ts'
import { createKnowledgeBases } from '../accounts/knowledge-bases/knowledge-bases.ts'
import { createInvitations, createMembers, createMemberTokens } from '../accounts/members/members.ts'
import { createOutsideIdentities } from '../accounts/outside-identities/outside-identities.ts'
import { createPasswordHasher, createPasswords } from '../accounts/passwords/passwords.ts'
import { createStorageQuota } from '../accounts/storage-quota/storage-quota.ts'
import { createSessions } from '../accounts/sessions/sessions.ts'
import { createWorkspaces } from '../accounts/workspaces/workspaces.ts'
import { createAnalytics, createQuestionVectors } from '../answers/analytics/analytics.ts'
import {
  createConversations,
  createKeptConversations,
  ownedConversations,
} from '../answers/conversations/conversations.ts'
import { createFeedback } from '../answers/feedback/feedback.ts'
import { createAskedSearch, createQuestionSettings } from '../answers/question-settings/question-settings.ts'
import { createReports } from '../answers/reports/reports.ts'
import { createRetention } from '../answers/retention/retention.ts'
import { keepQuestionsFresh } from '../answers/suggested-questions/suggested-questions-room.ts'
import { createSuggestedQuestions } from '../answers/suggested-questions/suggested-questions.ts'
import { createTraces } from '../answers/traces/traces.ts'
import { keptApprovals } from '../channels/approvals/approvals.ts'
import { createCaptcha } from '../channels/captcha/captcha.ts'
import {
  createDeflections,
  createFormDeflectors,
  ownedFormDeflectors,
} from '../channels/form-deflectors/form-deflectors.ts'
import { ownedIntegrations } from '../channels/integrations/integrations.ts'
import {
  createMcpServers,
  dropUnofferedMcpServers,
  ownedMcpServers,
} from '../channels/mcp-servers/mcp-servers.ts'
import { createConnectedTools, disconnectTools } from '../channels/oauth/oauth.ts'
import { createPublicQuestions } from '../channels/public-api/public-question.ts'
import { keptSimulations } from '../channels/simulations/simulations.ts'
import {
  createFirstWidget,
  createMissingWidget,
  createWidgets,
  ownedWidgets,
  presentWidget,
} from '../channels/widgets/widgets.ts'
import { createAddresses } from '../content/addresses/addresses.ts'
import { createPreviewSlots, type Connector } from '../content/connectors/connectors.ts'
import {
  createDocuments,
  createPush,
  ownedDocuments,
  restrictDocuments,
} from '../content/documents/documents.ts'
import { createCustomAnswers, ownedCustomAnswers } from '../content/custom-answers/custom-answers.ts'
import { createWordIndexRepair, createIndexing } from '../content/indexing/indexing.ts'
import { mediaTypeOfFile } from '../content/parsing/parsing.ts'
import { createSearch } from '../content/search/search.ts'
import { createSourceGroups } from '../content/source-groups/source-groups.ts'
import {
  createSources,
  createUploads,
  findSourceToSync,
  listUploadedFiles,
  ownedSources,
  sealStoredCredentials,
} from '../content/sources/sources.ts'
import { cancelSyncsOfBase, createSyncs } from '../content/syncs/syncs.ts'
import { newId, newTicketId } from '../kernel/ids.ts'
import { composeAnswering } from './compose-answering.ts'
import { composeIntegrations } from './compose-integrations.ts'
import { composeWebhooks, composeWebhookSending } from './compose-webhooks.ts'
import type { ComposeInput, Platform } from './compose-platform.ts'

/** Every room by its door, each given what it needs. Read from the top: lower floors come first. */
export function composeRooms(
  { settings, storage, log }: ComposeInput,
  platform: Platform,
  stopping: AbortSignal,
  publicUrl: () => string,
) {
  const { db } = storage
  const { embedder, parsing, events, jobs, files, freeSpace } = platform
  const now = () => new Date()
  const common = { db, newId, now }
  const addresses = createAddresses({ publicUrl })

  const accessTokens = createAccessTokens(common)
  const workspaces = createWorkspaces({ ...common, sealer: platform.sealer })
  const sessions = createSessions(common)
  const passwords = createPasswords({ ...common, hasher: createPasswordHasher(), disconnectTools })
  const outsideIdentities = createOutsideIdentities({ ...common, disconnectTools })
  const members = createMembers({ ...common, disconnectTools })
  const memberTokens = createMemberTokens(common)
  const invitations = createInvitations({ ...common, authenticate: accessTokens.authenticate })
  const activityLog = createActivityLog({ db })

  const storageQuota = createStorageQuota({ limitMegabytes: settings.workspaceStorageMegabytes })
  const room = { freeSpace, storageQuota }
  const indexing = createIndexing({
    ...common,
    ...room,
    engine: storage.engine,
    embedder,
    preparing: platform.preparing,
    events,
  })
  const knowledgeBases = createKnowledgeBases({
    ...common,
    grantToMaker,
    alsoCreate: async (transaction, base) => ({
      client_key: presentClientKey(await createFirstClientKey(transaction, base, newId, now())),
      widget: presentWidget(await createFirstWidget(transaction, base, newId, now())),
    }),
    onTypeChanged: async (transaction, changed) => {
      const { base, now: changedAt } = changed
      if (base.type === 'internal') await revokeClientKeys(transaction, base.id, changedAt)
      await dropUnofferedMcpServers(transaction, base)
      // In both directions: what a sync added while the base was internal must not show when it is external again.
      await restrictDocuments(transaction, base.id, changedAt)
      if (base.type === 'internal') return {}
      const key = await createMissingClientKey(transaction, changed, newId)
      const widget = await createMissingWidget(transaction, base, newId, changedAt)
      return {
        ...(key !== undefined && { client_key: presentClientKey(key) }),
        ...(widget !== undefined && { widget: presentWidget(widget) }),
      }
    },
    owned: [
      ownedSources,
      ownedDocuments,
      ownedCustomAnswers,
      ownedConversations,
      ownedClientKeys,
      ownedWidgets,
      ownedMcpServers,
      ownedFormDeflectors,
      ...ownedIntegrations,
    ],
    onArchived: cancelSyncsOfBase,
    dropIndex: indexing.dropIndex,
    events,
  })
  const grants = createGrants({ ...common, knowledgeBases })
  const clientKeys = createClientKeys({
    ...common,
    knowledgeBases,
    onUseNotNoted: (fault) => log.warn({ err: fault }, 'the last use of a client key could not be noted'),
    onRevoked: (key) => events.announce('client-key.revoked', key),
  })
  const widgets = createWidgets({ ...common, knowledgeBases })
  const mcpServers = createMcpServers({ ...common, knowledgeBases })
  const connectedTools = createConnectedTools({
    db,
    now,
    basesOf: async (userId) =>
      (await basesOfMember(db, userId, undefined)).filter(
        ({ mayChat, status }) => mayChat && status === 'active',
      ),
  })
  const formDeflectors = createFormDeflectors({ ...common, knowledgeBases })
  const captcha = createCaptcha({
    db,
    now,
    outbound: platform.outbound,
    settings: settings.captcha,
    masterKey: platform.oldestMasterKey,
    report: (fault, what) => log.warn({ err: fault }, what),
  })

  const connectors = platform.createConnectors((sourceId) => listUploadedFiles({ db, files }, sourceId))
  const connectorOf = (type: string) =>
    connectors.connectorOf(type as Parameters<typeof connectors.connectorOf>[0]) as
      | Connector<unknown>
      | undefined
  const syncs = createSyncs({
    ...common,
    freeSpace,
    indexing,
    jobs,
    events,
    log,
    findSource: (knowledgeBaseId, sourceId) =>
      findSourceToSync(db, connectorOf, platform.sealer, { knowledgeBaseId, sourceId }),
  })
  const sources = createSources({
    ...common,
    knowledgeBases,
    syncs,
    files,
    events,
    sealer: platform.sealer,
    checkSource: connectors.checkSource,
  })
  const uploads = createUploads({ ...common, ...room, sources, syncs, files, mediaTypeOfFile })
  const sourceGroups = createSourceGroups({ ...common, knowledgeBases, events })
  const documents = createDocuments({ ...common, knowledgeBases, indexing, events })
  const push = createPush({
    ...common,
    freeSpace,
    sources,
    indexing,
    events,
    parse: (...given) => parsing.parse(...given),
  })
  const customAnswers = createCustomAnswers({
    ...common,
    knowledgeBases,
    indexing,
    events,
    publicUrl,
    parse: (...given) => parsing.parse(...given),
  })
  const search = createSearch({
    db,
    embedder,
    addressOf: addresses.addressOf,
    onEmbedderFailed: (fault) => log.warn({ err: fault }, 'a question was searched by its words alone'),
    onWordIndexFailed: createWordIndexRepair({ db, now, log }),
  })

  const webhookParts = { input: { storage, log }, platform, now }
  const webhookSending = composeWebhookSending(webhookParts)
  const webhooks = composeWebhooks(webhookParts, webhookSending, knowledgeBases)

  const conversations = createConversations({ db, now, newTicketId, alsoKeep: webhookSending.onAnswerKept })
  const questionSettings = createQuestionSettings({ db })
  const feedback = createFeedback({ ...common, conversations, mask: questionSettings.mask })
  const suggestedQuestions = createSuggestedQuestions({ db, search, now, stopping })
  keepQuestionsFresh(events, suggestedQuestions, stopping)
  const allowance = createAllowance({ db, storageQuota })
  const retention = createRetention({
    db,
    pseudonymOf: platform.pseudonymOf,
    alsoKept: [keptApprovals, keptSimulations],
  })
  const answeringParts = {
    db,
    log,
    platform,
    search,
    conversations,
    events,
    allowance,
    questionSettings,
    customAnswers,
  }
  const answering = composeAnswering(answeringParts)
  const integrations = composeIntegrations({
    storage,
    platform,
    knowledgeBases,
    now,
    answering,
    answeringParts,
  })

  const keptConversations = createKeptConversations({ db, knowledgeBases })
  const traces = createTraces({
    db,
    knowledgeBases,
    addressOf: addresses.addressOf,
    answerUnkept: answering.answerUnkept,
  })
  const reports = createReports({ ...common, knowledgeBases, mask: questionSettings.mask })
  const analytics = createAnalytics({
    db,
    now,
    knowledgeBases,
    addressOf: addresses.addressOf,
    vectors: createQuestionVectors({
      db,
      embedder,
      report: (fault, doing) => log.warn({ err: fault }, `${doing} failed`),
    }),
  })

  const publicQuestions = createPublicQuestions({ db, conversations })
  const deflections = createDeflections({ db, questions: publicQuestions, answering, events, now })

  return {
    accessTokens,
    sessions,
    passwords,
    outsideIdentities,
    workspaces,
    members,
    memberTokens,
    invitations,
    activityLog,
    auditActivity: () => auditActivity(db),
    recordChanges: createChangeRecorder({
      db,
      now,
      onNotRecorded: (fault, operationId) =>
        log.error(
          { err: fault, operation: operationId },
          'a change could not be written into the activity log',
        ),
    }),
    grants,
    addresses,
    indexing,
    knowledgeBases,
    clientKeys,
    widgets,
    captcha,
    mcpServers,
    connectedTools,
    formDeflectors,
    connectors,
    previewSlots: createPreviewSlots({ isCounted: settings.hasRateLimits }),
    syncs,
    sources,
    sealStoredCredentials: () => sealStoredCredentials(db, platform.sealer, now),
    uploads,
    sourceGroups,
    documents,
    push,
    customAnswers,
    allowance,
    questionSettings,
    retention,
    /** For what readers type: masked and forgotten as their base says. */
    search: createAskedSearch({ search, settings: questionSettings }),
    conversations,
    keptConversations,
    reports,
    traces,
    analytics,
    feedback,
    suggestedQuestions,
    answering,
    publicQuestions,
    deflections,
    /** How much a language model would have to read, about. Not by the embedder, which remembers words. */
    countTokens: (text: string) => Math.ceil(text.length / 4),
    ...integrations,
    webhooks,
    webhookSender: webhookSending.sender,
    jobs: [
      ...syncs.jobs,
      ...sources.jobs,
      ...indexing.jobs,
      ...retention.jobs,
      ...webhookSending.jobs,
      ...integrations.simulations.jobs,
    ],
  }
}

export type Rooms = ReturnType<typeof composeRooms>
