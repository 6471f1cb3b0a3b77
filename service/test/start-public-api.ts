import { randomBytes } from 'node:crypto'
import { createClientKeys, createFirstClientKey } from '../src/accounts/client-keys/client-keys.ts'
import { createAnswering, type AnsweringDeps } from '../src/answers/answering/answering.ts'
import { createConversations } from '../src/answers/conversations/conversations.ts'
import { createFeedback } from '../src/answers/feedback/feedback.ts'
import { createSuggestedQuestions } from '../src/answers/suggested-questions/suggested-questions.ts'
import { createPublicGate } from '../src/channels/public-api/public-caller.ts'
import { createPublicChatRoutes } from '../src/channels/public-api/public-chat-routes.ts'
import { createPublicFeedbackRoutes } from '../src/channels/public-api/public-feedback-routes.ts'
import {
  DEFAULT_PUBLIC_RATE_LIMITS,
  type PublicRateLimits,
} from '../src/channels/public-api/public-rate-limits.ts'
import { createPublicSearchRoutes } from '../src/channels/public-api/public-search-routes.ts'
import { createPublicSuggestedQuestionsRoutes } from '../src/channels/public-api/public-suggested-questions-routes.ts'
import { createTeamAskRoutes } from '../src/channels/team-api/team-ask-routes.ts'
import type { Caller } from '../src/accounts/permissions/permissions.ts'
import { findKnowledgeBase } from '../src/accounts/knowledge-bases/knowledge-bases-store.ts'
import { createIndexing } from '../src/content/indexing/indexing.ts'
import { createSearch } from '../src/content/search/search.ts'
import { newId, newTicketId } from '../src/kernel/ids.ts'
import { Refusal } from '../src/kernel/refusal.ts'
import { createHttpApp } from '../src/platform/http/http-app.ts'
import { createOpenStreams } from '../src/platform/http/open-streams.ts'
import { createRoutes } from '../src/platform/http/routes.ts'
import { serveHttp } from '../src/platform/http/serve-http.ts'
import { createOpenAiCompatibleModel } from '../src/platform/llm/openai-compatible-model.ts'
import { createRateLimits } from '../src/platform/rate-limits/rate-limits.ts'
import { makeBase, makeSource } from './make-records.ts'
import type { TestStorage } from './test-storage.ts'

export type Frame = Record<string, unknown>

export interface PublicApiGiven {
  /** Of the whole test file: opening one takes seconds, and bases do not see each other. */
  storage: TestStorage
  /** Of a fake language model; without it answers are quotes. */
  modelUrl?: string
  limits?: Partial<PublicRateLimits>
  admit?: AnsweringDeps['admit']
}

/** The public API and the team's questions on a real port, with real rooms. */
export async function startPublicApi(given: PublicApiGiven) {
  const { storage } = given
  const { db } = storage
  const now = () => new Date()
  const faults: unknown[] = []
  const knowledgeBases = { openActive: (_caller: Caller, id: string) => openActiveBase(id) }
  const clientKeys = createClientKeys({
    db,
    newId,
    now,
    knowledgeBases: { open: notUsed, openActive: notUsed },
  })
  const search = createSearch({ db, embedder: undefined })
  const conversations = createConversations({ db, now, newTicketId })
  const stopping = new AbortController()
  const suggestedQuestions = createSuggestedQuestions({ db, search, now, stopping: stopping.signal })
  const answering = createAnswering({
    model:
      given.modelUrl === undefined
        ? undefined
        : createOpenAiCompatibleModel({ baseUrl: given.modelUrl, apiKey: 'test', model: 'fake' }, { fetch }),
    embedder: undefined,
    now: () => performance.now(),
    newFence: () => randomBytes(8).toString('hex'),
    countTokens: (text) => Math.ceil(text.length / 4),
    admit: given.admit ?? (() => Promise.resolve({ giveBack: () => Promise.resolve() })),
    search: (request) => search.findPassages({ ...request, language: 'en' }),
    history: (question) => conversations.history(question),
    storeTurn: (turn) => conversations.storeTurn(turn),
    report: (fault) => faults.push(fault),
  })
  const openStreams = createOpenStreams()
  const app = createHttpApp({
    log: {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (fault: unknown) => faults.push(fault),
    } as never,
    publicUrl: 'http://127.0.0.1',
    openStreams,
    isStopping: () => false,
    routes: createRoutes({
      checksAnswers: true,
      authenticate: {
        'public-key': createPublicGate({
          db,
          clientKeys,
          rateLimits: await createRateLimits({ isOn: true, executeShared: undefined }),
          limits: { ...DEFAULT_PUBLIC_RATE_LIMITS, ...given.limits },
        }),
        'access-token': ({ request }) => Promise.resolve(memberOf(request)),
      },
      routes: [
        ...createPublicChatRoutes({ db, answering, conversations }),
        ...createPublicSearchRoutes({ db, search }),
        ...createPublicSuggestedQuestionsRoutes({ suggestedQuestions }),
        ...createPublicFeedbackRoutes({ feedback: createFeedback({ db, conversations, newId, now }) }),
        ...createTeamAskRoutes({ db, knowledgeBases, answering, conversations, search, suggestedQuestions }),
      ],
    }),
  })
  const server = await serveHttp({
    fetch: (request, bindings) => app.fetch(request, bindings),
    host: '127.0.0.1',
    port: 0,
    openStreams,
  })
  const indexing = createIndexing({ db, engine: storage.engine, embedder: undefined, newId, now })

  async function openActiveBase(id: string) {
    const base = await findKnowledgeBase(db, id)
    if (base === undefined) throw new Refusal('NOT_FOUND')
    if (base.status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
    return base
  }

  /** A base with one source for each group and version, a public key, and pages by title. */
  async function makeAskable(
    pages: {
      title: string
      text: string
      visibility?: 'public' | 'restricted'
      groupId?: string
      version?: string
    }[],
    fields: Parameters<typeof makeBase>[1] = {},
  ) {
    const base = await makeBase(db, fields)
    const key = await createFirstClientKey(db, { id: base.id, name: 'Acme docs' }, newId, now())
    const sources = new Map<string, string>()
    for (const { title, text, visibility = 'public', groupId = null, version = null } of pages) {
      const of = { source_group_id: groupId, version_label: version }
      const sourceId = sources.get(JSON.stringify(of)) ?? (await makeSource(db, base.id, of))
      sources.set(JSON.stringify(of), sourceId)
      await indexing.indexDocument(
        {
          knowledgeBaseId: base.id,
          sourceId,
          externalId: title,
          url: `https://docs.example.com/${encodeURIComponent(title)}`,
          document: { title, language: 'en', blocks: [{ kind: 'paragraph', markdown: text }] },
          language: 'en',
          visibility,
          sourceModifiedAt: undefined,
        },
        new AbortController().signal,
        async () => {},
      )
    }
    return { ...base, key: key.public_key ?? '', keyId: key.id }
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
    faults,
    makeAskable,
    send,
    [Symbol.asyncDispose]: async () => {
      stopping.abort(new Error('The test is over.'))
      await server.stop(0)
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
