import type { Requirement } from '../requirement.ts'

const lives = 'service/src/answers/feedback'

export const FEEDBACK = {
  'feedback.one-per-answer': {
    says: 'An answer has one rating: posting again replaces it.',
    spec: 'interface#feedback-rules',
    lives,
  },
} as const satisfies Record<string, Requirement>
