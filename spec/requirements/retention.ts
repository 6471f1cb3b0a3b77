import type { Requirement } from '../requirement.ts'

const lives = 'service/src/answers/retention/retention.ts'
const store = 'service/src/answers/retention/retention-store.ts'

export const RETENTION = {
  'retention.days': {
    says: 'Conversations that nobody went on with for longer than the workspace keeps them are deleted; others stay.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'retention.takes-along': {
    says: 'With a conversation go its messages, traces and ratings.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'retention.keeps-by-default': {
    says: 'Without a period nothing is deleted by itself.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'retention.purge-reader': {
    says: 'The conversations of one reader can be deleted at once, by the name that was sent with them.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'retention.purge-everything': {
    says: 'All conversations of a workspace, or of one of its bases, can be deleted at once; only when that is said expressly.',
    spec: 'open-items#2-management-api',
    lives: 'contract/src/conversation-purge.ts',
  },
  'retention.customers-words': {
    says: 'Approvals and simulations, which hold what customers wrote, go by the same period, and where everything is purged.',
    spec: 'interface#other-rules',
    lives,
  },
  'retention.purge-permission': {
    says: 'Owners and admins purge; a workspace of others is not there.',
    spec: 'open-items#2-management-api',
    lives,
  },
} as const satisfies Record<string, Requirement>
