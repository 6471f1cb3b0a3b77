import { createAnswer, type Answer } from './answer.ts'
import type { AnswerDone, DeflectionDone } from './answer-frames.ts'
import { CitewellError } from './citewell-error.ts'
import type {
  AskOptions,
  CaptchaAction,
  ClientOptions,
  DeflectForm,
  RequestOptions,
  SearchOptions,
} from './client-options.ts'
import { unlessAborted } from './deadline.ts'
import { createHttp, isPage, segment } from './http.ts'
import type { Feedback, RelatedArticles, SavedWidgetConfig, SearchResults, WidgetConfig } from './records.ts'
import { fromWire, toWire } from './wire-names.ts'

export { CitewellError }
export type { ErrorCode, ErrorDetail } from './citewell-error.ts'
export type { Answer } from './answer.ts'
export type { AnswerDelta, AnswerDone, AnswerFrame, AnswerStart, DeflectionDone } from './answer-frames.ts'
export type {
  AnswerTransport,
  AskOptions,
  AskRequest,
  CaptchaAction,
  ClientOptions,
  DeflectForm,
  RequestOptions,
  SearchOptions,
} from './client-options.ts'
export type {
  Citation,
  Feedback,
  RelatedArticle,
  RelatedArticles,
  SavedWidgetConfig,
  SearchResult,
  SearchResults,
  User,
  WidgetConfig,
} from './records.ts'

/** A conversation: each question continues it. */
export interface Thread {
  /** For continuing it later. Undefined before the first answer, and under zero data retention. */
  readonly id: string | undefined
  /** Asks the next question. */
  ask(question: string, options?: Omit<AskOptions, 'threadId'>): Answer
}

/** The headers that identify the caller. */
function credentialsOf(options: ClientOptions): Record<string, string> {
  const { clientKey, clientId, clientSecret } = options
  if (clientSecret === undefined || clientId === undefined) {
    if (clientKey === undefined) throw new TypeError('Give a clientKey, or a clientId with its clientSecret.')
    return { 'x-client-key': clientKey }
  }
  if (isPage() && options.dangerouslyAllowBrowser !== true)
    throw new TypeError('In a page, a client secret is no secret. Use a public clientKey.')
  return { 'x-client-id': clientId, 'x-client-secret': clientSecret }
}

/**
 * A client of one knowledge base.
 *
 * @throws TypeError if the key is missing, or if a client secret is given in a page
 * @example
 * const client = createClient({ endpoint: 'https://answers.example.com', knowledgeBaseId: '0197…', clientKey: 'cw_pk_…' })
 * const { text, citations } = await client.ask('How do I rotate a key?').final()
 */
export function createClient(options: ClientOptions) {
  const http = createHttp(options, credentialsOf(options))
  const { captcha, transport, widgetId, user } = options
  const takesCaptcha = captcha !== undefined && options.clientSecret === undefined
  const inBase = (rest: string) =>
    `/api/v1/public/knowledge-bases/${segment(options.knowledgeBaseId)}/${rest}`

  async function tokenFor(
    action: CaptchaAction,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    if (!takesCaptcha || signal?.aborted === true) return undefined
    try {
      // A challenge may keep a reader for minutes: whoever gives up does not wait for it.
      return await unlessAborted(captcha(action, signal), signal)
    } catch (cause) {
      if (cause instanceof CitewellError) throw cause
      throw new CitewellError('The check could not be made. Please try again.', {
        code: 'CAPTCHA_FAILED',
        retryable: true,
        cause,
      })
    }
  }

  const captchaHeader = (token: string | undefined): Record<string, string> =>
    token === undefined ? {} : { 'x-captcha-token': token }

  const get = <Answer>(path: string, signal: AbortSignal | undefined) =>
    http.json({ method: 'GET', path, signal }).then(fromWire) as Promise<Answer>
  const post = <Answer>(
    path: string,
    body: object,
    signal: AbortSignal | undefined,
    action?: CaptchaAction,
  ) =>
    http
      .json({ method: 'POST', path, body: toWire(body), signal }, async () =>
        captchaHeader(action && (await tokenFor(action, signal))),
      )
      .then(fromWire) as Promise<Answer>

  const ask = (question: string, asked: AskOptions = {}, onDone?: (done: AnswerDone) => void): Answer => {
    const { signal, ...fields } = asked
    const body = toWire({ query: question, user, widgetId, ...fields })
    return createAnswer(
      async (signal) => {
        const captchaToken = await tokenFor('chat', signal)
        return transport === undefined
          ? http.frames({
              method: 'POST',
              path: inBase('chat'),
              body,
              headers: captchaHeader(captchaToken),
              signal,
            })
          : transport({ body, captchaToken, signal })
      },
      { retries: http.retries, signal, onDone },
    )
  }

  return {
    /**
     * Asks a question. Nothing is sent before the answer is read.
     *
     * @param question - 1 to 4,000 characters
     */
    ask: (question: string, options?: AskOptions): Answer => ask(question, options),

    /**
     * A conversation, whose questions are understood from the earlier ones.
     *
     * @param id - that of an earlier one
     */
    thread: (id?: string): Thread => {
      let threadId = id
      return {
        get id() {
          return threadId
        },
        ask: (question, options) =>
          ask(question, { ...options, threadId }, (done) => {
            threadId = done.threadId
          }),
      }
    },

    /**
     * Searches the pages, without writing an answer.
     *
     * @param query - 1 to 1,000 characters
     * @throws CitewellError
     */
    search: async (query: string, { signal, ...fields }: SearchOptions = {}): Promise<SearchResults> =>
      await post(inBase('search'), { query, ...fields }, signal, 'search'),

    /**
     * Up to five pages about a text, such as the title of the current page.
     *
     * @throws CitewellError
     */
    related: async (query: string, { signal }: RequestOptions = {}): Promise<RelatedArticles> =>
      await post(inBase('related'), { query }, signal),

    /**
     * Questions to suggest to a reader; often none.
     *
     * @throws CitewellError
     */
    suggested: async ({ signal }: RequestOptions = {}): Promise<string[]> =>
      (await get<{ questions: string[] }>(inBase('suggested-questions'), signal)).questions,

    /**
     * What a widget of this knowledge base needs to know before it is shown.
     *
     * @throws CitewellError
     */
    config: async ({ signal }: RequestOptions = {}): Promise<WidgetConfig> =>
      await get(inBase('widget-config'), signal),

    /**
     * The same with the saved settings of a widget. It does not need `knowledgeBaseId`: that of the widget is in the answer.
     *
     * @throws CitewellError, among others `WIDGET_DISABLED` and `ORIGIN_NOT_ALLOWED`
     */
    savedConfig: async (
      id: string | undefined = widgetId,
      { signal }: RequestOptions = {},
    ): Promise<SavedWidgetConfig> =>
      await get(`/api/v1/public/widget-integrations/${segment(id ?? '')}/config`, signal),

    /**
     * Rates an answer. Rating it again replaces the rating.
     *
     * @param messageId - that of the last frame
     * @param comment - at most 2,000 characters
     * @throws CitewellError
     */
    rate: async (
      messageId: string,
      rating: 'up' | 'down',
      comment?: string,
      { signal }: RequestOptions = {},
    ): Promise<Feedback> =>
      await post('/api/v1/public/feedback', { messageId, rating, comment }, signal, 'feedback'),

    /**
     * Withdraws the rating of an answer.
     *
     * @throws CitewellError
     */
    withdraw: async (messageId: string, { signal }: RequestOptions = {}): Promise<void> => {
      await http.json({ method: 'DELETE', path: `/api/v1/public/feedback/${segment(messageId)}`, signal })
    },

    /**
     * Answers a support form before it is sent. Show nothing of it before the last frame says `answered`.
     *
     * @throws CitewellError when it is read
     */
    deflect: (form: DeflectForm, { signal }: RequestOptions = {}): Answer<DeflectionDone> =>
      createAnswer<DeflectionDone>(
        async (signal) =>
          http.frames({
            method: 'POST',
            path: inBase('form-deflect'),
            body: toWire({ user, ...form }),
            headers: captchaHeader(await tokenFor('form_deflect', signal)),
            signal,
          }),
        { retries: http.retries, signal },
      ),

    /**
     * Reports how a support form ended: `deflected` if the answer was enough, `submitted` if it was sent nevertheless.
     *
     * @throws CitewellError
     */
    tellOutcome: async (
      conversationId: string,
      outcome: 'deflected' | 'submitted',
      { signal }: RequestOptions = {},
    ): Promise<void> =>
      await post(inBase(`form-deflect/${segment(conversationId)}/outcome`), { outcome }, signal),
  }
}

/** What {@link createClient} returns. */
export type Client = ReturnType<typeof createClient>
