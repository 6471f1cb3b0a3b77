import type { Requirement } from '../requirement.ts'

const lives = 'service/src/answers/conversations/stored-conversations.ts'
const store = 'service/src/answers/conversations/stored-conversations-store.ts'

export const CONVERSATIONS = {
  'conversations.list': {
    says: 'The conversations of a knowledge base are listed, the ones begun last first, in pages of one form with all lists.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'conversations.cursor': {
    says: 'Pages follow each other without a gap or a repetition, also when conversations begin or go away meanwhile.',
    spec: 'open-items#1-conventions',
    lives: 'service/src/answers/conversations/conversation-cursor.ts',
  },
  'conversations.filter-surface': {
    says: 'The list can be narrowed to one surface.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'conversations.filter-rating': {
    says: 'The list can be narrowed to conversations with an answer that was rated up, or down.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'conversations.filter-covered': {
    says: 'The list can be narrowed to conversations whose answers were all covered, or of which one was not.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'conversations.filter-dates': {
    says: 'The list can be narrowed to conversations begun in a range of days, or between two moments.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/kernel/date-range.ts',
  },
  'conversations.filter-text': {
    says: 'The list can be narrowed to conversations in which a question with its answer has certain words.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'conversations.filter-user': {
    says: 'The list can be narrowed to one reader, as the caller named them.',
    spec: 'interface#chat-request-body',
    lives: store,
  },
  'conversations.get': {
    says: 'One conversation is read with every question, answer, citation, rating and time.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'conversations.record': {
    says: 'A conversation has its id, times, knowledge base, surface, reader and key.',
    spec: 'open-items#records',
    lives: 'service/src/answers/conversations/present-conversation.ts',
  },
  'conversations.delete': {
    says: 'A deleted conversation is gone with its messages, ratings and traces.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'conversations.config-only': {
    says: 'Only people who hold Config on the knowledge base read or delete its conversations; others in the workspace get 403, strangers 404.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'conversations.own': {
    says: 'A member lists, reads and deletes their own conversations in bases that they may still chat in, and no one else’s; under zero retention there are none.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/answers/conversations/own-conversations-store.ts',
  },
  'conversations.restricted-withheld': {
    says: 'Answers that drew on pages that are not public are withheld from people who may not chat in the knowledge base.',
    spec: 'interface#what-the-service-does',
    lives,
  },
} as const satisfies Record<string, Requirement>
