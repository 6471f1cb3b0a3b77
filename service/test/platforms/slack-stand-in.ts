import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { faultInMessage, type SlackMessage, type SlackPost } from './slack-message-rules.ts'
import { createSlackStreams, type LiveMessage } from './slack-streams.ts'

/** What the stand-in does with the next call of a method, instead of its work. */
export type SlackMood =
  | { is: 'limited'; retryAfter: string }
  | { is: 'status'; status: number }
  | { is: 'error'; error: string }
  /** Never answers, and does nothing. */
  | { is: 'hangs' }
  /** Does its work, and the answer is lost on the way. */
  | { is: 'hangs-up-after-posting' }

export interface SlackCall {
  method: string
  body: Record<string, unknown>
  answered: string
  at: Date
}

export interface SlackStandIn extends AsyncDisposable {
  /** For `config.api_url`. */
  apiUrl: string
  credentials: { bot_token: string; signing_secret: string }
  /** What people see in the channels. */
  posts: SlackPost[]
  calls: SlackCall[]
  /** Messages that are shown while they are written, by their ts; they are among the posts when they are finished. */
  live: Map<string, LiveMessage>
  /** Whether it has streams: that of governments has none. */
  hasStreams: boolean
  /** The bot is a member of these. */
  channels: Set<string>
  scopes: Set<string>
  isRevoked: boolean
  /** Envelopes of Socket Mode that were acknowledged. */
  acknowledged: string[]
  connections(): number
  /** Tells one connection of Socket Mode: Slack chooses any, here it is the newest. Returns the envelope. */
  tell(type: 'events_api' | 'interactive', payload: unknown): string
  /** Asks every connection to come again, as Slack does after some hours. */
  disconnect(): void
  misbehave(method: string, ...moods: SlackMood[]): void
  /** Behaves well again, and forgets posts and calls. */
  reset(): void
  /** The posts, as soon as there are that many; fails after 20 s. */
  waitForPosts(count: number): Promise<SlackPost[]>
  /** Headers that prove a body, as Slack sends them. */
  sign(body: string, given?: { at?: Date; secret?: string; contentType?: string }): Record<string, string>
}

const SCOPE_OF: Record<string, string | undefined> = {
  'auth.test': undefined,
  'chat.postMessage': 'chat:write',
  'assistant.threads.setStatus': 'chat:write',
  'chat.getPermalink': undefined,
  'apps.connections.open': undefined,
  'chat.startStream': 'chat:write',
  'chat.appendStream': 'chat:write',
  'chat.stopStream': 'chat:write',
  'chat.update': 'chat:write',
}

const FIELDS_OF: Record<string, readonly string[]> = {
  'auth.test': [],
  'apps.connections.open': [],
  'chat.postMessage': [
    'channel',
    'thread_ts',
    'text',
    'mrkdwn',
    'parse',
    'unfurl_links',
    'unfurl_media',
    'blocks',
  ],
  'assistant.threads.setStatus': ['channel_id', 'thread_ts', 'status'],
  'chat.startStream': ['channel', 'thread_ts', 'recipient_team_id', 'recipient_user_id'],
  'chat.appendStream': ['channel', 'ts', 'markdown_text'],
  'chat.stopStream': ['channel', 'ts'],
  'chat.update': ['channel', 'ts', 'text', 'parse', 'blocks'],
}

/** Of Socket Mode: tokens of one app. */
export const SLACK_APP_TOKEN = 'xapp-1-A0APP-1-stand-in'
export const SLACK_OTHER_APP_TOKEN = 'xapp-1-A0APP-2-stand-in'

/** The Web API of Slack as far as a bot uses it, on 127.0.0.1: stateful, and strict about scopes, fields, lengths and pace. */
export async function startSlackStandIn(): Promise<SlackStandIn> {
  const credentials = { bot_token: 'xoxb-stand-in-token', signing_secret: 'stand-in-signing-secret' }
  const posts: SlackPost[] = []
  const calls: SlackCall[] = []
  const moods = new Map<string, SlackMood[]>()
  const lastPostAt = new Map<string, number>()
  const waiting = new Set<() => void>()
  let clock = 1_700_000_000
  const newTs = () => `${(clock += 1)}.000100`
  const show = (posted: SlackPost) => {
    const at = posts.findIndex(({ ts }) => ts === posted.ts)
    if (at === -1) posts.push(posted)
    else posts[at] = posted
    for (const look of waiting) look()
  }
  const state = {
    isRevoked: false,
    hasStreams: true,
    channels: new Set(['C0HELP', 'D0DIRECT']),
    scopes: new Set(['app_mentions:read', 'chat:write', 'im:history']),
  }

  function answer(
    response: ServerResponse,
    call: SlackCall,
    body: object,
    headers: Record<string, string> = {},
  ): void {
    call.answered = JSON.stringify(body)
    response
      .writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'x-oauth-scopes': [...state.scopes].join(','),
        ...headers,
      })
      .end(JSON.stringify(body))
  }

  const fieldsOf = (method: string) =>
    method.endsWith('Stream') && !state.hasStreams ? undefined : FIELDS_OF[method]

  function refusalOf(
    request: IncomingMessage,
    method: string,
    body: Record<string, unknown>,
  ): object | undefined {
    const { authorization, 'content-type': type } = request.headers
    if (authorization === undefined || authorization === 'Bearer ') return { ok: false, error: 'not_authed' }
    const tokens =
      method === 'apps.connections.open' ? [SLACK_APP_TOKEN, SLACK_OTHER_APP_TOKEN] : [credentials.bot_token]
    if (!tokens.some((token) => authorization === `Bearer ${token}`))
      return { ok: false, error: 'invalid_auth' }
    if (state.isRevoked) return { ok: false, error: 'token_revoked' }
    // It takes no JSON.
    if (method === 'chat.getPermalink')
      return request.method === 'GET' ? undefined : { ok: false, error: 'invalid_post_type' }
    const fields = fieldsOf(method)
    if (request.method !== 'POST' || fields === undefined) return { ok: false, error: 'unknown_method' }
    if (type !== 'application/json; charset=utf-8') return { ok: false, error: 'invalid_post_type' }
    const scope = SCOPE_OF[method]
    if (scope !== undefined && !state.scopes.has(scope)) {
      return { ok: false, error: 'missing_scope', needed: scope, provided: [...state.scopes].join(',') }
    }
    // Slack ignores what it does not know; here it is a mistake.
    if (Object.keys(body).some((field) => !fields.includes(field)))
      return { ok: false, error: 'invalid_arguments' }
    return undefined
  }

  function post(body: Record<string, unknown>): {
    refused?: object
    retryAfter?: string
    ts?: string
  } {
    const message = body as unknown as SlackMessage
    if (!state.channels.has(message.channel)) return { refused: { ok: false, error: 'not_in_channel' } }
    const fault = faultInMessage(message)
    if (fault !== undefined) {
      return { refused: { ok: false, error: fault.error, response_metadata: { messages: [fault.because] } } }
    }
    const now = performance.now()
    if (now - (lastPostAt.get(message.channel) ?? -10_000) < 900) return { retryAfter: '1' }
    lastPostAt.set(message.channel, now)
    const posted = { ...message, ts: newTs(), at: now }
    show(posted)
    return { ts: posted.ts }
  }

  /** Returns whether the mood answered. */
  function behave(mood: SlackMood | undefined, response: ServerResponse, call: SlackCall): boolean {
    if (mood?.is === 'limited') {
      call.answered = '429'
      response.writeHead(429, { 'retry-after': mood.retryAfter }).end('{"ok":false,"error":"ratelimited"}')
    } else if (mood?.is === 'status') {
      call.answered = String(mood.status)
      response
        .writeHead(mood.status, { 'content-type': 'text/html' })
        .end('<html>Something went wrong</html>')
    } else if (mood?.is === 'error') answer(response, call, { ok: false, error: mood.error })
    else return mood?.is === 'hangs'
    return true
  }

  /** Of methods that post nothing. */
  function answerOf(method: string, { searchParams }: URL): object {
    if (method === 'apps.connections.open') {
      const { port } = server.address() as AddressInfo
      return { ok: true, url: `ws://127.0.0.1:${port}/link?ticket=1` }
    }
    if (method === 'chat.getPermalink') {
      const [channel, ts] = [searchParams.get('channel'), searchParams.get('message_ts')]
      const permalink = `https://acme.slack.com/archives/${channel}/p${ts?.replace('.', '')}`
      return { ok: true, channel, permalink }
    }
    if (method !== 'auth.test') return { ok: true }
    return { ok: true, user: 'citewell', team: 'Acme', user_id: 'U0BOT', bot_id: 'B0BOT' }
  }

  const streams = createSlackStreams({
    newTs,
    isMember: (channel) => state.channels.has(channel),
    find: (ts) => posts.find((one) => one.ts === ts),
    show,
  })

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://slack')
      const method = url.pathname.replace('/api/', '')
      const text = Buffer.concat(chunks).toString('utf8')
      const body = JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>
      const call: SlackCall = { method, body, answered: '', at: new Date() }
      calls.push(call)
      const mood = moods.get(method)?.shift()
      if (behave(mood, response, call)) return
      const refused = refusalOf(request, method, body)
      if (refused !== undefined) return answer(response, call, refused)
      if (method !== 'chat.postMessage' && !streams.has(method))
        return answer(response, call, answerOf(method, url))
      const outcome = streams.has(method) ? streams.call(method, body) : post(body)
      if (outcome.retryAfter !== undefined) {
        behave({ is: 'limited', retryAfter: outcome.retryAfter }, response, call)
      } else if (outcome.refused !== undefined) answer(response, call, outcome.refused)
      else if (mood?.is === 'hangs-up-after-posting') response.destroy()
      else answer(response, call, { ok: true, channel: body['channel'], ts: outcome.ts })
    })
  })
  const open = new Set<WebSocket>()
  const acknowledged: string[] = []
  let envelopes = 0
  const sockets = new WebSocketServer({ server, path: '/link' })
  sockets.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('message', (data: Buffer) => {
      acknowledged.push((JSON.parse(data.toString('utf8')) as { envelope_id: string }).envelope_id)
    })
    socket.send(JSON.stringify({ type: 'hello', num_connections: open.size }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    credentials,
    posts,
    calls,
    live: streams.live,
    acknowledged,
    connections: () => open.size,
    tell: (type, payload) => {
      envelopes += 1
      const envelope = `envelope-${envelopes}`
      const frame = { type, envelope_id: envelope, accepts_response_payload: false, payload }
      ;[...open].at(-1)?.send(JSON.stringify(frame))
      return envelope
    },
    disconnect: () => {
      for (const socket of open)
        socket.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }))
    },
    get channels() {
      return state.channels
    },
    get scopes() {
      return state.scopes
    },
    get hasStreams() {
      return state.hasStreams
    },
    set hasStreams(has) {
      state.hasStreams = has
    },
    get isRevoked() {
      return state.isRevoked
    },
    set isRevoked(revoked) {
      state.isRevoked = revoked
    },
    misbehave: (method, ...next) => void moods.set(method, [...(moods.get(method) ?? []), ...next]),
    reset: () => {
      moods.clear()
      posts.length = 0
      calls.length = 0
      state.isRevoked = false
      state.hasStreams = true
      streams.live.clear()
    },
    waitForPosts: async (count) => {
      if (posts.length < count) {
        await new Promise<void>((resolve, reject) => {
          const give = () =>
            reject(new Error(`${posts.length} of ${count} posts came: ${JSON.stringify(calls.slice(-3))}`))
          const timer = setTimeout(give, 20_000)
          const look = () => {
            if (posts.length < count) return
            clearTimeout(timer)
            waiting.delete(look)
            resolve()
          }
          waiting.add(look)
        })
      }
      return posts
    },
    sign: (
      body,
      { at = new Date(), secret = credentials.signing_secret, contentType = 'application/json' } = {},
    ) => {
      const timestamp = String(Math.floor(at.getTime() / 1_000))
      const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
      return {
        'content-type': contentType,
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${hmac}`,
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
