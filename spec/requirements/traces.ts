import type { Requirement } from '../requirement.ts'

const lives = 'service/src/answers/traces/traces.ts'
const shown = 'service/src/answers/traces/present-trace.ts'
const recorded = 'service/src/answers/answering/answer-turn.ts'

export const TRACES = {
  'traces.query': {
    says: 'A trace has the question, and the query that it was rewritten to where it was.',
    spec: 'open-items#2-management-api',
    lives: shown,
  },
  'traces.retrieved': {
    says: 'A trace has the passages that were found, best first, each with its scores.',
    spec: 'open-items#2-management-api',
    lives: shown,
  },
  'traces.what-the-model-got': {
    says: 'A trace has what the model got: its instructions and the excerpts, to the letter.',
    spec: 'open-items#2-management-api',
    lives: recorded,
  },
  'traces.nothing-secret': {
    says: 'A trace holds no key of a language model.',
    spec: 'open-items#2-management-api',
    lives: recorded,
  },
  'traces.answer': {
    says: 'A trace has the answer as it was written, and as it was after the checks.',
    spec: 'open-items#2-management-api',
    lives: recorded,
  },
  'traces.citation-checks': {
    says: 'A trace says of each citation whether it was kept, moved to another number, or dropped, and why.',
    spec: 'open-items#2-management-api',
    lives: shown,
  },
  'traces.covered': {
    says: 'A trace says whether the question counted as covered, how surely, and by what.',
    spec: 'open-items#2-management-api',
    lives: shown,
  },
  'traces.times': {
    says: 'A trace has the time of each step, to the first piece of the answer, and to its end.',
    spec: 'open-items#2-management-api',
    lives: recorded,
  },
  'traces.config-only': {
    says: 'Only people who hold Config on the knowledge base read traces.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'traces.restricted-withheld': {
    says: 'What a trace has of pages that are not public is withheld from people who may not chat in the knowledge base.',
    spec: 'interface#what-the-service-does',
    lives: shown,
  },
  'traces.every-answer': {
    says: 'Every kept answer has a trace, on each surface, with a model and without, covered or not.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/conversations/conversations.ts',
  },
  'traces.replay': {
    says: 'A question is asked once more in its own scope, and the new trace stands beside the old one with what differs.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'traces.tried': {
    says: 'Who sets a base up tries a question with groups, number of passages and style that are not saved, alone or as a replay, and sees every step; nothing is kept or counted.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/traces/tried-question.ts',
  },
  'traces.replay-not-kept': {
    says: 'A replayed answer is not kept, does not count against the allowance, and is announced to nobody.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/answering/answer-unstored.ts',
  },
  'traces.replay-restricted': {
    says: 'A question that was allowed restricted pages is replayed for people alone who may chat in the knowledge base.',
    spec: 'interface#what-the-service-does',
    lives,
  },
} as const satisfies Record<string, Requirement>
