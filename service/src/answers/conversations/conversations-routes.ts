import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { pageWith } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { cursorOf, readCursor } from './conversation-cursor.ts'
import { filterOf } from './conversation-filter.ts'
import type { OwnConversations } from './own-conversations.ts'
import type { CountedThread, StoredConversations } from './stored-conversations.ts'
import { presentConversation, presentSummary } from './present-conversation.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const pageOfSummaries = (found: readonly CountedThread[], limit: number) =>
  pageWith(found, limit, presentSummary, ({ thread }) => cursorOf(thread))

export interface ConversationRoutesDeps {
  conversations: StoredConversations
  ownConversations: OwnConversations
  addressOf: (document: AddressedDocument) => string
}

export const conversationRoutes = ({
  conversations,
  ownConversations,
  addressOf,
}: ConversationRoutesDeps) => [
  endpoint(ENDPOINTS.listConversations, async ({ caller, params, query }) => {
    const of = { filter: filterOf(query), after: readCursor(query.cursor), limit: query.limit + 1 }
    return pageOfSummaries(await conversations.list(caller, params.id, of), query.limit)
  }),
  endpoint(ENDPOINTS.getConversation, async ({ caller, params }) =>
    presentConversation(await conversations.get(caller, params.id), addressOf),
  ),
  endpoint(ENDPOINTS.deleteConversation, ({ caller, params }) => conversations.remove(caller, params.id)),
  endpoint(ENDPOINTS.listMyConversations, async ({ caller, query }) => {
    const { knowledge_base_id: knowledgeBaseId, limit } = query
    const of = { knowledgeBaseId, after: readCursor(query.cursor), limit: limit + 1 }
    return pageOfSummaries(await ownConversations.list(caller, of), limit)
  }),
  endpoint(ENDPOINTS.getMyConversation, async ({ caller, params }) =>
    presentConversation(await ownConversations.get(caller, params.id), addressOf),
  ),
  endpoint(ENDPOINTS.deleteMyConversation, ({ caller, params }) =>
    ownConversations.remove(caller, params.id),
  ),
]
