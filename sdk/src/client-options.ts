import type { HttpOptions, WireFrame } from './http.ts'
import type { User } from './records.ts'

/** What a CAPTCHA token is for: a token for one action is refused for the others. */
export type CaptchaAction = 'chat' | 'search' | 'feedback' | 'form_deflect'

/** A question on its way to the service. */
export interface AskRequest {
  /** The chat body, in the names of the wire. */
  body: Readonly<Record<string, unknown>>
  /** A fresh CAPTCHA token. */
  captchaToken: string | undefined
  signal: AbortSignal
}

/** Carries questions in place of HTTP: `createSocket` of `@citewell/sdk/socket`. */
export type AnswerTransport = (request: AskRequest) => AsyncGenerator<WireFrame, void, void>

/** What {@link createClient} takes. */
export interface ClientOptions extends HttpOptions {
  knowledgeBaseId: string
  /** The public key, for pages. */
  clientKey?: string | undefined
  /** The secret pair, for servers. */
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** The saved widget whose voice answers; sent with questions only. */
  widgetId?: string | undefined
  /** Who asks, for analytics. */
  user?: User | undefined
  /**
   * Returns a fresh token; called for each request that may need one. Only with a public key. Nobody waits for it any more once the signal
   * is aborted.
   */
  captcha?: ((action: CaptchaAction, signal?: AbortSignal) => Promise<string>) | undefined
  /** Carries questions in place of HTTP. */
  transport?: AnswerTransport | undefined
  /** Allows a client secret in a page, where everyone can read it. For tools that run on the owner's own machine. */
  dangerouslyAllowBrowser?: boolean | undefined
}

/** Options of one question. */
export interface AskOptions {
  /** Continues a conversation. An id that the service does not know begins a new one. */
  threadId?: string | undefined
  /** Answers only from these source groups. */
  groupIds?: readonly string[] | undefined
  /** How many passages to retrieve: 15 by default, at most 100. */
  topK?: number | undefined
  /** In place of the client's own. */
  widgetId?: string | undefined
  /** In place of the client's own. */
  user?: User | undefined
  signal?: AbortSignal | undefined
}

/** Options of any other request. */
export interface RequestOptions {
  signal?: AbortSignal | undefined
}

/** Options of a search. */
export interface SearchOptions extends RequestOptions {
  /** How many pages: 10 by default, at most 50. */
  limit?: number | undefined
  /** Searches only these source groups. */
  groupIds?: readonly string[] | undefined
}

/** The text of a support form. */
export interface DeflectForm {
  subject?: string | undefined
  /** Its first 4,000 characters are the question. */
  body: string
  /** The form deflector whose settings apply. */
  formId?: string | undefined
  groupIds?: readonly string[] | undefined
  /** In place of the client's own. */
  user?: User | undefined
}
