import { createHmac } from 'node:crypto'
import { createEmulator } from 'emulate'
import { z } from 'zod'
import { startStandIn, type StandInRequest, type StandInServer } from '../connectors/stand-in-server.ts'

/** A message as the emulator keeps it. */
const Message = z.looseObject({
  ts: z.string(),
  user: z.string(),
  text: z.string(),
  thread_ts: z.string().optional(),
  blocks: z.array(z.looseObject({ type: z.string() })).optional(),
  edited: z.looseObject({}).optional(),
})

export type EmulatedMessage = z.infer<typeof Message>

/** A request as Slack sends it to a hook. */
export interface SlackDelivery {
  body: string
  headers: Record<string, string>
}

export interface EmulatedSlack extends AsyncDisposable {
  /** For `config.api_url`. */
  apiUrl: string
  credentials: { bot_token: string; signing_secret: string }
  /** Calls of the bot since the last `forget`. */
  calls: StandInServer['requests']
  forget(): void
  channels: { help: string; team: string }
  /** The user that the bot is. */
  bot: string
  /** Calls a method as Ada, who is a person. */
  asAda(method: string, body: object): Promise<Record<string, unknown>>
  /** Ada writes to the bot; the event that Slack sends about it, and the message. */
  mention(channel: string, words: string, thread?: string): Promise<{ event: SlackDelivery; ts: string }>
  /** Ada writes to the bot alone. */
  direct(words: string): Promise<{ event: SlackDelivery; channel: string; ts: string }>
  /** Any event, signed. */
  event(event: object): SlackDelivery
  /** A press on a button under a message. */
  press(
    channel: string,
    message: EmulatedMessage,
    action: { action_id: string; value: string },
  ): SlackDelivery
  /** What people see in a channel, oldest first; with its thread if there is one. */
  read(channel: string, thread?: string): Promise<EmulatedMessage[]>
}

const ADA = 'xoxp-ada'
const BOT_USER = 'U0DOCS'
const ADA_MAY = ['channels:read', 'channels:history', 'channels:write', 'chat:write', 'groups:history']
const ADA_MAY_TOO = ['channels:manage', 'groups:write', 'groups:read', 'im:write', 'im:history', 'users:read']

/**
 * Slack by an emulator that is not ours (npm `emulate`): its channels, threads, membership, scopes and permalinks are its own. It has no
 * way to say where events go, no buttons and no streams: events are made here of its messages, and signed, and a method that it lacks is
 * refused as Slack refuses one that it does not know.
 */
export async function startEmulatedSlack({ scopes = ['chat:write'] } = {}): Promise<EmulatedSlack> {
  const credentials = { bot_token: 'xoxb-emulated', signing_secret: 'secret-of-the-emulated-app' }
  const emulator = await createEmulator({
    service: 'slack',
    port: 0,
    seed: {
      slack: {
        team: { name: 'Acme', domain: 'acme' },
        strict_scopes: true,
        users: [{ name: 'ada' }],
        channels: [{ name: 'help' }, { name: 'team' }],
        oauth_apps: [
          {
            client_id: '1.2',
            client_secret: 'x',
            name: 'Docs',
            redirect_uris: ['https://docs.example.com/'],
            scopes,
            bot_user_id: BOT_USER,
          },
        ],
        tokens: [
          { token: ADA, user: 'ada', type: 'user', scopes: [...ADA_MAY, ...ADA_MAY_TOO] },
          { token: credentials.bot_token, user_id: BOT_USER, type: 'bot', scopes },
        ],
      },
    },
  })

  async function forward(request: StandInRequest) {
    const { method, path, query, headers, body } = request
    const response = await fetch(`${emulator.url}${path}?${query.toString()}`, {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        'content-type': headers['content-type'] ?? 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    return response.status === 404
      ? { body: { ok: false, error: 'unknown_method' } }
      : { status: response.status, body: answer }
  }
  const server = await startStandIn(forward)

  async function asAda(method: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${emulator.url}/api/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADA}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = z.looseObject({ ok: z.boolean() }).parse(await response.json())
    if (!answer.ok) throw new Error(`${method}: ${JSON.stringify(answer)}`)
    return answer
  }

  const { channels: found } = z
    .looseObject({ channels: z.array(z.looseObject({ id: z.string(), name: z.string() })) })
    .parse(await asAda('conversations.list', {}))
  const channelOf = (name: string) => found.find((one) => one.name === name)?.id ?? ''

  function signed(body: string, contentType: string): SlackDelivery {
    const at = String(Math.floor(Date.now() / 1_000))
    const mac = createHmac('sha256', credentials.signing_secret).update(`v0:${at}:${body}`).digest('hex')
    return {
      body,
      headers: {
        'content-type': contentType,
        'x-slack-request-timestamp': at,
        'x-slack-signature': `v0=${mac}`,
      },
    }
  }

  let made = 0
  const event = (inner: object) => {
    made += 1
    const envelope = { type: 'event_callback', team_id: 'T000000001', event_id: `EvEmulated${made}` }
    const body = { ...envelope, event_time: Math.floor(Date.now() / 1_000), event: inner }
    return signed(JSON.stringify(body), 'application/json')
  }

  async function write(channel: string, text: string, thread?: string): Promise<EmulatedMessage> {
    const body = { channel, text, ...(thread !== undefined && { thread_ts: thread }) }
    return Message.parse((await asAda('chat.postMessage', body))['message'])
  }

  return {
    apiUrl: `${server.origin}/api`,
    credentials,
    calls: server.requests,
    forget: server.forget,
    channels: { help: channelOf('help'), team: channelOf('team') },
    bot: BOT_USER,
    asAda,
    event,
    mention: async (channel, words, thread) => {
      const message = await write(channel, `<@${BOT_USER}> ${words}`, thread)
      return { event: event({ ...message, type: 'app_mention', channel }), ts: message.ts }
    },
    direct: async (words) => {
      const opened = z
        .looseObject({ channel: z.looseObject({ id: z.string() }) })
        .parse(await asAda('conversations.open', { users: BOT_USER }))
      const channel = opened.channel.id
      const message = await write(channel, words)
      return {
        event: event({ ...message, type: 'message', channel_type: 'im', channel }),
        channel,
        ts: message.ts,
      }
    },
    press: (channel, message, action) => {
      made += 1
      const payload = {
        type: 'block_actions',
        user: { id: 'U0ADA', username: 'ada' },
        trigger_id: `trigger ${made}`,
        channel: { id: channel },
        message,
        actions: [{ type: 'button', block_id: 'b', action_ts: `${made}.1`, ...action }],
      }
      const form = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
      return signed(form, 'application/x-www-form-urlencoded')
    },
    read: async (channel, thread) => {
      const answer =
        thread === undefined
          ? await asAda('conversations.history', { channel })
          : await asAda('conversations.replies', { channel, ts: thread })
      const messages = z.array(Message).parse(answer['messages'])
      return messages.toSorted((one, other) => Number(one.ts) - Number(other.ts))
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await emulator.close()
    },
  }
}
