import type { Requirement } from '../requirement.ts'

const finding = 'service/src/answers/pii/find-personal-data.ts'
const preparing = 'service/src/answers/answering/steps/prepare-question.ts'

export const PII = {
  'pii.kinds': {
    says: 'Each kind of personal data that a knowledge base masks is replaced by its name in brackets.',
    spec: 'interface#knowledge-base',
    lives: finding,
  },
  'pii.only-chosen-kinds': {
    says: 'A kind that was not chosen is left alone.',
    spec: 'interface#knowledge-base',
    lives: finding,
  },
  'pii.custom-patterns': {
    says: 'Patterns of the owner are masked too.',
    spec: 'interface#knowledge-base',
    lives: finding,
  },
  'pii.allow-list': {
    says: 'What the allow-list names is never masked.',
    spec: 'interface#knowledge-base',
    lives: 'service/src/answers/pii/allow-list.ts',
  },
  'pii.answers': {
    says: 'In an answer, what its pages say is left as it is; other personal data is masked.',
    spec: 'interface#knowledge-base',
    lives: 'service/src/answers/pii/pii.ts',
  },
  'pii.delta-boundaries': {
    says: 'An answer is masked alike in whichever pieces it comes, and no piece shows a part of what is masked.',
    spec: 'interface#knowledge-base',
    lives: 'service/src/answers/pii/masking-units.ts',
  },
  'pii.patterns-cannot-hang': {
    says: 'No pattern of an owner can hold the service up, whatever text it meets.',
    spec: 'security#1-14',
    lives: 'service/src/platform/patterns/linear-pattern.ts',
  },
  'pii.patterns-refused': {
    says: 'A pattern that cannot be used is refused when it is set, with the reason.',
    spec: 'open-items#records',
    lives: 'service/src/accounts/knowledge-bases/check-pii-masking.ts',
  },
  'pii.limits': {
    says: 'At most 50 patterns of at most 200 characters are taken, and kinds that are known.',
    spec: 'open-items#records',
    lives: 'contract/src/pii-masking.ts',
  },
  'pii.before-model': {
    says: 'A model sees the question, and what was said before, masked.',
    spec: 'interface#knowledge-base',
    lives: preparing,
  },
  'pii.before-storage': {
    says: 'Question, answer and trace are kept masked.',
    spec: 'interface#knowledge-base',
    lives: preparing,
  },
  'pii.user-ref': {
    says: 'A reader who is named by what is masked is kept under a pseudonym.',
    spec: 'interface#chat-request-body',
    lives: preparing,
  },
  'pii.feedback': {
    says: 'The comment of a rating is kept masked.',
    spec: 'interface#feedback-rules',
    lives: 'service/src/answers/feedback/feedback.ts',
  },
  'pii.tried': {
    says: 'Who sets masking up tries it on a text, with saved settings or others: the masked text, and what was found; nothing is kept.',
    spec: 'interface#knowledge-base',
    lives: 'service/src/answers/pii/pii-routes.ts',
  },
  'pii.search': {
    says: 'A search is masked before anything is done with it.',
    spec: 'interface#knowledge-base',
    lives: 'service/src/answers/question-settings/private-search.ts',
  },
} as const satisfies Record<string, Requirement>
