import { ChatBody } from '@citewell/contract/chat'
import { SOCKET_CLOSES, SOCKET_LIMITS } from '@citewell/contract/closed-lists'
import { SocketEnvelope } from '@citewell/contract/chat-socket'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { REFUSALS, type RefusalCode } from '@citewell/contract/refusals'
import type { ClientCredentials, ClientKeys } from '../../accounts/client-keys/client-keys.ts'
import type { Answering } from '../../answers/answering/answering.ts'
import { newId } from '../../kernel/ids.ts'
import { parseJson } from '../../kernel/json.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { errorBody } from '../../platform/http/render-refusal.ts'
import { parseRequestPart } from '../../platform/http/parse-request-part.ts'
import type { Socket, SocketHandler } from '../../platform/http/socket.ts'
import type { SocketFacts, SocketRoute } from '../../platform/http/sockets.ts'
import type { Captcha } from '../captcha/captcha.ts'
import { failureFrame } from './chat-frames.ts'
import { openChatStream } from './chat-stream.ts'
import { credentialsOf } from './client-credentials.ts'
import { openAskedBase, requireOriginOfKey } from './open-asked-base.ts'
import type { PublicCaller } from './public-caller.ts'
import type { PublicQuestions } from './public-question.ts'
import { readerAddress } from './reader-address.ts'
import { takePublicLimits, type PublicLimitsDeps } from './take-public-limits.ts'

type Chat = Extract<SocketEnvelope, { type: 'chat' }>

export interface ChatSocketDeps extends PublicLimitsDeps {
  clientKeys: Pick<ClientKeys, 'authenticateClient'>
  questions: Pick<PublicQuestions, 'chatQuestion'>
  answering: Pick<Answering, 'answerQuestion'>
  captcha: Pick<Captcha, 'check'>
  /** Reports an error to the operator. */
  report: (fault: unknown, doing: string) => void
  /** For tests: timeouts other than those of the contract. */
  seconds?: { auth: number; idle: number }
}

/** Each frame has a type; the rest is the same as in the event stream. */
function typeOf(frame: Record<string, unknown>): 'start' | 'delta' | 'done' | 'error' {
  if ('error' in frame) return 'error'
  if ('delta' in frame) return 'delta'
  return frame['done'] === true ? 'done' : 'start'
}

const CLOSE_CODES: Partial<Record<RefusalCode, number>> = {
  UNAUTHENTICATED: SOCKET_CLOSES.unauthenticated,
  NOT_FOUND: SOCKET_CLOSES.notFound,
  RATE_LIMITED: SOCKET_CLOSES.tooMany,
}

/** A refusal as a frame. A socket has no headers: what would be `Retry-After` is in it. */
const refusalFrame = (refusal: Refusal, requestId: string) => ({
  ...errorBody(refusal, requestId),
  ...(refusal.retryAfterSeconds !== undefined && {
    retry_after: Math.max(1, Math.ceil(refusal.retryAfterSeconds)),
  }),
})

/** The close code of a refusal; `undefined` for one that leaves the socket open. */
const closeCodeOf = ({ code }: Refusal): number | undefined =>
  CLOSE_CODES[code] ?? (REFUSALS[code].status === 403 ? SOCKET_CLOSES.forbidden : undefined)

/**
 * Chat over a WebSocket: the same questions, checks and frames as the event stream, several concurrently. Each question authenticates its
 * key again, so that a revoked key stops working on open sockets too.
 */
export function createChatSocket(deps: ChatSocketDeps): SocketRoute {
  return {
    endpoint: ENDPOINTS.openChatSocket,
    maxMessageBytes: SOCKET_LIMITS.messageBytes,
    open: (socket, facts) => openChatSocket(deps, socket, facts),
  }
}

function openChatSocket(deps: ChatSocketDeps, socket: Socket, facts: SocketFacts): SocketHandler {
  const { clientKeys, questions, answering } = deps
  const seconds = deps.seconds ?? { auth: SOCKET_LIMITS.authSeconds, idle: SOCKET_LIMITS.idleSeconds }
  const address = readerAddress(facts.clientAddress, facts.forwardedFor, deps.trustedProxies)
  const inFlight = new Map<string, { cancelling: AbortController; requestId: string }>()
  let credentials: ClientCredentials | undefined
  /** Of the first question beyond the limit: none is accepted any more. */
  let overLimit: Refusal | undefined

  const closeAsIdle = () => socket.close(SOCKET_CLOSES.idle, 'No message arrived within the time limit.')
  let timer = setTimeout(closeAsIdle, seconds.auth * 1_000)
  socket.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })

  function waitForNext(): void {
    clearTimeout(timer)
    if (inFlight.size === 0 && !socket.signal.aborted) timer = setTimeout(closeAsIdle, seconds.idle * 1_000)
  }

  async function openCaller(presented: ClientCredentials): Promise<PublicCaller> {
    const clientKey = await clientKeys.authenticateClient(presented)
    requireOriginOfKey(clientKey, facts.origin)
    const base = openAskedBase(clientKey, facts.params['knowledgeBaseId'])
    return { base, clientKey, origin: facts.origin, acceptLanguage: facts.acceptLanguage }
  }

  /** Sends a refusal to the reader; a refusal that concerns more than one question closes the socket. */
  async function refuse(refusal: Refusal, about: { id?: string; requestId: string; closes: boolean }) {
    const { id, requestId, closes } = about
    await socket.send({ type: 'error', ...(id !== undefined && { id }), ...refusalFrame(refusal, requestId) })
    const code = closes ? closeCodeOf(refusal) : undefined
    if (code !== undefined) socket.close(code, refusal.code)
  }

  async function authenticate(message: SocketEnvelope): Promise<void> {
    if (message.type !== 'auth') return socket.close(SOCKET_CLOSES.unauthenticated, 'Send auth first.')
    try {
      const presented = credentialsOf({
        key: message.client_key,
        clientId: message.client_id,
        clientSecret: message.client_secret,
      })
      await openCaller(presented)
      credentials = presented
      await socket.send({ type: 'ready' })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await refuse(error, { requestId: facts.requestId, closes: true })
    }
  }

  /** Checks a question and starts its answer; returns when the answer is in flight. */
  async function ask(message: Chat, presented: ClientCredentials): Promise<void> {
    const { id } = message
    const requestId = newId()
    if (inFlight.has(id)) {
      // Without the id: an error frame with it would end the answer that is under way.
      const details = [{ path: 'id', message: 'is that of a question that is still being answered' }]
      return await refuse(new Refusal('BAD_REQUEST', { details }), { requestId, closes: false })
    }
    let closes = true
    try {
      if (overLimit !== undefined) throw overLimit
      const caller = await openCaller(presented)
      closes = false
      const { clientKey } = caller
      const counted = { clientKeyId: clientKey.clientKeyId, address }
      const { refusal } = await takePublicLimits(deps, 'chat', counted)
      if (refusal !== undefined) {
        overLimit = refusal
        closes = inFlight.size === 0
        throw refusal
      }
      const body = parseRequestPart(ChatBody, message)
      if (inFlight.size >= SOCKET_LIMITS.questionsAtOnce)
        throw new Refusal('RATE_LIMITED', {
          because: 'Too many questions at the same time on this connection.',
        })
      const token = message.captcha_token ?? undefined
      await deps.captcha.check({ clientKey, token, action: 'chat', address, signal: socket.signal })
      const question = await questions.chatQuestion(caller, body)
      const cancelling = new AbortController()
      inFlight.set(id, { cancelling, requestId })
      clearTimeout(timer)
      const signal = AbortSignal.any([socket.signal, cancelling.signal])
      void answer(id, requestId, answering.answerQuestion(question, signal))
    } catch (error) {
      if (socket.signal.aborted) return
      if (error instanceof Refusal) {
        await refuse(error, {
          id,
          requestId,
          closes: closes && !(overLimit !== undefined && inFlight.size > 0),
        })
      } else {
        deps.report(error, 'accepting a question over a socket')
        await socket.send({ type: 'error', id, ...failureFrame('internal', requestId) })
      }
    }
  }

  async function answer(id: string, requestId: string, events: ReturnType<Answering['answerQuestion']>) {
    const current = inFlight.get(id)
    const sendFrame = async (frame: Record<string, unknown>) => {
      if (inFlight.get(id) !== current) return
      const type = typeOf(frame)
      // A client may use the id again as soon as it has the last frame.
      if (type === 'done' || type === 'error') inFlight.delete(id)
      await socket.send({ type, id, ...frame })
    }
    try {
      const { frames } = await openChatStream(events, { requestId, accept: null })
      for await (const frame of frames) await sendFrame(frame)
    } catch (error) {
      if (!(error instanceof Refusal)) deps.report(error, 'answering over a socket')
      await sendFrame(
        error instanceof Refusal ? refusalFrame(error, requestId) : failureFrame('internal', requestId),
      )
    }
    if (inFlight.get(id) === current) inFlight.delete(id)
    waitForNext()
    if (overLimit !== undefined && inFlight.size === 0) socket.close(SOCKET_CLOSES.tooMany, 'RATE_LIMITED')
  }

  return {
    onText: async (text) => {
      const parsed = SocketEnvelope.safeParse(parseJson(text))
      if (!parsed.success)
        return socket.close(SOCKET_CLOSES.badFrame, 'This is not a message of the chat protocol.')
      const message = parsed.data
      if (credentials === undefined) await authenticate(message)
      else if (message.type === 'chat') await ask(message, credentials)
      else if (message.type === 'cancel') inFlight.get(message.id)?.cancelling.abort()
      else return socket.close(SOCKET_CLOSES.badFrame, 'auth was sent already.')
      waitForNext()
    },
    isBusy: () => inFlight.size > 0,
    onStop: (reason) => {
      for (const [id, { cancelling, requestId }] of inFlight) {
        void socket.send({ type: 'error', id, ...failureFrame('unavailable', requestId) })
        inFlight.delete(id)
        cancelling.abort(reason)
      }
    },
  }
}
