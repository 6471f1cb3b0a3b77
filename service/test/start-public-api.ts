import type { CaptchaSettings } from '../src/channels/captcha/captcha.ts'
import type { ChatSocketDeps } from '../src/channels/public-api/chat-socket.ts'
import {
  DEFAULT_PUBLIC_RATE_LIMITS,
  type PublicRateLimits,
} from '../src/channels/public-api/public-rate-limits.ts'
import type { SocketTimes } from '../src/platform/http/socket.ts'
import {
  createOpenAiCompatibleModel,
  type OpenAiCompatibleDeps,
} from '../src/platform/llm/openai-compatible-model.ts'
import { joinTestWorkspace } from './join-workspace.ts'
import { createAskables } from './make-askable.ts'
import { openComposed, SIGN_IN_PROVIDER } from './open-composed.ts'
import type { TestStorage } from './test-storage.ts'

export type Frame = Record<string, unknown>

export interface PublicApiGiven {
  /** Shared by the whole test file: opening one takes seconds, and bases do not affect each other. */
  storage: TestStorage
  /** Address of a fake language model; without it answers are quotes. */
  modelUrl?: string
  /** The service's timeouts for that model. */
  model?: Partial<OpenAiCompatibleDeps>
  limits?: Partial<PublicRateLimits>
  captcha?: CaptchaSettings
  offersMcpSignIn?: boolean
  now?: () => Date
  socket?: Pick<ChatSocketDeps, 'seconds'>
  socketTimes?: SocketTimes
}

/** The service on a real port, for readers and the team, without an embedding model and without its jobs. */
export async function startPublicApi(given: PublicApiGiven) {
  const { storage } = given
  const { db } = storage
  const now = given.now ?? (() => new Date())
  const faults: unknown[] = []
  const keepFault = (fields: { err?: unknown }) => void faults.push(fields.err ?? fields)
  const log = { debug: () => {}, info: () => {}, warn: keepFault, error: keepFault } as never
  const { service, close } = await openComposed({
    storage,
    log,
    settings: {
      publicRateLimits: { ...DEFAULT_PUBLIC_RATE_LIMITS, ...given.limits },
      captcha: given.captcha,
      signInProviders: given.offersMcpSignIn === true ? [SIGN_IN_PROVIDER] : [],
      ...(given.modelUrl !== undefined && {
        languageModel: { baseUrl: given.modelUrl, apiKey: 'test', model: 'fake' },
      }),
    },
    surroundings: {
      now,
      createModel: (settings, deps) => createOpenAiCompatibleModel(settings, { ...deps, ...given.model }),
      chatSocketSeconds: given.socket?.seconds,
      socketTimes: given.socketTimes,
    },
  })
  const { rooms, openStreams } = service
  const server = await service.listen()
  const { makeAskable, addPages, makePair } = createAskables(storage, rooms, now)

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

  /** The headers of a member of the base's workspace, who may read and ask. */
  async function joinTeam({ workspaceId }: { workspaceId: string }) {
    const { token } = await joinTestWorkspace(db, now, { workspaceId, role: 'member', scopes: ['read'] })
    return { authorization: `Bearer ${token}` }
  }

  return {
    address: server.address,
    stop: (drainMs: number) => server.stop(drainMs),
    faults,
    openStreams,
    clientKeys: rooms.clientKeys,
    allowance: rooms.allowance,
    makeAskable,
    addPages,
    makePair,
    joinTeam,
    send,
    [Symbol.asyncDispose]: async () => {
      await server.stop(0)
      await close()
    },
  }
}

/** The frames of a whole stream; checks that each is one `data:` line. */
export async function framesOf(response: Response): Promise<Frame[]> {
  const events = (await response.text()).split('\n\n')
  if (events.pop() !== '') throw new Error('The stream does not end with a blank line.')
  return events.map((event) => {
    if (!event.startsWith('data: ') || event.includes('\n')) throw new Error(`not one data line: ${event}`)
    return JSON.parse(event.slice('data: '.length)) as Frame
  })
}
