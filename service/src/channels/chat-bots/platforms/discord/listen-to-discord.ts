import { parseJson } from '../../../../kernel/json.ts'
import { OutboundFailure } from '../../../../platform/outbound/outbound-failure.ts'
import { retryAfterMs } from '../../../platform-posts/platform-posts.ts'
import { PlatformRefusal, type BotAccount, type Listening } from '../../chat-platform.ts'
import { isSocketAddress } from '../../socket-address.ts'
import { callDiscord } from './discord-api.ts'
import { GatewayBot, GatewayFrame, Hello, INTENTS, OP, Session } from './gateway-frames.ts'
import { endsSession, refusalOfCode, startsRefusal, tokenRefusal } from './gateway-problems.ts'
import { createReception, type Reception } from './gateway-reception.ts'
import { startHeartbeat } from './heartbeat.ts'

/** READY names every server of the bot, of which there are 2,500 at most. */
const MAX_BYTES = 4 * 1_048_576
/** From the connection to the first event. */
const GREETING_MS = 30_000
/** Discord may ask to wait, but not for ever. */
const LONGEST_WAIT_MS = 3_600_000
/** Session starts that are left to other programs with the same token. */
const SPARED_STARTS = 10

const unexpected = (status: number, headers: Headers) =>
  new PlatformRefusal(
    `Discord did not answer as expected (HTTP ${status}). The bot tries again by itself.`,
    status === 429 ? { againAfterMs: Math.min(retryAfterMs(headers, Date.now()), LONGEST_WAIT_MS) } : {},
  )

/** The address of a new session. @throws PlatformRefusal, OutboundFailure */
async function addressOf(account: BotAccount): Promise<string> {
  const botToken = account.credentials['bot_token'] ?? ''
  const { status, headers, body } = await callDiscord('GET', '/gateway/bot', { botToken }, account)
  if (status === 401) throw tokenRefusal()
  const gateway = GatewayBot.safeParse(body).data
  if (gateway === undefined || !isSocketAddress(gateway.url, account)) throw unexpected(status, headers)
  const { remaining, reset_after: resetAfterMs } = gateway.session_start_limit
  if (remaining <= SPARED_STARTS) throw startsRefusal(resetAfterMs)
  return gateway.url
}

/** The first frame: a session is continued, or begins. */
function greetingOf({ credentials }: BotAccount, from: Session | undefined): string {
  const token = credentials['bot_token'] ?? ''
  const properties = { os: process.platform, browser: 'citewell', device: 'citewell' }
  return JSON.stringify(
    from === undefined
      ? { op: OP.identify, d: { token, intents: INTENTS, properties } }
      : { op: OP.resume, d: { token, session_id: from.id, seq: from.seq } },
  )
}

/** Opens a connection and keeps it until it ends. Returns its close code. @throws OutboundFailure */
async function converse(
  account: BotAccount,
  address: string,
  reception: Reception,
  given: { greeting: string; connected: () => void },
): Promise<number> {
  const dropping = new AbortController()
  /** Without a close frame: Discord keeps the session for a while. */
  const drop = () => dropping.abort(new Error('The connection to Discord is opened again.'))
  let heartbeat: ReturnType<typeof startHeartbeat> | undefined

  function greeted(data: unknown): void {
    const hello = Hello.safeParse(data).data
    if (hello === undefined || heartbeat !== undefined) return drop()
    const everyMs = hello.heartbeat_interval
    heartbeat = startHeartbeat({ everyMs, send: socket.send, position: reception.position, isDead: drop })
    socket.send(given.greeting)
  }

  function dispatched(frame: GatewayFrame): void {
    reception.take(frame, drop)
    if (!reception.hasSession()) return
    clearTimeout(deadline)
    if (frame.t === 'READY' || frame.t === 'RESUMED') given.connected()
  }

  const handlers: Partial<Record<number, (frame: GatewayFrame) => void>> = {
    [OP.hello]: ({ d }) => greeted(d),
    [OP.heartbeat]: () => heartbeat?.beat(),
    [OP.heartbeatAck]: () => heartbeat?.acknowledged(),
    [OP.dispatch]: dispatched,
    [OP.reconnect]: drop,
    [OP.invalidSession]: ({ d }) => {
      if (d !== true) reception.forget()
      drop()
    },
  }
  const url = new URL(address)
  url.searchParams.set('v', '10')
  url.searchParams.set('encoding', 'json')
  const socket = await account.openSocket(url.href, {
    chosenBy: 'customer',
    signal: AbortSignal.any([account.signal, dropping.signal]),
    maxBytes: MAX_BYTES,
    pings: false,
    onText: (text) => {
      const frame = GatewayFrame.safeParse(parseJson(text)).data
      if (frame !== undefined) handlers[frame.op]?.(frame)
    },
  })
  const deadline = setTimeout(drop, GREETING_MS)
  const code = await socket.closed
  clearTimeout(deadline)
  heartbeat?.stop()
  return code
}

/**
 * Hears over Discord's gateway where the bot is mentioned, until the connection ends: Discord ends it every few hours.
 *
 * @returns the session, which the next connection continues
 * @throws PlatformRefusal, OutboundFailure
 */
export const listenToDiscord: Listening = async (account, { heard, connected, resumption }) => {
  const from = Session.safeParse(resumption).data
  const address = from?.url ?? (await addressOf(account))
  const reception = createReception(account, from, heard)
  const greeting = greetingOf(account, from)
  let code: number
  try {
    code = await converse(account, address, reception, { greeting, connected })
  } catch (fault) {
    // If a session cannot be continued where Discord said, a new one begins at the usual address.
    if (from === undefined || !(fault instanceof OutboundFailure)) throw fault
    return await reception.end()
  }
  const refusal = refusalOfCode(code)
  if (endsSession(code) || refusal !== undefined) reception.forget()
  const session = await reception.end()
  if (refusal !== undefined) throw refusal
  return session
}
