import type { Answer, FoundPage, Observation } from './observation.ts'

export const foundPage = (page: string, source = 'pages', versionLabel: string | null = null): FoundPage => ({
  page,
  source,
  versionLabel,
})

export const answerOf = (given: Partial<Answer> = {}): Answer => ({
  text: '',
  isCovered: true,
  confidence: 0.9,
  found: [],
  passages: [],
  cited: [],
  firstFrameMs: 1,
  wholeMs: 2,
  ...given,
})

/** An observation for tests: by default a question that page `a` answers. */
export const observe = (
  given: Partial<Omit<Observation, 'question'>> & { question?: Partial<Observation['question']> } = {},
): Observation => ({
  groups: undefined,
  results: undefined,
  searchMs: undefined,
  answer: undefined,
  ...given,
  question: {
    id: 'q',
    text: 'How?',
    isAnswerable: true,
    relevant: new Map([['a', 1]]),
    fields: {},
    ...given.question,
  },
})
