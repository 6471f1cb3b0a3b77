import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'

/** A message as people write it; what is not given is that of a plain one. */
export interface WrittenMessage {
  id: string
  channel_id: string
  guild_id: string
  type: number
  content: string
  author: { id: string; username: string; global_name?: string; bot?: boolean }
  mentions: { id: string; username: string }[]
  [field: string]: unknown
}

export interface DiscordGateway {
  botId: string
  connections(): number
  /** Each identify (2) and resume (6) that came, with where and what it asked for. */
  greetings: { op: 2 | 6; path: string; intents: number | undefined; seq: number | undefined }[]
  /** What it closes the next connections with when they identify. */
  refusesWith: number | undefined
  /** Acknowledges no heartbeat. */
  isDeaf: boolean
  heartbeatMs: number
  startsRemaining: number
  /** Events are kept for sessions, and do not reach them. */
  losesEvents: boolean
  /** Tells a message to every session, as far as its intents go. Returns it. */
  write(fields: Partial<WrittenMessage>): WrittenMessage
  dispatch(type: string, data: object): void
  /** Tells an interaction, as Discord does where the application has no Interactions Endpoint URL. */
  interact(interaction: { token: string; [field: string]: unknown }): void
  /** Tokens of those that have no reply yet. */
  awaited: Set<string>
  /** Asks for a heartbeat (1), or to come again (7), or says that the session is not valid (9). */
  say(op: 1 | 7 | 9, data?: unknown): void
  /** Sends anything. */
  sendRaw(text: string): void
  /** Ends every connection: with a close code, or without one. */
  drop(code?: number): void
}

const GUILD_MESSAGES = 1 << 9
const MESSAGE_CONTENT = 1 << 15
/** GUILD_MEMBERS, GUILD_PRESENCES and MESSAGE_CONTENT: not switched on in the Developer Portal. */
const PRIVILEGED = (1 << 1) | (1 << 8) | MESSAGE_CONTENT
const KNOWN = (1 << 26) - 1

const Frame = z.strictObject({ op: z.int(), d: z.unknown() })

const Identify = z.strictObject({
  token: z.string(),
  intents: z.int(),
  properties: z.strictObject({ os: z.string(), browser: z.string(), device: z.string() }),
})

const Resume = z.strictObject({ token: z.string(), session_id: z.string(), seq: z.int() })

interface GatewaySession {
  id: string
  intents: number
  seq: number
  /** Everything since the session began. */
  told: { s: number; t: string; d: unknown }[]
  socket: WebSocket | undefined
}

/** The gateway of Discord on a server of the stand-in: strict about the handshake, and with sessions that can be continued. */
export function createDiscordGateway(
  server: Server,
  { botToken, botId }: { botToken: string; botId: string },
) {
  const sessions = new Map<string, GatewaySession>()
  const open = new Set<WebSocket>()
  let made = 0
  const origin = () => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = (socket: WebSocket | undefined, frame: object) => socket?.send(JSON.stringify(frame))

  const gateway: DiscordGateway = {
    botId,
    connections: () => open.size,
    greetings: [],
    refusesWith: undefined,
    isDeaf: false,
    heartbeatMs: 41_250,
    startsRemaining: 1_000,
    losesEvents: false,
    write: (fields) => {
      made += 1
      const message: WrittenMessage = {
        id: String(70_000 + made),
        channel_id: '77',
        guild_id: '1',
        type: 0,
        content: `<@${botId}>`,
        author: { id: '5', username: 'ada', global_name: 'Ada' },
        mentions: [{ id: botId, username: 'docs' }],
        mention_roles: [],
        mention_everyone: false,
        tts: false,
        flags: 0,
        attachments: [],
        embeds: [],
        components: [],
        ...fields,
      }
      gateway.dispatch('MESSAGE_CREATE', message)
      return message
    },
    dispatch: (t, d) => {
      for (const session of sessions.values()) {
        if (t.startsWith('MESSAGE_') && (session.intents & GUILD_MESSAGES) === 0) continue
        tell(session, t, t.startsWith('MESSAGE_') ? contentFor(session, d as WrittenMessage) : d)
      }
    },
    awaited: new Set(),
    interact: (interaction) => {
      gateway.awaited.add(interaction.token)
      gateway.dispatch('INTERACTION_CREATE', interaction)
    },
    say: (op, data = null) => {
      for (const socket of open) send(socket, { op, d: data, s: null, t: null })
      if (op === 9 && data !== true) sessions.clear()
    },
    sendRaw: (text) => {
      for (const socket of open) socket.send(text)
    },
    drop: (code) => {
      for (const socket of open) {
        if (code === undefined) socket.terminate()
        else socket.close(code)
      }
    },
  }

  /** Without the privileged intent, others' words come only where the app is mentioned, or has written them. */
  function contentFor({ intents }: GatewaySession, message: WrittenMessage): WrittenMessage {
    const isOurs = message.author.id === botId || message.mentions.some(({ id }) => id === botId)
    const isReadable = isOurs || (intents & MESSAGE_CONTENT) !== 0
    return isReadable ? message : { ...message, content: '' }
  }

  function tell(session: GatewaySession, t: string, d: unknown): void {
    session.seq += 1
    const event = { s: session.seq, t, d }
    session.told.push(event)
    if (!gateway.losesEvents) send(session.socket, { op: 0, ...event })
  }

  function identify(socket: WebSocket, path: string, data: unknown): GatewaySession | number {
    const { data: given } = Identify.safeParse(data)
    if (given === undefined) return 4002
    const { token, intents } = given
    gateway.greetings.push({ op: 2, path, intents, seq: undefined })
    if (token !== botToken) return 4004
    if (gateway.refusesWith !== undefined) return gateway.refusesWith
    if ((intents & ~KNOWN) !== 0) return 4013
    if ((intents & PRIVILEGED) !== 0) return 4014
    gateway.startsRemaining -= 1
    const session = { id: `session-${(made += 1)}`, intents, seq: 0, told: [], socket }
    sessions.set(session.id, session)
    tell(session, 'READY', {
      v: 10,
      user: { id: botId, username: 'docs', bot: true },
      guilds: [{ id: '1', unavailable: true }],
      session_id: session.id,
      resume_gateway_url: `${origin()}/again`,
      application: { id: botId, flags: 0 },
    })
    return session
  }

  function resume(socket: WebSocket, path: string, data: unknown): GatewaySession | number | undefined {
    const { data: given } = Resume.safeParse(data)
    if (given === undefined) return 4002
    gateway.greetings.push({ op: 6, path, intents: undefined, seq: given.seq })
    if (given.token !== botToken) return 4004
    const session = sessions.get(given.session_id)
    if (session === undefined) return undefined
    if (given.seq > session.seq) return 4007
    session.socket = socket
    for (const event of session.told.filter(({ s }) => s > given.seq)) send(socket, { op: 0, ...event })
    // With the number of what was told last: nothing new has happened.
    send(socket, { op: 0, t: 'RESUMED', s: session.seq, d: {} })
    return session
  }

  function acknowledge(socket: WebSocket, session: GatewaySession | undefined, seq: unknown): void {
    const isKnown = seq === null || (typeof seq === 'number' && seq <= (session?.seq ?? 0))
    if (!isKnown) return socket.close(4007)
    return gateway.isDeaf ? undefined : send(socket, { op: 11 })
  }

  const sockets = new WebSocketServer({ server, maxPayload: 4_096 })
  sockets.on('connection', (socket, request) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://discord')
    if (searchParams.get('v') !== '10' || searchParams.get('encoding') !== 'json') return socket.close(4012)
    let session: GatewaySession | undefined
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', (code) => {
      open.delete(socket)
      if (session?.socket === socket) session.socket = undefined
      if (session !== undefined && (code === 1000 || code === 1001)) sessions.delete(session.id)
    })
    socket.on('message', (text: Buffer) => {
      const { data: frame } = Frame.safeParse(JSON.parse(text.toString('utf8')))
      if (frame === undefined) return socket.close(4002)
      if (frame.op === 1) return acknowledge(socket, session, frame.d)
      if (frame.op !== 2 && frame.op !== 6) return socket.close(session === undefined ? 4003 : 4001)
      if (session !== undefined) return socket.close(4005)
      const begun = (frame.op === 2 ? identify : resume)(socket, pathname, frame.d)
      if (typeof begun === 'number') return socket.close(begun)
      if (begun === undefined) return send(socket, { op: 9, d: false })
      session = begun
      return undefined
    })
    return send(socket, { op: 10, d: { heartbeat_interval: gateway.heartbeatMs }, s: null, t: null })
  })

  return {
    gateway,
    /** The answer of `GET /gateway/bot`. */
    address: () => ({
      url: origin(),
      shards: 1,
      session_start_limit: {
        total: 1_000,
        remaining: gateway.startsRemaining,
        reset_after: 7_200_000,
        max_concurrency: 1,
      },
    }),
    end: () => {
      for (const socket of open) socket.terminate()
      sockets.close()
    },
  }
}
