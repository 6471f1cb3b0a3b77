/** Limits known to both sides of the wire. Lengths are in characters (code points) unless the name states otherwise. */
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
  /** Source groups that a tried question may be limited to. */
  triedGroups: 100,
  relatedPages: 5,
  relatedSnippet: 200,
  feedbackComment: 2_000,
  formSubject: 300,
  formBody: 20_000,
  /** Text filter of conversations. */
  conversationText: 200,
  /** Maximum number of turns returned with a conversation. */
  conversationMessages: 1_000,
  analytics: {
    defaultDays: 30,
    mostDays: 366,
    /** Maximum number of most recent questions that are compared with each other. */
    groupedQuestions: 1_000,
    /** Maximum number of most recent answers whose citations are counted. */
    countedAnswers: 20_000,
    topQuestions: 20,
    topPages: 20,
    knowledgeGaps: 50,
    examples: 5,
    messageIds: 50,
  },
  knowledgeGaps: {
    note: 2_000,
    /** Maximum number of gaps in a list. */
    listed: 200,
    questions: 200,
    closestPages: 5,
    /** Maximum number of wordings that one request asks again. */
    replayed: 50,
  },
  evaluation: {
    /** Per knowledge base. */
    questions: 500,
    question: 2_000,
    urls: 10,
    /** Kept per knowledge base. */
    runs: 50,
    importCharacters: 1_000_000,
  },
  /** Rows of an exported file: it is made in memory. */
  exports: { rows: 5_000 },
  page: { default: 50, max: 200 },
  pushedDocuments: 100,
  /** Documents whose visibility is changed by one request. */
  changedDocuments: 200,
  /** Text filter of documents. */
  documentText: 200,
  previewPages: { default: 10, max: 50 },
  crawledPages: { default: 10_000, max: 200_000 },
  /** Automated answers in one help-desk chat before a person takes over. */
  turnCap: 5,
  webhooks: {
    /** Timeout of a receiver's response. */
    timeoutSeconds: 10,
    triggersPerBase: 50,
    answerExcerpt: 500,
    /** Retention of the delivery log. */
    logDays: 30,
  },
  mcp: {
    searchResults: { default: 8, max: 20 },
    documents: 10,
    documentCharacters: 20_000,
    feedback: 2_000,
    /** Timeouts of tools. */
    timeoutSeconds: { search: 30, ask: 90, other: 10 },
    /** Calls of tools per person, over all servers of the kind together. */
    perPerson: {
      public: { aMinute: 60, aDay: 500 },
      internal: { aMinute: 60, aDay: 2_000 },
      portal: { aMinute: 60, aDay: 2_000 },
    },
    /** Requests per minute of any kind, including listing tools and `initialize`, which do not count as calls. */
    requestsAMinute: { perPerson: 300, perKey: 1_200 },
  },
  simulationTickets: 2_000,
  /** Tickets that are returned together with their simulation. */
  ticketsWithSimulation: 200,
  ticketText: 20_000,
} as const

/** Maximum size of a request's body in bytes. */
export const BODY_BYTES = {
  json: 1_048_576,
  pushedDocuments: 16 * 1_048_576,
  files: 100 * 1_048_576,
  ticketFile: 32 * 1_048_576,
  simulation: 16 * 1_048_576,
} as const

/** Maximum text of one document: bytes of a text file, characters extracted from a PDF or an office file. */
export const DOCUMENT_TEXT = 20 * 1_048_576

/** Requests per minute, on the public API. */
export const RATE_LIMITS = {
  chatPerKey: 60,
  chatPerAddress: 20,
  searchPerKey: 300,
  relatedPerKey: 300,
  suggestedPerKey: 300,
  feedbackPerKey: 60,
  /** All other requests of a client key: settings of a widget, models, challenges. */
  otherPerKey: 600,
  /** Pages that ask for the key of their widget. Browsers keep the answer for a minute. */
  widgetKeyPerAddress: 600,
} as const

/** The limits of each plan. Null is no limit. */
export const PLANS = {
  free: { knowledgeBases: 1, monthlyQuestions: 500, sourceGroups: false, storageMegabytes: 1_024 },
  pro: { knowledgeBases: 5, monthlyQuestions: 10_000, sourceGroups: false, storageMegabytes: 10_240 },
  enterprise: { knowledgeBases: null, monthlyQuestions: null, sourceGroups: true, storageMegabytes: null },
} as const

export type Plan = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]]
