import type { Requirement } from '../requirement.ts'

export const RETENTION = {
  'retention.days': {
    says: 'Conversations that nobody went on with for longer than the workspace keeps them are deleted; others stay.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/retention',
  },
  'retention.takes-along': {
    says: 'With a conversation go its messages, traces and ratings.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/retention',
  },
  'retention.keeps-by-default': {
    says: 'Without a period nothing is deleted by itself.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/retention',
  },
  'retention.purge-reader': {
    says: 'The conversations of one reader can be deleted at once, by the name that was sent with them.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/retention',
  },
  'retention.purge-everything': {
    says: 'All conversations of a workspace, or of one of its bases, can be deleted at once; only when that is said expressly.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/retention',
  },
  'retention.customers-words': {
    says: 'Approvals and simulations, which hold what customers wrote, go by the same period, and where everything is purged.',
    spec: 'interface#other-rules',
    lives: 'service/src/answers/retention',
  },
  'retention.purge-permission': {
    says: 'Owners and admins purge; a workspace of others is not there.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/retention',
  },
} as const satisfies Record<string, Requirement>
