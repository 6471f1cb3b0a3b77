import type { ConversationQuery } from '@citewell/contract/conversations'
import { parseDateRange } from '../../kernel/date-range.ts'
import { conversationTerms } from './conversation-terms.ts'
import type { AskedFilter } from './stored-conversations.ts'

/** The filter that a query asks for. @throws Refusal BAD_REQUEST for a range that ends before it begins */
export const filterOf = (query: Omit<ConversationQuery, 'limit' | 'cursor'>): AskedFilter => ({
  surface: query.surface,
  rating: query.rating,
  covered: query.covered,
  ...parseDateRange(query),
  terms: query.text === undefined ? [] : conversationTerms(query.text),
  user: query.user,
})
