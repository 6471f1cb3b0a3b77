import type { Requirement } from '../requirement.ts'

const lives = 'service/src/answers/suggested-questions/suggested-questions.ts'

export const SUGGESTED_QUESTIONS = {
  'suggested-questions.answer': {
    says: 'A client key is answered 200 with questions, a list of texts.',
    spec: 'interface#public-api',
    lives: 'service/src/channels/public-api/public-suggested-questions-routes.ts',
  },
  'suggested-questions.generated': {
    says: 'By default up to four questions are written from titles of public documents.',
    spec: 'interface#suggested-questions',
    lives,
  },
  'suggested-questions.no-restricted': {
    says: 'Restricted documents are never used for them.',
    spec: 'interface#suggested-questions',
    lives: 'service/src/answers/suggested-questions/suggested-questions-store.ts',
  },
  'suggested-questions.after-a-sync': {
    says: 'They are written anew after a sync that added, changed or removed a document.',
    spec: 'interface#suggested-questions',
    lives: 'service/src/answers/suggested-questions/refresh-questions-on-change.ts',
  },
  'suggested-questions.after-a-change': {
    says: 'They follow every other change of the public documents too: a push, a deletion, a visibility, a group, whichever process made it.',
    spec: 'interface#suggested-questions',
    lives,
  },
  'suggested-questions.language': {
    says: 'They are in the language of their page, else in that of the base; "English" of a page in a base of another language does not count.',
    spec: 'interface#suggested-questions',
    lives: 'service/src/answers/suggested-questions/write-candidates.ts',
  },
  'suggested-questions.every-day': {
    says: 'Otherwise they are written anew every 24 hours.',
    spec: 'interface#suggested-questions',
    lives,
  },
  'suggested-questions.empty-at-first': {
    says: 'There are none until a public document is indexed; an empty list is normal.',
    spec: 'interface#suggested-questions',
    lives,
  },
  'suggested-questions.own': {
    says: 'The owner’s own list is given in its order.',
    spec: 'interface#suggested-questions',
    lives,
  },
  'suggested-questions.own-limits': {
    says: 'An own list has at most 8 questions of at most 200 characters.',
    spec: 'interface#suggested-questions',
    lives: 'contract/src/limits.ts',
  },
  'suggested-questions.none': {
    says: 'Switched off, the list is empty.',
    spec: 'interface#suggested-questions',
    lives,
  },
  'suggested-questions.limit-of-its-own': {
    says: 'Offering questions has a rate limit of its own: it uses up no question and no search.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/public-rate-limits.ts',
  },
} as const satisfies Record<string, Requirement>
