import type { Requirement } from '../requirement.ts'

const lives = 'service/src/accounts/allowance/allowance.ts'
const store = 'service/src/accounts/allowance/allowance-store.ts'
const answering = 'service/src/answers/answering/answering.ts'
const chatStream = 'service/src/channels/public-api/chat-stream.ts'

export const ALLOWANCE = {
  'allowance.plans': {
    says: 'Free allows 500 questions a month, Pro 10,000, Enterprise any number.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'contract/src/limits.ts',
  },
  'allowance.own-number': {
    says: 'The number that the operator sets for a workspace takes the place of its plan’s; 0 allows none.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'allowance.operator-alone': {
    says: 'Nobody but the operator of the instance sets plan and allowance.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/workspaces/workspace-change.ts',
  },
  'allowance.exists': {
    says: 'A workspace has a monthly allowance of questions; past it a question is refused with quota_exceeded.',
    spec: 'interface#limits',
    lives,
  },
  'allowance.holds-in-parallel': {
    says: 'However many questions come at once, in however many processes, exactly as many are answered as are allowed.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: store,
  },
  'allowance.quota-frame': {
    says: 'A used-up allowance is found before answering starts: the stream opens and carries one error frame, with no last frame after it.',
    spec: 'open-items#error-body',
    lives: chatStream,
  },
  'allowance.quota-json': {
    says: 'For a caller who accepts JSON alone a used-up allowance is a JSON error of status 403.',
    spec: 'open-items#error-body',
    lives: chatStream,
  },
  'allowance.not-retryable': {
    says: 'quota_exceeded is not worth trying again.',
    spec: 'interface#after-the-stream-opened',
    lives: 'contract/src/refusals.ts',
  },
  'allowance.given-back': {
    says: 'A question whose answer failed upstream before its first word is given back.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: answering,
  },
  'allowance.failed-later': {
    says: 'A question whose answer failed after its first word counts.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: answering,
  },
  'allowance.filtered': {
    says: 'A question that the content filter of the provider blocked counts: its own words were the reason.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: answering,
  },
  'allowance.reader-left': {
    says: 'A question whose reader left is never given back.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: answering,
  },
  'allowance.every-surface': {
    says: 'Questions count on every surface, those of the team too; searches, related pages and suggestions do not count.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/answers/answering/steps/reserve-quota.ts',
  },
  'allowance.month': {
    says: 'The month is the calendar month in UTC by the clock of the database; it turns once, and a refund goes to the month in which the question was counted.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: store,
  },
  'allowance.crash': {
    says: 'A question whose process died while it was answered stays counted, and the counters agree.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: store,
  },
  'allowance.usage': {
    says: 'The usage of a workspace says the questions of this month, the allowance, what is left, and the questions of each knowledge base.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'allowance.usage-by-surface': {
    says: 'The usage says on which surfaces the questions of each knowledge base were asked.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'allowance.resets-at': {
    says: 'The usage says when the next month begins, in UTC.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'allowance.usage-of-others': {
    says: 'The usage of a workspace is shown to its members alone; to others it is not there.',
    spec: 'open-items#2-management-api',
    lives,
  },
} as const satisfies Record<string, Requirement>
