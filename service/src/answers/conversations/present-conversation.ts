import type { Conversation, ConversationSummary, Message } from '@citewell/contract/conversations'
import type { SurfaceName } from '@citewell/contract/surfaces'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { storedCitations, type Citation } from '../citations/citations.ts'
import type { CountedThread, WholeConversation } from './stored-conversations.ts'

/** A conversation as it appears in lists. */
export function presentSummary({ thread, figures }: CountedThread): ConversationSummary {
  return {
    id: thread.id,
    created_at: thread.created_at.toISOString(),
    updated_at: thread.updated_at.toISOString(),
    knowledge_base_id: thread.knowledge_base_id,
    // The surfaces wrote the column.
    surface: thread.surface as SurfaceName,
    user: thread.user_ref,
    client_key_id: thread.client_key_id,
    first_query: figures?.first_query ?? '',
    message_count: figures?.message_count ?? 0,
    covered: figures?.covered ?? null,
    ratings: { up: figures?.up ?? 0, down: figures?.down ?? 0 },
  }
}

type AddressOf = (document: AddressedDocument) => string

function presentMessage(message: WholeConversation['messages'][number], addressOf: AddressOf): Message {
  const { vote, comment, rated_at: ratedAt, rating_changed_at: changedAt, isWithheld } = message
  return {
    id: message.id,
    created_at: message.created_at.toISOString(),
    updated_at: message.updated_at.toISOString(),
    conversation_id: message.thread_id,
    query: message.query,
    rewritten_query: isWithheld ? null : message.rewritten_query,
    answer: isWithheld ? null : message.answer,
    citations: isWithheld ? [] : storedCitations(message.citations as Citation[], addressOf),
    withheld: isWithheld,
    covered: message.covered,
    confidence: message.confidence,
    stopped_by: message.stopped_by,
    rating:
      vote === null || ratedAt === null || changedAt === null
        ? null
        : { vote, comment, created_at: ratedAt.toISOString(), updated_at: changedAt.toISOString() },
    first_ms: message.first_ms,
    total_ms: message.total_ms,
  }
}

export const presentConversation = (conversation: WholeConversation, addressOf: AddressOf): Conversation => ({
  ...presentSummary(conversation),
  messages: conversation.messages.map((message) => presentMessage(message, addressOf)),
})
