import type { Requirement } from '../requirement.ts'

const recordBase = 'service/src/accounts/knowledge-bases/record-base.ts'
const recordActivity = 'service/src/accounts/activity-log/record-activity.ts'
const recordChanges = 'service/src/accounts/activity-log/record-changes.ts'

export const ACTIVITY_LOG = {
  'activity-log.entries': {
    says: 'An entry tells actor, action, target and time.',
    spec: 'open-items#2-management-api',
    lives: recordActivity,
  },
  'activity-log.archive': {
    says: 'Archiving a knowledge base is in the log.',
    spec: 'interface#knowledge-base-1',
    lives: recordBase,
  },
  'activity-log.restore': {
    says: 'Restoring a knowledge base is in the log.',
    spec: 'interface#knowledge-base-1',
    lives: recordBase,
  },
  'activity-log.delete': {
    says: 'Deleting a knowledge base is in the log, under the name that it had; its entries stay.',
    spec: 'interface#knowledge-base-1',
    lives: recordBase,
  },
  'activity-log.every-change': {
    says: 'Each successful change through the management API is one entry.',
    spec: 'open-items#2-management-api',
    lives: recordChanges,
  },
  'activity-log.in-its-transaction': {
    says: 'What is not done leaves no entry.',
    spec: 'open-items#2-management-api',
    lives: recordActivity,
  },
  'activity-log.who-reads': {
    says: 'Owners and admins read it; members are refused.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/activity-log/activity-log.ts',
  },
  'activity-log.newest-first': {
    says: 'It is listed the newest first, page by page, by action, person or knowledge base.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/activity-log/activity-log-store.ts',
  },
  'activity-log.append-only': {
    says: 'Entries are neither changed nor deleted: the database refuses it.',
    spec: 'security#112-audit-log-integrity',
    lives: 'service/src/platform/storage/migrations/0008-people.ts',
  },
  'activity-log.chain': {
    says: 'Each entry is chained to the one before by a hash, in one unbroken chain for each workspace under parallel writers.',
    spec: 'security#112-audit-log-integrity',
    lives: recordActivity,
  },
  'activity-log.audit': {
    says: 'citewell doctor --audit recomputes the chains and names the first entry that is not as it was written.',
    spec: 'security#112-audit-log-integrity',
    lives: 'service/src/accounts/activity-log/audit-activity.ts',
  },
  'activity-log.no-log-injection': {
    says: 'Names with line ends or terminal codes cannot act on the terminal of the command line, or forge a line.',
    spec: 'security#112-audit-log-integrity',
    lives: 'service/src/app/cli/printable.ts',
  },
  'activity-log.no-secrets': {
    says: 'An entry holds no secret: no key, no token, no code.',
    spec: 'security#112-audit-log-integrity',
    lives: recordChanges,
  },
} as const satisfies Record<string, Requirement>
