/** Numbers that both sides of the wire know. Lengths are characters (code points) unless the name says otherwise. */
export const LIMITS = {
  knowledgeBaseName: { min: 2, max: 100 },
  name: 100,
  description: 2_000,
  persona: 2_000,
  tone: 1_000,
  standingInstructions: 8_000,
  starterQuestions: 8,
  starterQuestion: 200,
  generatedQuestions: 4,
  versionLabel: 64,
  customQuestion: 500,
  customAnswer: 20_000,
  query: 4_000,
  searchQuery: 1_000,
  searchResults: { default: 10, max: 50 },
  topK: { default: 15, max: 100 },
  relatedPages: 5,
  relatedSnippet: 200,
  feedbackComment: 2_000,
  formSubject: 300,
  formBody: 20_000,
  /** Filter of conversations by their words. */
  conversationText: 200,
  /** Turns of one conversation that are read at once. */
  conversationMessages: 1_000,
  analytics: {
    defaultDays: 30,
    mostDays: 366,
    /** Questions that are compared with each other, the last asked. */
    groupedQuestions: 1_000,
    /** Answers whose citations are counted, the last given. */
    countedAnswers: 20_000,
    topQuestions: 20,
    topPages: 20,
    knowledgeGaps: 50,
    examples: 5,
    messageIds: 50,
  },
  page: { default: 50, max: 200 },
  pushedDocuments: 100,
  previewPages: { default: 10, max: 50 },
  crawledPages: { default: 10_000, max: 200_000 },
  /** Answers that automation gives in one help-desk chat before a person takes over. */
  turnCap: 5,
  webhooks: {
    /** Time that a receiver has to answer. */
    timeoutSeconds: 10,
    triggersPerBase: 50,
    answerExcerpt: 500,
    /** How long the log of deliveries goes back. */
    logDays: 30,
  },
  mcp: {
    searchResults: { default: 8, max: 20 },
    documents: 10,
    documentCharacters: 20_000,
    feedback: 2_000,
    /** Time that a tool may take. */
    timeoutSeconds: { search: 30, ask: 90, other: 10 },
    /** Calls of tools that a person may make, over all servers of the kind together. */
    perPerson: {
      public: { aMinute: 60, aDay: 500 },
      internal: { aMinute: 60, aDay: 2_000 },
      portal: { aMinute: 60, aDay: 2_000 },
    },
    /** Requests a minute of any kind, listing tools and saying hello included, which count as no calls. */
    requestsAMinute: { perPerson: 300, perKey: 1_200 },
  },
  simulationTickets: 200,
  ticketText: 20_000,
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
  relatedPerKey: 300,
  suggestedPerKey: 300,
  feedbackPerKey: 60,
  /** Whatever else a client key may ask: settings of a widget, models, challenges. */
  otherPerKey: 600,
} as const

/** What each plan allows. Null is no limit. */
export const PLANS = {
  free: { knowledgeBases: 1, monthlyQuestions: 500, sourceGroups: false, storageMegabytes: 1_024 },
  pro: { knowledgeBases: 5, monthlyQuestions: 10_000, sourceGroups: false, storageMegabytes: 10_240 },
  enterprise: { knowledgeBases: null, monthlyQuestions: null, sourceGroups: true, storageMegabytes: null },
} as const

export type Plan = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]]
