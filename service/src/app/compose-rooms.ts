import { createAccessTokens } from '../accounts/access-tokens/access-tokens.ts'
import { createAllowance } from '../accounts/allowance/allowance.ts'
import {
  auditActivity,
  createActivityLog,
  createChangeRecorder,
} from '../accounts/activity-log/activity-log.ts'
import { createClientKeys } from '../accounts/client-keys/client-keys.ts'
import { askableBases, createGrants } from '../accounts/grants/grants.ts'
import { createKnowledgeBases } from '../accounts/knowledge-bases/knowledge-bases.ts'
import { createInvitations, createMembers, createMemberTokens } from '../accounts/members/members.ts'
import { createExternalIdentities } from '../accounts/external-identities/external-identities.ts'
import { createPasswordHasher, createPasswords } from '../accounts/passwords/passwords.ts'
import { createStorageQuota } from '../accounts/storage-quota/storage-quota.ts'
import { createSessions } from '../accounts/sessions/sessions.ts'
import { createWorkspaces } from '../accounts/workspaces/workspaces.ts'
import { createAnalytics, createQuestionVectors } from '../answers/analytics/analytics.ts'
import { createConversations, createStoredConversations } from '../answers/conversations/conversations.ts'
import { createFeedback } from '../answers/feedback/feedback.ts'
import {
  createPrivateSearch,
  createQuestionSettings,
} from '../answers/question-settings/question-settings.ts'
import { createMcpFeedback } from '../answers/mcp-feedback/mcp-feedback.ts'
import { createRetention } from '../answers/retention/retention.ts'
import { refreshQuestionsOnChange } from '../answers/suggested-questions/suggested-questions-room.ts'
import { createSuggestedQuestions } from '../answers/suggested-questions/suggested-questions.ts'
import { createTraces } from '../answers/traces/traces.ts'
import { keptApprovals } from '../channels/approvals/approvals.ts'
import { createCaptcha } from '../channels/captcha/captcha.ts'
import { createDeflections, createFormDeflectors } from '../channels/form-deflectors/form-deflectors.ts'
import { createMcpServers } from '../channels/mcp-servers/mcp-servers.ts'
import { createConnectedTools, disconnectTools } from '../channels/oauth/oauth.ts'
import { createPublicQuestions } from '../channels/public-api/public-question.ts'
import { keptSimulations } from '../channels/simulations/simulations.ts'
import { createWidgets } from '../channels/widgets/widgets.ts'
import { createAddresses } from '../content/addresses/addresses.ts'
import { createPreviewSlots, type Connector } from '../content/connectors/connectors.ts'
import { createDocuments, createPush } from '../content/documents/documents.ts'
import { createCustomAnswers } from '../content/custom-answers/custom-answers.ts'
import { createWordIndexRepair, createIndexing } from '../content/indexing/indexing.ts'
import { mediaTypeOfFile } from '../content/parsing/parsing.ts'
import { createSearch } from '../content/search/search.ts'
import { createSourceGroups } from '../content/source-groups/source-groups.ts'
import {
  createSources,
  createUploads,
  findSourceToSync,
  listUploadedFiles,
  sealStoredCredentials,
} from '../content/sources/sources.ts'
import { createSyncs } from '../content/syncs/syncs.ts'
import { newTicketId } from '../kernel/ids.ts'
import { BASE_HOOKS } from './base-hooks.ts'
import { composeAnswering } from './compose-answering.ts'
import { composeIntegrations } from './compose-integrations.ts'
import { composeWebhooks, composeWebhookSending } from './compose-webhooks.ts'
import type { ComposeInput, Platform } from './compose-platform.ts'

/** Every room by its door, each given what it needs. Read from the top: lower floors come first. */
export function composeRooms(
  { settings, storage, log, surroundings }: ComposeInput,
  platform: Platform,
  stopping: AbortSignal,
  publicUrl: () => string,
) {
  const { db } = storage
  const { embedder, parsing, events, jobs, files, freeSpace } = platform
  const { now, newId } = surroundings
  const common = { db, newId, now }
  const addresses = createAddresses({ publicUrl })

  const accessTokens = createAccessTokens(common)
  const workspaces = createWorkspaces({ ...common, sealer: platform.sealer })
  const sessions = createSessions(common)
  const passwords = createPasswords({ ...common, hasher: createPasswordHasher(), disconnectTools })
  const externalIdentities = createExternalIdentities({ ...common, disconnectTools })
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
    hooks: BASE_HOOKS,
    dropIndex: indexing.dropIndex,
    events,
  })
  const grants = createGrants({ ...common, knowledgeBases })
  const clientKeys = createClientKeys({
    ...common,
    knowledgeBases,
    onUseNotRecorded: (fault) => log.warn({ err: fault }, 'the last use of a client key could not be noted'),
    onRevoked: (key) => events.announce('client-key.revoked', key),
  })
  const widgets = createWidgets({ ...common, knowledgeBases })
  const mcpServers = createMcpServers({ ...common, knowledgeBases })
  const connectedTools = createConnectedTools({
    db,
    now,
    basesOf: (userId) => askableBases(db, userId, undefined),
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

  const webhookParts = { input: { storage, log }, platform, now, newId }
  const webhookSending = composeWebhookSending(webhookParts)
  const webhooks = composeWebhooks(webhookParts, webhookSending, knowledgeBases)

  const conversations = createConversations({
    db,
    events,
    now,
    newTicketId,
    alsoStore: webhookSending.onAnswerKept,
  })
  const questionSettings = createQuestionSettings({ db })
  const feedback = createFeedback({ ...common, conversations, mask: questionSettings.mask })
  const suggestedQuestions = createSuggestedQuestions({ db, search, now, stopping })
  refreshQuestionsOnChange(events, suggestedQuestions, stopping)
  const allowance = createAllowance({ db, storageQuota })
  const retention = createRetention({
    db,
    pseudonymOf: platform.pseudonymOf,
    alsoPurged: [keptApprovals, keptSimulations],
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
    newId,
    answering,
    answeringParts,
  })

  const storedConversations = createStoredConversations({ db, knowledgeBases })
  const traces = createTraces({
    db,
    knowledgeBases,
    addressOf: addresses.addressOf,
    answerUnstored: answering.answerUnstored,
  })
  const reports = createMcpFeedback({ ...common, knowledgeBases, mask: questionSettings.mask })
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
    externalIdentities,
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
    search: createPrivateSearch({ search, settings: questionSettings }),
    conversations,
    storedConversations,
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
