import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { createDiscordGateway, type DiscordGateway } from './discord-gateway.ts'
import { discordKeys } from './platform-proofs.ts'

const Button = z.strictObject({
  type: z.literal(2),
  style: z.int().min(1).max(4),
  label: z.string().min(1).max(80),
  custom_id: z.string().min(1).max(100),
})

/** What a bot posts in a channel may be a reply to a message there. */
const Reference = z.strictObject({
  message_id: z.string().regex(/^\d+$/),
  fail_if_not_exists: z.literal(false),
})

const Payload = z.strictObject({
  embeds: z
    .array(z.strictObject({ description: z.string().min(1).max(4_096) }))
    .min(1)
    .max(10),
  components: z
    .array(z.strictObject({ type: z.literal(1), components: z.array(Button).min(1).max(5) }))
    .max(5),
  allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
})

const ChannelPayload = Payload.extend({ message_reference: Reference.optional() })

export type DiscordMessage = z.infer<typeof ChannelPayload>

export interface DiscordStandIn extends AsyncDisposable {
  apiUrl: string
  applicationId: string
  gateway: DiscordGateway
  credentials: { bot_token: string; public_key: string }
  /** Of the application, in its Developer Portal. */
  endpointUrl: string | undefined
  /** Whether everybody may add it to a server. */
  isPublic: boolean
  commands: { name: string }[]
  /** What people see, by the token of the interaction: the answer, then what follows it. Deleted ones are gone. */
  shown: Map<string, DiscordMessage[]>
  /** What was posted with the token of the bot, by channel. */
  inChannels: Map<string, DiscordMessage[]>
  calls: { method: string; path: string; status: number }[]
  /** Interactions that were acknowledged, and may be answered. */
  expect(token: string): void
  misbehave(...moods: ({ status: number; headers?: Record<string, string> } | 'hangs-up')[]): void
  reset(): void
}

/** The REST API of Discord as far as a bot with interactions uses it, on 127.0.0.1: stateful and strict. */
export async function startDiscordStandIn(): Promise<DiscordStandIn> {
  const applicationId = '1100220033'
  const credentials = { bot_token: 'discord-bot-token', public_key: discordKeys('stand-in').publicKey }
  const shown = new Map<string, DiscordMessage[]>()
  const open = new Set<string>()
  const calls: DiscordStandIn['calls'] = []
  const inChannels = new Map<string, DiscordMessage[]>()
  const commands: { name: string }[] = []
  let moods: Parameters<DiscordStandIn['misbehave']> = []
  const portal: Pick<DiscordStandIn, 'endpointUrl' | 'isPublic'> = { endpointUrl: undefined, isPublic: true }
  let messages = 0

  function ofApplication(
    method: string,
    path: string,
    token: string | undefined,
    body: unknown,
  ): [number, unknown] {
    if (token !== `Bot ${credentials.bot_token}`) return [401, { code: 0, message: '401: Unauthorized' }]
    if (method === 'GET' && path === '/applications/@me') {
      return [
        200,
        {
          id: applicationId,
          name: 'Docs',
          verify_key: credentials.public_key,
          interactions_endpoint_url: portal.endpointUrl ?? null,
          bot_public: portal.isPublic,
        },
      ]
    }
    if (path !== `/applications/${applicationId}/commands`)
      return [404, { code: 0, message: '404: Not Found' }]
    if (method === 'POST') commands.push(body as { name: string })
    return [method === 'POST' ? 201 : 200, method === 'POST' ? body : commands]
  }

  /** An interaction that was told over the gateway waits for one reply. */
  function replyTo(path: string, body: unknown): [number, unknown] {
    const [, token = ''] = /^\/interactions\/\d+\/([^/]+)\/callback$/.exec(path) ?? []
    if (!gateway.awaited.delete(token)) return [400, { code: 40_060, message: 'Already acknowledged' }]
    const { type } = body as { type: number }
    if (type === 5) open.add(token)
    return type === 4 || type === 5 ? [204, undefined] : [400, { code: 50_035, message: 'Invalid Form Body' }]
  }

  function ofInteraction(method: string, path: string, body: unknown): [number, unknown] {
    const [, application, token = '', original] =
      /^\/webhooks\/(\d+)\/([^/]+)(\/messages\/@original)?$/.exec(path) ?? []
    if (application !== applicationId) return [404, { code: 10_015, message: 'Unknown Webhook' }]
    if (!open.has(token)) return [401, { code: 50_027, message: 'Invalid Webhook Token' }]
    const messagesOf = shown.get(token) ?? []
    if (method === 'DELETE' && original !== undefined) {
      shown.set(token, messagesOf.slice(1))
      return [204, undefined]
    }
    const payload = Payload.safeParse(body)
    if (!payload.success)
      return [400, { code: 50_035, message: 'Invalid Form Body', errors: payload.error.message }]
    messages += 1
    if (method === 'PATCH' && original !== undefined) shown.set(token, [payload.data, ...messagesOf.slice(1)])
    else if (method === 'POST' && original === undefined) shown.set(token, [...messagesOf, payload.data])
    else return [405, { code: 0, message: '405: Method Not Allowed' }]
    return [200, { id: String(messages) }]
  }

  /** What needs no token of the bot: the address of an interaction is secret. */
  const ofOther = (method: string, path: string, body: unknown): [number, unknown] =>
    path.startsWith('/interactions/') ? replyTo(path, body) : ofInteraction(method, path, body)

  const ofGateway = (token: string | undefined): [number, unknown] =>
    token === `Bot ${credentials.bot_token}`
      ? [200, address()]
      : [401, { code: 0, message: '401: Unauthorized' }]

  function inChannel(path: string, token: string | undefined, body: unknown): [number, unknown] {
    const [, channel = '', what] = /^\/channels\/(\d+)\/(messages|typing)$/.exec(path) ?? []
    if (token !== `Bot ${credentials.bot_token}`) return [401, { code: 0, message: '401: Unauthorized' }]
    if (channel === '') return [403, { code: 50_001, message: 'Missing Access' }]
    if (what === 'typing') return [204, undefined]
    const payload = ChannelPayload.safeParse(body)
    if (!payload.success) return [400, { code: 50_035, message: payload.error.message }]
    inChannels.set(channel, [...(inChannels.get(channel) ?? []), payload.data])
    // A bot hears itself.
    const author = { id: applicationId, username: 'docs', bot: true }
    return [200, { id: gateway.write({ channel_id: channel, content: '', author, mentions: [] }).id }]
  }

  function send(
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ): void {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(status === 204 ? undefined : JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = (request.url ?? '').replace('/api/v10', '')
      const method = request.method ?? 'GET'
      const text = Buffer.concat(chunks).toString('utf8')
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      const call = { method, path, status: 0 }
      calls.push(call)
      const mood = moods.shift()
      if (mood !== undefined && mood !== 'hangs-up') {
        call.status = mood.status
        send(response, mood.status, { message: 'no', retry_after: 1 }, mood.headers)
        return
      }
      const isNamed = request.headers['user-agent']?.startsWith('DiscordBot (') === true
      const [status, answer] = !isNamed
        ? [403, { code: 40_333, message: 'internal network error' }]
        : path.startsWith('/applications/')
          ? ofApplication(method, path, request.headers.authorization, body)
          : path === '/gateway/bot'
            ? ofGateway(request.headers.authorization)
            : path.startsWith('/channels/')
              ? inChannel(path, request.headers.authorization, body)
              : ofOther(method, path, body)
      call.status = status
      if (mood === 'hangs-up') response.destroy()
      else send(response, status, answer)
    })
  })
  const { gateway, address, end } = createDiscordGateway(server, {
    botToken: credentials.bot_token,
    botId: applicationId,
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v10`,
    applicationId,
    gateway,
    credentials,
    get endpointUrl() {
      return portal.endpointUrl
    },
    set endpointUrl(url) {
      portal.endpointUrl = url
    },
    get isPublic() {
      return portal.isPublic
    },
    set isPublic(isPublic) {
      portal.isPublic = isPublic
    },
    commands,
    shown,
    calls,
    inChannels,
    expect: (token) => void open.add(token),
    misbehave: (...next) => {
      moods = [...moods, ...next]
    },
    reset: () => {
      moods = []
      shown.clear()
      inChannels.clear()
      calls.length = 0
    },
    [Symbol.asyncDispose]: async () => {
      end()
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
