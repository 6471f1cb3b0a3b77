import type { Requirement } from '../requirement.ts'

const storing = 'service/src/answers/conversations/conversations-store.ts'
const preparing = 'service/src/answers/answering/steps/prepare-question.ts'

export const ZERO_RETENTION = {
  'zero-retention.no-ids': {
    says: 'Under zero data retention an answer carries neither thread_id nor message_id.',
    spec: 'interface#thread-and-message',
    lives: 'service/src/answers/conversations/conversations.ts',
  },
  'zero-retention.nothing-kept': {
    says: 'Under zero data retention nothing of a chat, search or support form is kept in any table or file.',
    spec: 'interface#thread-and-message',
    lives: storing,
  },
  'zero-retention.not-in-log': {
    says: 'Under zero data retention nothing of it is in the log, at any level, whatever fails.',
    spec: 'interface#thread-and-message',
    lives: preparing,
  },
  'zero-retention.not-in-webhooks': {
    says: 'Under zero data retention nothing of it is sent to a webhook, or is in the log of deliveries.',
    spec: 'interface#thread-and-message',
    lives: storing,
  },
  'zero-retention.not-in-memory': {
    says: 'Under zero data retention nothing of it stays in the memory of the process when the request is over.',
    spec: 'interface#thread-and-message',
    lives: preparing,
  },
  'zero-retention.switched-on': {
    says: 'The switch counts for the next question; what was kept before stays until it is purged.',
    spec: 'open-items#2-management-api',
    lives: storing,
  },
  'zero-retention.no-rating': {
    says: 'Without a stored answer there is no message_id, so no rating is possible.',
    spec: 'interface#feedback-rules',
    lives: 'service/src/answers/feedback/feedback.ts',
  },
} as const satisfies Record<string, Requirement>
