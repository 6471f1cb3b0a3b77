/** A passage that an answer is based on. */
export interface Citation {
  /** `[n]` in the text refers to the citation with index n. */
  index: number
  title: string
  /** Opens the page at the section, and in current browsers at the words. */
  url: string
  documentId: string
  chunkId: string
  /** The headings above the passage, from the outermost. */
  headingPath: string[]
  excerpt: string
}

/** A page that was found, with its best passage. */
export interface SearchResult {
  documentId: string
  chunkId: string
  title: string
  url: string
  headingPath: string[]
  snippet: string
  /** 0 to 1, relative to the other results. */
  score: number
  versionLabel: string | null
}

/** The best pages, best first. */
export interface SearchResults {
  results: SearchResult[]
  count: number
  poweredBy: string
  poweredByUrl: string
}

/** A page related to a text. */
export interface RelatedArticle {
  url: string
  title: string
  /** At most 200 characters. */
  snippet: string
}

/** Up to five pages, one entry each, best match first. */
export interface RelatedArticles {
  articles: RelatedArticle[]
  count: number
  poweredBy: string
  poweredByUrl: string
}

/** The rating of one answer. */
export interface Feedback {
  id: string
  workspaceId: string
  messageId: string
  vote: 'up' | 'down'
  comment: string | null
  /** Where the answer was given, such as `api` or `widget`. */
  source: string
  /** ISO 8601, as all times. */
  createdAt: string
  updatedAt: string
}

/** What a widget needs to know before it is shown. */
export interface WidgetConfig {
  knowledgeBaseId: string
  knowledgeBaseName: string
  /** Whether this key must send a CAPTCHA token with questions, searches, ratings and forms. */
  captchaRequired: boolean
  /** For `altcha`, the path of its challenges. Empty if CAPTCHA is off. */
  captchaSiteKey: string
  captchaProvider?: 'recaptcha' | 'hcaptcha' | 'turnstile' | 'altcha' | undefined
  hideBrandingAllowed: boolean
  /** Whether readers may connect AI tools. */
  mcpAvailable: boolean
  /** Where AI tools connect. */
  mcpUrl?: string | undefined
  /** True if readers sign in there instead of using a key. */
  mcpOauth?: true | undefined
}

/** What a saved widget needs to know before it is shown. */
export interface SavedWidgetConfig extends WidgetConfig {
  id: string
  enabled: boolean
  /** Its saved settings, in the owner's words. */
  config: Record<string, unknown>
}

/** Who asks, for analytics; `id` is used when both are given. */
export interface User {
  id?: string | undefined
  email?: string | undefined
}
