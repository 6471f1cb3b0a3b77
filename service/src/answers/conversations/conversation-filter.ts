import type { ConversationQuery } from '@citewell/contract/conversations'
import { parseDateRange } from '../../kernel/date-range.ts'
import { conversationTerms } from './conversation-terms.ts'
import type { ConversationFilter } from './stored-conversations-store.ts'

/** The filter that a query asks for. @throws Refusal BAD_REQUEST for a range that ends before it begins */
export const filterOf = (query: Omit<ConversationQuery, 'limit' | 'cursor'>): ConversationFilter => ({
  surface: query.surface,
  rating: query.rating,
  covered: query.covered,
  ...parseDateRange(query),
  terms: query.text === undefined ? [] : conversationTerms(query.text),
  userRef: query.user,
})
