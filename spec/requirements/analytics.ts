import type { Requirement } from '../requirement.ts'

const lives = 'service/src/answers/analytics/analytics.ts'
const store = 'service/src/answers/analytics/analytics-store.ts'
const days = 'service/src/answers/analytics/utc-days.ts'
const groups = 'service/src/answers/analytics/group-questions.ts'

export const ANALYTICS = {
  'analytics.range': {
    says: 'Analytics are of the days from `from` to `to`, both included, in UTC.',
    spec: 'open-items#2-management-api',
    lives: days,
  },
  'analytics.range-refused': {
    says: 'A range that ends before it begins, or is longer than a year, is refused with 400.',
    spec: 'open-items#2-management-api',
    lives: days,
  },
  'analytics.empty-range': {
    says: 'A range without questions gives zeros for each of its days, and no rates.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/analytics/present-counts.ts',
  },
  'analytics.by-day-and-surface': {
    says: 'Questions are counted by day and by surface.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'analytics.covered-rate': {
    says: 'The covered rate is the part of whole answers that were covered; answers that were cut off count in neither.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'analytics.ratings': {
    says: 'Ratings up and down are counted; an answer counts once, with its last rating, and not at all when it was withdrawn.',
    spec: 'interface#what-the-service-does',
    lives: store,
  },
  'analytics.latency': {
    says: 'The time to the first piece and to the end of an answer are given, as the half and nineteen in twenty have it or less.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'analytics.top-questions': {
    says: 'Questions that ask the same in other words are one of the top questions, with how often it was asked.',
    spec: 'open-items#2-management-api',
    lives: groups,
  },
  'analytics.top-pages': {
    says: 'The pages cited by most answers are given.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'analytics.knowledge-gaps': {
    says: 'Questions that were not covered are grouped by what they are about, each group with a label, examples, count, last time and ids.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/knowledge-gaps/find-gaps.ts',
  },
  'analytics.down-rated-are-gaps': {
    says: 'Questions whose answers were rated down are knowledge gaps, though they were covered.',
    spec: 'interface#what-the-service-does',
    lives: store,
  },
  'analytics.deflection': {
    says: 'The part of support forms that were deflected is given, of those whose outcome is known.',
    spec: 'interface#events',
    lives,
  },
  'analytics.bounds': {
    says: 'However many questions there are, the last thousand are grouped, and the answer says so.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'analytics.by-meaning': {
    says: 'Questions are compared by their meaning where there is an embedding model, and by their words otherwise.',
    spec: 'open-items#2-management-api',
    lives: groups,
  },
  'analytics.repeatable': {
    says: 'The same questions give the same groups.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/analytics/cluster-by-similarity.ts',
  },
  'analytics.forgotten': {
    says: 'A deleted conversation no longer counts.',
    spec: 'open-items#2-management-api',
    lives: store,
  },
  'analytics.config-only': {
    says: 'Only people who hold Config on the knowledge base read its analytics.',
    spec: 'open-items#2-management-api',
    lives,
  },
} as const satisfies Record<string, Requirement>
