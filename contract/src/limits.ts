/** Numbers that both sides of the wire know. Lengths are characters (code points) unless the name says otherwise. */
export const LIMITS = {
  knowledgeBaseName: { min: 2, max: 100 },
  name: 100,
  description: 2_000,
  standingInstructions: 8_000,
  starterQuestions: 8,
  starterQuestion: 200,
  generatedQuestions: 4,
  versionLabel: 64,
  query: 4_000,
  searchQuery: 1_000,
  searchResults: { default: 10, max: 50 },
  topK: { default: 15, max: 100 },
  relatedPages: 5,
  relatedSnippet: 200,
  feedbackComment: 2_000,
  page: { default: 50, max: 200 },
  pushedDocuments: 100,
  previewPages: { default: 10, max: 50 },
  crawledPages: { default: 10_000, max: 200_000 },
} as const

/** Most bytes that a request's body may have. */
export const BODY_BYTES = {
  json: 1_048_576,
  pushedDocuments: 16 * 1_048_576,
  files: 100 * 1_048_576,
} as const

/** Most text of one document: bytes of a text file, characters of what is read out of a PDF or DOCX. */
export const DOCUMENT_TEXT = 20 * 1_048_576

/** Requests a minute, on the public API. */
export const RATE_LIMITS = {
  chatPerKey: 60,
  chatPerAddress: 20,
  searchPerKey: 300,
  feedbackPerKey: 60,
} as const

/** What each plan allows. Null is no limit. */
export const PLANS = {
  free: { knowledgeBases: 1, monthlyQuestions: 500, sourceGroups: false },
  pro: { knowledgeBases: 5, monthlyQuestions: 10_000, sourceGroups: false },
  enterprise: { knowledgeBases: null, monthlyQuestions: null, sourceGroups: true },
} as const

export type Plan = keyof typeof PLANS
