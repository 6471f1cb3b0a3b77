import type { ConversationQuery } from '@citewell/contract/conversations'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { parseDateRange } from '../../kernel/date-range.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { cursorOf, readCursor } from './conversation-cursor.ts'
import { conversationTerms } from './conversation-terms.ts'
import type { StoredConversations } from './stored-conversations.ts'
import type { ConversationFilter } from './stored-conversations-store.ts'
import { presentConversation, presentSummary } from './present-conversation.ts'

const filterOf = (query: ConversationQuery): ConversationFilter => ({
  surface: query.surface,
  rating: query.rating,
  covered: query.covered,
  ...parseDateRange(query),
  terms: query.text === undefined ? [] : conversationTerms(query.text),
  userRef: query.user,
})

const endpoint = endpointsFor<'access-token', Caller>()

export const conversationRoutes = (
  conversations: StoredConversations,
  addressOf: (document: AddressedDocument) => string,
) => [
  endpoint(ENDPOINTS.listConversations, async ({ caller, params, query }) => {
    const { limit } = query
    const of = { filter: filterOf(query), after: readCursor(query.cursor), limit: limit + 1 }
    const found = await conversations.list(caller, params.id, of)
    const shown = found.slice(0, limit)
    const last = shown.at(-1)?.thread
    const hasMore = found.length > limit && last !== undefined
    return {
      data: shown.map(presentSummary),
      next_cursor: hasMore ? cursorOf({ createdAt: last.created_at, id: last.id }) : null,
    }
  }),
  endpoint(ENDPOINTS.getConversation, async ({ caller, params }) =>
    presentConversation(await conversations.get(caller, params.id), addressOf),
  ),
  endpoint(ENDPOINTS.deleteConversation, ({ caller, params }) => conversations.remove(caller, params.id)),
]
