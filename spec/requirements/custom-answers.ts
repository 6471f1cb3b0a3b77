import type { Requirement } from '../requirement.ts'

const lives = 'service/src/content/custom-answers/custom-answers.ts'
const spec = 'open-items#2-management-api'

export const CUSTOM_ANSWERS = {
  'custom-answers.list': { says: 'GET lists the custom answers of a base.', spec, lives },
  'custom-answers.create': {
    says: 'POST writes a question and its answer: 201 with the record.',
    spec,
    lives,
  },
  'custom-answers.change': { says: 'PATCH changes one, for the next question.', spec, lives },
  'custom-answers.delete': { says: 'DELETE removes one, from answers too: 204.', spec, lives },
  'custom-answers.searched': {
    says: 'It is found like a document, also by other words than those of its question.',
    spec,
    lives,
  },
  'custom-answers.cited': {
    says: 'It is cited as itself: its question is the title, and the address opens it.',
    spec,
    lives,
  },
  'custom-answers.answers': {
    says: 'Without a model, its question in the same or in near words is answered with it.',
    spec,
    lives: 'service/src/answers/answering/steps/find-custom-answer.ts',
  },
  'custom-answers.scope': {
    says: 'It may be restricted, and may be in a source group, as a document is.',
    spec,
    lives,
  },
  'custom-answers.source': {
    says: 'They belong to a source of the type custom_answers, made with the first one; it has no sync.',
    spec,
    lives: 'service/src/content/custom-answers/answer-sources-store.ts',
  },
  'custom-answers.owned': {
    says: 'The custom answers of a base are counted before its deletion, and go with it.',
    spec: 'interface#knowledge-base-1',
    lives,
  },
} as const satisfies Record<string, Requirement>
