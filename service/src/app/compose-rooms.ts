import { createAccessTokens } from '../accounts/access-tokens/access-tokens.ts'
import {
  createClientKeys,
  createFirstClientKey,
  ownedClientKeys,
  presentClientKey,
  revokeClientKeys,
} from '../accounts/client-keys/client-keys.ts'
import { createKnowledgeBases } from '../accounts/knowledge-bases/knowledge-bases.ts'
import { createWorkspaces } from '../accounts/workspaces/workspaces.ts'
import { createConversations, ownedConversations } from '../answers/conversations/conversations.ts'
import { createFeedback } from '../answers/feedback/feedback.ts'
import { keepQuestionsFresh } from '../answers/suggested-questions/suggested-questions-room.ts'
import { createSuggestedQuestions } from '../answers/suggested-questions/suggested-questions.ts'
import { createFirstWidget, createWidgets, ownedWidgets, presentWidget } from '../channels/widgets/widgets.ts'
import type { Connector } from '../content/connectors/connectors.ts'
import {
  createDocuments,
  createPush,
  ownedDocuments,
  restrictDocuments,
} from '../content/documents/documents.ts'
import { createIndexing } from '../content/indexing/indexing.ts'
import { mediaTypeOfFile } from '../content/parsing/parsing.ts'
import { createSearch } from '../content/search/search.ts'
import { createSourceGroups } from '../content/source-groups/source-groups.ts'
import {
  createSources,
  createUploads,
  findSourceToSync,
  listUploadedFiles,
  ownedSources,
} from '../content/sources/sources.ts'
import { createSyncs } from '../content/syncs/syncs.ts'
import { newId, newTicketId } from '../kernel/ids.ts'
import { composeAnswering } from './compose-answering.ts'
import type { ComposeInput, Platform } from './compose-platform.ts'

/** Every room by its door, each given what it needs. Read from the top: lower floors come first. */
export function composeRooms({ storage, log }: ComposeInput, platform: Platform, stopping: AbortSignal) {
  const { db } = storage
  const { embedder, parsing, events, jobs, files } = platform
  const now = () => new Date()
  const common = { db, newId, now }

  const accessTokens = createAccessTokens(common)
  const workspaces = createWorkspaces(common)

  const indexing = createIndexing({ ...common, engine: storage.engine, embedder })
  const knowledgeBases = createKnowledgeBases({
    ...common,
    alsoCreate: async (transaction, base) => ({
      client_key: presentClientKey(await createFirstClientKey(transaction, base, newId, now())),
      widget: presentWidget(await createFirstWidget(transaction, base, newId, now())),
    }),
    onTypeChanged: async (transaction, base, changedAt) => {
      if (base.type === 'internal') await revokeClientKeys(transaction, base.id, changedAt)
      // In both directions: what a sync added while the base was internal must not show when it is external again.
      await restrictDocuments(transaction, base.id, changedAt)
    },
    owned: [ownedSources, ownedDocuments, ownedConversations, ownedClientKeys, ownedWidgets],
    dropIndex: (knowledgeBaseId) => indexing.dropIndex(knowledgeBaseId),
  })
  const clientKeys = createClientKeys({ ...common, knowledgeBases })
  const widgets = createWidgets({ ...common, knowledgeBases })

  const connectors = platform.createConnectors((sourceId) => listUploadedFiles({ db, files }, sourceId))
  const connectorOf = (type: string) =>
    connectors.connectorOf(type as Parameters<typeof connectors.connectorOf>[0]) as
      | Connector<unknown>
      | undefined
  const syncs = createSyncs({
    ...common,
    indexing,
    jobs,
    events,
    log,
    findSource: (knowledgeBaseId, sourceId) =>
      findSourceToSync(db, connectorOf, { knowledgeBaseId, sourceId }),
  })
  const sources = createSources({ ...common, knowledgeBases, syncs, files, events })
  const uploads = createUploads({ ...common, sources, syncs, files, mediaTypeOfFile })
  const sourceGroups = createSourceGroups({ ...common, knowledgeBases })
  const documents = createDocuments({ ...common, knowledgeBases, indexing, events })
  const push = createPush({
    ...common,
    sources,
    indexing,
    events,
    parse: (input, signal) => parsing.parse(input, signal),
  })
  const search = createSearch({
    db,
    embedder,
    onEmbedderFailed: (fault) => log.warn({ err: fault }, 'a question was searched by its words alone'),
  })

  const conversations = createConversations({ db, now, newTicketId })
  const feedback = createFeedback({ ...common, conversations })
  const suggestedQuestions = createSuggestedQuestions({ db, search, now, stopping })
  keepQuestionsFresh(events, suggestedQuestions)
  const answering = composeAnswering({ log, platform, search, conversations, events })

  return {
    accessTokens,
    workspaces,
    indexing,
    knowledgeBases,
    clientKeys,
    widgets,
    connectors,
    syncs,
    sources,
    uploads,
    sourceGroups,
    documents,
    push,
    search,
    conversations,
    feedback,
    suggestedQuestions,
    answering,
    jobs: [...syncs.jobs, ...sources.jobs],
  }
}

export type Rooms = ReturnType<typeof composeRooms>
