import type { IncomingMessage } from 'node:http'
import { createHash } from 'node:crypto'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import {
  startStandIn,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'

const Id = z.string().regex(/^[a-z0-9]{26}$/)

const Post = z.strictObject({
  channel_id: Id,
  root_id: z.union([Id, z.literal('')]),
  message: z.string().min(1).max(16_383),
})

const CommandAnswer = z.strictObject({
  response_type: z.literal('in_channel'),
  text: z.string().min(1).max(16_383),
  skip_slack_parsing: z.literal(true),
})

/** Of the command /ask. */
export const MATTERMOST_COMMAND_TOKEN = 'okwexkjpe7ygb8eq1ww58t483w'

export interface MattermostMessage {
  id: string
  channel_id: string
  root_id: string
  message: string
  /** Reactions of the bot. */
  offered: string[]
  /** `performance.now()`. */
  at: number
}

/** An event that people cause. */
export interface MattermostEvent {
  event: string
  data: Record<string, unknown>
}

export interface MattermostStandIn extends StandInServer {
  credentials: { bot_token: string }
  messages: MattermostMessage[]
  typing: string[]
  channels: Set<string>
  /** Posts that were deleted: nothing can be answered to them. */
  deleted: Set<string>
  isRevoked: boolean
  losesAnswer: boolean
  /** Ada enters the command in a channel: what Mattermost sends to the hook. */
  command(words: string, given?: { channel?: string }): { body: string; headers: Record<string, string> }
  /** Sends an event to every connection, and keeps it for one that comes back. */
  tell(event: MattermostEvent): void
  /** Ends all connections. */
  cut(): void
  connections(): number
}

/** Ids of Mattermost have 26 letters and digits. */
export const mattermostId = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 26)

const BOT = { id: mattermostId('bot'), username: 'docs', is_bot: true }

/** The REST API and the WebSocket of Mattermost as far as a bot uses them: stateful and strict. */
export async function startMattermostStandIn(): Promise<MattermostStandIn> {
  const credentials = { bot_token: 'stand-in-token' }
  const messages: MattermostMessage[] = []
  const typing: string[] = []
  const channels = new Set([mattermostId('help'), mattermostId('direct')])
  const deleted = new Set<string>()
  const state = { made: 0 }
  /** How many answers are left of each command. */
  const commands = new Map<string, { channel: string; left: number }>()
  const connectionId = mattermostId('connection')
  /** What was sent, by its number. */
  const sent: string[] = []
  const open = new Set<WebSocket>()

  const isOurs = (authorization: string | undefined) =>
    !standIn.isRevoked && authorization === `Bearer ${credentials.bot_token}`
  const refusal = (status: number, id: string): StandInAnswer => ({
    status,
    body: { id, message: 'no', detailed_error: '', request_id: 'x', status_code: status },
  })

  function post({ body }: StandInRequest): StandInAnswer {
    const given = Post.safeParse(body)
    if (!given.success) return refusal(400, 'api.context.invalid_body_param.app_error')
    if (!channels.has(given.data.channel_id)) return refusal(403, 'api.context.permissions.app_error')
    if (deleted.has(given.data.root_id)) return refusal(400, 'api.post.create_post.root_id.app_error')
    state.made += 1
    const id = mattermostId(`post ${state.made}`)
    messages.push({ ...given.data, id, offered: [], at: performance.now() })
    if (!standIn.losesAnswer)
      return { status: 201, body: { ...given.data, id, user_id: BOT.id, create_at: 1 } }
    standIn.losesAnswer = false
    return { hangsUp: true, body: undefined }
  }

  function react({ body }: StandInRequest): StandInAnswer {
    const given = z
      .strictObject({ user_id: Id, post_id: Id, emoji_name: z.enum(['+1', '-1']) })
      .safeParse(body)
    const message = messages.find(({ id }) => id === given.data?.post_id)
    if (given.data === undefined || message === undefined || given.data.user_id !== BOT.id)
      return refusal(400, 'api.reaction.save_reaction.invalid.app_error')
    message.offered.push(given.data.emoji_name)
    return { status: 201, body: { ...given.data, create_at: 1 } }
  }

  /** Takes an answer to a command without a token, five times. */
  function answerCommand({ path, body }: StandInRequest): StandInAnswer {
    const command = commands.get(path.slice('/hooks/commands/'.length))
    const given = CommandAnswer.safeParse(body)
    if (command === undefined || command.left === 0)
      return refusal(404, 'web.command_webhook.command.app_error')
    if (!given.success) return refusal(400, 'web.command_webhook.parse.app_error')
    command.left -= 1
    state.made += 1
    const id = mattermostId(`post ${state.made}`)
    const { channel: channel_id } = command
    messages.push({
      channel_id,
      root_id: '',
      message: given.data.text,
      id,
      offered: [],
      at: performance.now(),
    })
    return { body: 'ok' }
  }

  const server = await startStandIn((request): StandInAnswer => {
    if (request.method === 'POST' && request.path.startsWith('/hooks/commands/'))
      return answerCommand(request)
    if (!isOurs(request.headers.authorization)) return refusal(401, 'api.context.session_expired.app_error')
    const what = `${request.method} ${request.path}`
    if (what === 'GET /api/v4/users/me') return { body: BOT }
    if (what === 'POST /api/v4/posts') return post(request)
    if (what === 'POST /api/v4/reactions') return react(request)
    if (what === 'POST /api/v4/users/me/typing') {
      const given = z.strictObject({ channel_id: Id, parent_id: Id.optional() }).safeParse(request.body)
      if (given.data === undefined) return refusal(400, 'invalid_body_param')
      typing.push(given.data.channel_id)
      return { body: { status: 'OK' } }
    }
    return refusal(404, 'api.context.404.app_error')
  })

  const hello = () =>
    JSON.stringify({
      event: 'hello',
      data: { server_version: '10.5.0', connection_id: connectionId },
      seq: sent.length,
    })

  function greet(socket: WebSocket, request: IncomingMessage): void {
    const { searchParams } = new URL(request.url ?? '/', 'http://x')
    const from = Number(searchParams.get('sequence_number') ?? 0)
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('message', (data: Buffer) => {
      const challenge = JSON.parse(data.toString('utf8')) as { action?: string; data?: { token?: string } }
      const isRight =
        challenge.action === 'authentication_challenge' && isOurs(`Bearer ${challenge.data?.token}`)
      socket.send(JSON.stringify({ status: isRight ? 'OK' : 'FAIL', seq_reply: 1 }))
    })
    if (searchParams.get('connection_id') === connectionId && from <= sent.length) {
      for (const frame of sent.slice(from)) socket.send(frame)
      return
    }
    const greeting = hello()
    sent.push(greeting)
    socket.send(greeting)
  }

  const sockets = new WebSocketServer({ noServer: true })
  server.onUpgrade?.((request, socket, head) => {
    if (request.url?.startsWith('/api/v4/websocket') !== true || !isOurs(request.headers.authorization)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (opened) => greet(opened, request))
  })

  const standIn: MattermostStandIn = Object.assign(server, {
    credentials,
    messages,
    typing,
    channels,
    deleted,
    isRevoked: false,
    losesAnswer: false,
    tell: (event: MattermostEvent) => {
      const frame = JSON.stringify({ ...event, broadcast: {}, seq: sent.length })
      sent.push(frame)
      for (const socket of open) socket.send(frame)
    },
    command: (words: string, { channel = 'help' } = {}) => {
      const id = mattermostId(`command ${commands.size}`)
      commands.set(id, { channel: mattermostId(channel), left: 5 })
      const form = new URLSearchParams({
        channel_id: mattermostId(channel),
        channel_name: 'help',
        command: '/ask',
        response_url: `https://chat.example.com/hooks/commands/${id}`,
        team_domain: 'acme',
        team_id: mattermostId('team'),
        text: words,
        token: MATTERMOST_COMMAND_TOKEN,
        trigger_id: 'trigger',
        user_id: mattermostId('ada'),
        user_name: 'ada',
      })
      return {
        body: form.toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Token ${MATTERMOST_COMMAND_TOKEN}`,
        },
      }
    },
    cut: () => {
      for (const socket of open) socket.terminate()
    },
    connections: () => open.size,
  })
  return standIn
}

let posts = 0

/** A message of a person, as the connection of a bot gets it. */
export function mattermostPosted(
  words: string,
  given: { channel?: string; type?: string; fields?: object; mentions?: string[]; event?: string } = {},
): MattermostEvent & { id: string } {
  posts += 1
  const { channel = 'help', type = 'O', fields = {}, event = 'posted' } = given
  const id = mattermostId(`question ${posts}`)
  const mentions = given.mentions ?? (words.includes('@docs') ? [BOT.id] : [])
  return {
    id,
    event,
    data: {
      channel_display_name: 'Help',
      channel_name: 'help',
      channel_type: type,
      sender_name: '@ada',
      team_id: mattermostId('team'),
      ...(mentions.length > 0 && { mentions: JSON.stringify(mentions) }),
      post: JSON.stringify({
        id,
        create_at: 1,
        update_at: 1,
        edit_at: 0,
        delete_at: 0,
        user_id: mattermostId('ada'),
        channel_id: mattermostId(channel),
        root_id: '',
        message: words,
        type: '',
        props: {},
        ...fields,
      }),
    },
  }
}

export const mattermostReaction = (post: string, emoji: string, user = 'ada'): MattermostEvent => ({
  event: 'reaction_added',
  data: {
    reaction: JSON.stringify({
      user_id: mattermostId(user),
      post_id: post,
      emoji_name: emoji,
      create_at: (posts += 1),
    }),
  },
})
