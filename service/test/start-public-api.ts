import { randomBytes } from 'node:crypto'
import { createAllowance } from '../src/accounts/allowance/allowance.ts'
import { createClientKeys } from '../src/accounts/client-keys/client-keys.ts'
import { createAnswering, type AnsweringDeps } from '../src/answers/answering/answering.ts'
import { createConversations } from '../src/answers/conversations/conversations.ts'
import { createFeedback } from '../src/answers/feedback/feedback.ts'
import {
  createAskedSearch,
  createQuestionSettings,
  maskQuestion,
} from '../src/answers/question-settings/question-settings.ts'
import { createOpenAnswers } from '../src/answers/open-answers/open-answers.ts'
import { createSuggestedQuestions } from '../src/answers/suggested-questions/suggested-questions.ts'
import { captchaRoutes } from '../src/channels/captcha/captcha-routes.ts'
import { createCaptcha, type CaptchaSettings } from '../src/channels/captcha/captcha.ts'
import { createMcpServers } from '../src/channels/mcp-servers/mcp-servers.ts'
import { createWidgetConfigRoutes } from '../src/channels/widgets/widget-config-routes.ts'
import { createDeflections } from '../src/channels/form-deflectors/deflections.ts'
import { createFormDeflectRoutes } from '../src/channels/form-deflectors/form-deflect-routes.ts'
import { createChatSocket, type ChatSocketDeps } from '../src/channels/public-api/chat-socket.ts'
import { createOpenAiRoutes } from '../src/channels/public-api/openai-routes.ts'
import { createPublicGate } from '../src/channels/public-api/public-caller.ts'
import { createPublicChatRoutes } from '../src/channels/public-api/public-chat-routes.ts'
import { createPublicFeedbackRoutes } from '../src/channels/public-api/public-feedback-routes.ts'
import {
  DEFAULT_PUBLIC_RATE_LIMITS,
  type PublicRateLimits,
} from '../src/channels/public-api/public-rate-limits.ts'
import { createPublicQuestions } from '../src/channels/public-api/public-question.ts'
import { createPublicSearchRoutes } from '../src/channels/public-api/public-search-routes.ts'
import { createPublicSuggestedQuestionsRoutes } from '../src/channels/public-api/public-suggested-questions-routes.ts'
import { createTeamAskRoutes } from '../src/channels/team-api/team-ask-routes.ts'
import type { Caller } from '../src/accounts/permissions/permissions.ts'
import { findKnowledgeBase } from '../src/accounts/knowledge-bases/knowledge-bases-store.ts'
import { createSearch } from '../src/content/search/search.ts'
import { newId, newTicketId } from '../src/kernel/ids.ts'
import { Refusal } from '../src/kernel/refusal.ts'
import { createHttpApp } from '../src/platform/http/http-app.ts'
import { createOpenStreams } from '../src/platform/http/open-streams.ts'
import { createRoutes } from '../src/platform/http/routes.ts'
import { createSockets } from '../src/platform/http/sockets.ts'
import type { SocketTimes } from '../src/platform/http/socket.ts'
import type { EventName } from '../src/platform/events/events.ts'
import { serveHttp } from '../src/platform/http/serve-http.ts'
import {
  createOpenAiCompatibleModel,
  type OpenAiCompatibleDeps,
} from '../src/platform/llm/openai-compatible-model.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import { createRateLimits } from '../src/platform/rate-limits/rate-limits.ts'
import { createAskables } from './make-askable.ts'
import type { TestStorage } from './test-storage.ts'
import { testAddresses } from './test-addresses.ts'

export type Frame = Record<string, unknown>

export interface PublicApiGiven {
  /** Of the whole test file: opening one takes seconds, and bases do not see each other. */
  storage: TestStorage
  /** Of a fake language model; without it answers are quotes. */
  modelUrl?: string
  /** How patient the service is with that model. */
  model?: Partial<OpenAiCompatibleDeps>
  limits?: Partial<PublicRateLimits>
  captcha?: CaptchaSettings
  offersMcpSignIn?: boolean
  now?: () => Date
  admit?: AnsweringDeps['admit']
  socket?: Pick<ChatSocketDeps, 'seconds'>
  socketTimes?: SocketTimes
}

/** The public API and the team's questions on a real port, with real rooms. */
export async function startPublicApi(given: PublicApiGiven) {
  const { storage } = given
  const { db } = storage
  const now = given.now ?? (() => new Date())
  const faults: unknown[] = []
  const knowledgeBases = { openActive: (_caller: Caller, id: string) => openActiveBase(id) }
  const clientKeys = createClientKeys({
    db,
    newId,
    now,
    knowledgeBases: { open: notUsed, openActive: notUsed },
  })
  const outbound = createOutbound({ allowPrivateNetwork: true })
  const captcha = createCaptcha({
    db,
    now,
    outbound,
    settings: given.captcha,
    masterKey: 'master',
    report: (fault) => faults.push(fault),
  })
  const search = createSearch({ db, embedder: undefined, addressOf: testAddresses.addressOf })
  const conversations = createConversations({ db, now, newTicketId })
  const stopping = new AbortController()
  const suggestedQuestions = createSuggestedQuestions({ db, search, now, stopping: stopping.signal })
  const model =
    given.modelUrl === undefined
      ? undefined
      : createOpenAiCompatibleModel(
          { baseUrl: given.modelUrl, apiKey: 'test', model: 'fake' },
          { fetch, ...given.model },
        )
  const allowance = createAllowance({ db })
  const questionSettings = createQuestionSettings({ db })
  const askedSearch = createAskedSearch({ search, settings: questionSettings })
  const answering = createAnswering({
    prepare: async (question) => {
      const { masking, keepsNothing } = await questionSettings.of(question.knowledgeBaseId)
      return {
        question: maskQuestion(question, masking, (name) => `masked-${name.length}`),
        masking,
        keepsNothing,
        model,
      }
    },
    embedder: undefined,
    now: () => performance.now(),
    newFence: () => randomBytes(8).toString('hex'),
    customAnswersAmong: () => Promise.resolve(new Map()),
    openAnswers: createOpenAnswers({
      db,
      events: { listen: () => {} },
      report: (fault) => faults.push(fault),
    }),
    countTokens: (text) => Math.ceil(text.length / 4),
    admit: given.admit ?? ((question) => allowance.reserve(question.knowledgeBaseId)),
    search: (request) => search.findPassages({ ...request, language: 'en' }),
    history: (question) => conversations.history(question),
    storeTurn: (turn) => conversations.storeTurn(turn),
    report: (fault) => faults.push(fault),
  })
  const questions = createPublicQuestions({ db, conversations })
  const announced: { name: EventName; payload: unknown }[] = []
  const events = {
    announce: (name: EventName, payload: unknown) => void announced.push({ name, payload }),
  }
  const ofLimits = {
    rateLimits: await createRateLimits({ isOn: true, executeShared: undefined }),
    limits: { ...DEFAULT_PUBLIC_RATE_LIMITS, ...given.limits },
    trustedProxies: 'near' as const,
  }
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fault: unknown) => faults.push(fault),
  } as never
  const openStreams = createOpenStreams()
  const app = createHttpApp({
    log,
    publicUrl: 'http://127.0.0.1',
    openStreams,
    isStopping: () => false,
    routes: createRoutes({
      validatesResponses: true,
      authenticate: {
        'public-key': createPublicGate({
          db,
          clientKeys,
          captcha,
          ...ofLimits,
        }),
        'access-token': ({ request }) => Promise.resolve(memberOf(request)),
      },
      routes: [
        ...createPublicChatRoutes({ questions, answering }),
        ...createOpenAiRoutes({
          questions,
          answering,
          countTokens: (text) => Math.ceil(text.length / 4),
          now,
        }),
        ...createFormDeflectRoutes({
          deflections: createDeflections({ db, questions, answering, events, now }),
        }),
        ...captchaRoutes(captcha),
        ...createWidgetConfigRoutes({
          db,
          captcha,
          mcpServers: createMcpServers({
            db,
            newId,
            now,
            knowledgeBases: { open: notUsed, openActive: notUsed },
          }),
          offersMcpSignIn: given.offersMcpSignIn ?? false,
          publicUrl: () => 'https://answers.example.com',
        }),
        ...createPublicSearchRoutes({ db, search: askedSearch }),
        ...createPublicSuggestedQuestionsRoutes({ suggestedQuestions }),
        ...createPublicFeedbackRoutes({
          feedback: createFeedback({ db, conversations, mask: questionSettings.mask, newId, now }),
        }),
        ...createTeamAskRoutes({
          db,
          knowledgeBases,
          answering,
          conversations,
          search: askedSearch,
          suggestedQuestions,
        }),
      ],
    }),
  })
  const sockets = createSockets({
    routes: [
      createChatSocket({
        db,
        clientKeys,
        questions,
        answering,
        captcha,
        report: (fault) => faults.push(fault),
        ...ofLimits,
        ...given.socket,
      }),
    ],
    log,
    openStreams,
    isStopping: () => false,
    ...(given.socketTimes !== undefined && { times: given.socketTimes }),
  })
  const server = await serveHttp({
    fetch: (request, bindings) => app.fetch(request, bindings),
    host: '127.0.0.1',
    port: 0,
    openStreams,
    sockets,
  })
  const { makeAskable, addPages, makePair } = createAskables(storage, now)

  async function openActiveBase(id: string) {
    const base = await findKnowledgeBase(db, id)
    if (base === undefined) throw new Refusal('NOT_FOUND')
    if (base.status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
    return base
  }

  async function send(
    path: string,
    given: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
  ) {
    return await fetch(`${server.address}/api/v1${path}`, {
      method: given.method ?? (given.body === undefined ? 'GET' : 'POST'),
      headers: { ...(given.body !== undefined && { 'content-type': 'application/json' }), ...given.headers },
      ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
    })
  }

  return {
    address: server.address,
    stop: (drainMs: number) => server.stop(drainMs),
    faults,
    announced,
    openStreams,
    clientKeys,
    makeAskable,
    addPages,
    makePair,
    send,
    [Symbol.asyncDispose]: async () => {
      stopping.abort(new Error('The test is over.'))
      await server.stop(0)
      await outbound.close()
    },
  }
}

const notUsed = () => Promise.reject(new Error('not used'))

/** The header `X-Test-User` stands for an access token: what those are is another room's business. */
function memberOf(request: Request): Caller {
  const userId = request.headers.get('x-test-user')
  if (userId === null) throw new Refusal('UNAUTHENTICATED')
  return { userId, tokenId: newId(), scopes: ['read'], workspaces: [] }
}

/** The frames of a whole stream, each checked to be one `data:` line. */
export async function framesOf(response: Response): Promise<Frame[]> {
  const events = (await response.text()).split('\n\n')
  if (events.pop() !== '') throw new Error('The stream does not end with a blank line.')
  return events.map((event) => {
    if (!event.startsWith('data: ') || event.includes('\n')) throw new Error(`not one data line: ${event}`)
    return JSON.parse(event.slice('data: '.length)) as Frame
  })
}
