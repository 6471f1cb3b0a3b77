import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import {
  startStandIn,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'
import { createTeamsStreams, refusedByTeams, type TeamsStreams } from './teams-streams.ts'

const Claim = z.strictObject({
  '@type': z.literal('Claim'),
  position: z.int().min(1),
  appearance: z.strictObject({
    '@type': z.literal('DigitalDocument'),
    name: z.string().min(1).max(80),
    url: z.url().optional(),
    abstract: z.string().min(1).max(160),
  }),
})

const MessageEntity = z.strictObject({
  type: z.literal('https://schema.org/Message'),
  '@type': z.literal('Message'),
  '@context': z.literal('https://schema.org'),
  additionalType: z.tuple([z.literal('AIGeneratedContent')]),
  citation: z.array(Claim).min(1).max(20).optional(),
})

const Message = z.strictObject({
  type: z.literal('message'),
  textFormat: z.literal('markdown'),
  text: z.string().min(1).max(14_000),
  entities: z.array(MessageEntity).max(1).optional(),
  channelData: z.strictObject({ feedbackLoop: z.strictObject({ type: z.literal('default') }) }).optional(),
  replyToId: z.string().optional(),
})

const Typing = z.strictObject({ type: z.literal('typing') })

export type TeamsMessage = z.infer<typeof Message> & { id: string; conversation: string; edits: string[] }

export interface TeamsStandIn extends StandInServer {
  credentials: { app_id: string; tenant_id: string; client_secret: string }
  /** Whose keys it says that it publishes. */
  issuer: string
  /** What people see. */
  messages: TeamsMessage[]
  typing: string[]
  /** Conversations that the bot was removed from. */
  gone: Set<string>
  /** Tokens that were given, and are valid. */
  tokens: Set<string>
  /** Messages that are shown while they are written, in chats with the bot alone. */
  streams: TeamsStreams
  /** Whether the next message arrives and its confirmation does not. */
  losesAnswer: boolean
  /** A key, and what it may sign for; publishes it. */
  addKey(kid: string, endorsements: string[]): void
  /** The proof of a request. */
  proof(given?: {
    appId?: string
    at?: Date
    kid?: string
    claims?: Record<string, unknown>
    header?: Record<string, unknown>
    privateKey?: KeyObject
  }): Record<string, string>
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The Bot Framework and the login of Microsoft as far as a bot uses them: stateful and strict. */
export async function startTeamsStandIn(): Promise<TeamsStandIn> {
  const credentials = {
    app_id: '11111111-2222-4333-8444-555555555555',
    tenant_id: 'a1b2c3d4-e5f6-4890-abcd-ef1234567890',
    client_secret: 'stand-in-secret',
  }
  const keys = new Map<string, { pair: ReturnType<typeof newKey>; endorsements: string[] }>()
  const tokens = new Set<string>()
  const messages: TeamsMessage[] = []
  const typing: string[] = []
  const gone = new Set<string>()
  const state = { made: 0 }
  const newId = () => `17000${(state.made += 1)}`
  const streams = createTeamsStreams(newId)

  function giveToken(body: unknown): StandInAnswer {
    const form = Object.fromEntries(new URLSearchParams(String(body)))
    if (form['scope'] !== 'https://api.botframework.com/.default')
      return { status: 400, body: { error: 'invalid_scope' } }
    if (form['grant_type'] !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } }
    if (form['client_id'] !== credentials.app_id || form['client_secret'] !== credentials.client_secret)
      return { status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215' } }
    state.made += 1
    const token = `token-${state.made}`
    tokens.add(token)
    return { body: { token_type: 'Bearer', expires_in: 3_599, access_token: token } }
  }

  function post({ method, path, headers, body }: StandInRequest): StandInAnswer {
    const [, conversation = '', replyTo] =
      /^\/amer\/v3\/conversations\/([^/]+)\/activities(?:\/([^/]+))?$/.exec(path) ?? []
    if (!tokens.has(headers.authorization?.replace('Bearer ', '') ?? ''))
      return { status: 401, body: { message: 'Authorization has been denied for this request.' } }
    const into = decodeURIComponent(conversation)
    if (into === '' || gone.has(into))
      return { status: 403, body: { error: { code: 'BotNotInConversationRoster', message: 'no' } } }
    if (method === 'PUT') return edit(into, decodeURIComponent(replyTo ?? ''), body)
    const ofStream = streams.take(into, body)
    if (ofStream !== undefined) return takeOfStream(into, ofStream)
    if (Typing.safeParse(body).success) {
      typing.push(into)
      return { status: 202, body: {} }
    }
    return show(into, replyTo === undefined ? undefined : decodeURIComponent(replyTo), body)
  }

  const refuse = (because: string) => refusedByTeams(400, 'BadSyntax', because)

  /** What was asked for has happened. */
  function confirm(answer: StandInAnswer): StandInAnswer {
    if (!standIn.losesAnswer) return answer
    standIn.losesAnswer = false
    return { hangsUp: true, body: undefined }
  }

  function show(into: string, replyTo: string | undefined, body: unknown): StandInAnswer {
    const message = Message.safeParse(body)
    if (!message.success) return refuse(message.error.message)
    if (message.data.replyToId !== replyTo) return refuse('replyToId')
    const id = newId()
    messages.push({ ...message.data, id, conversation: into, edits: [] })
    return confirm({ status: 201, body: { id } })
  }

  function takeOfStream(into: string, { final, answer }: ReturnType<TeamsStreams['taken']>): StandInAnswer {
    if (final === undefined) return answer
    const message = Message.safeParse(final.body)
    if (!message.success) return refuse(message.error.message)
    messages.push({ ...message.data, id: final.id, conversation: into, edits: [] })
    return confirm(answer)
  }

  /** Of a message of the bot, or of a stream that Teams has ended. */
  function edit(into: string, id: string, body: unknown): StandInAnswer {
    const message = Message.safeParse(body)
    if (!message.success) return refuse(message.error.message)
    const found = messages.find((one) => one.id === id && one.conversation === into)
    if (found === undefined && !streams.isOver(id))
      return refusedByTeams(404, 'ActivityNotFoundInConversation', 'no')
    const edits = [...(found?.edits ?? []), found?.text ?? '']
    if (found === undefined) messages.push({ ...message.data, id, conversation: into, edits })
    else messages[messages.indexOf(found)] = { ...message.data, id, conversation: into, edits }
    return confirm({ body: { id } })
  }

  const server = await startStandIn((request, origin): StandInAnswer => {
    if (request.path === '/v1/.well-known/openidconfiguration') {
      const jwks = `${origin}/v1/.well-known/keys`
      return { body: { issuer: standIn.issuer, jwks_uri: jwks } }
    }
    if (request.path === '/v1/.well-known/keys') {
      const published = [...keys].map(([kid, { pair, endorsements }]) => ({
        ...pair.publicKey.export({ format: 'jwk' }),
        kid,
        use: 'sig',
        endorsements,
      }))
      return { body: { keys: published } }
    }
    if (request.path === `/${credentials.tenant_id}/oauth2/v2.0/token`) return giveToken(request.body)
    return request.path.startsWith('/amer/')
      ? post(request)
      : { status: 404, body: { error: 'no such path' } }
  })
  const addKey: TeamsStandIn['addKey'] = (kid, endorsements) =>
    void keys.set(kid, { pair: newKey(), endorsements })
  addKey('first', ['msteams', 'webchat'])

  const standIn: TeamsStandIn = Object.assign(server, {
    credentials,
    issuer: 'https://api.botframework.com',
    messages,
    typing,
    gone,
    tokens,
    streams,
    addKey,
    losesAnswer: false,
    proof: ({
      appId = credentials.app_id,
      at = new Date(),
      kid = 'first',
      claims = {},
      header = {},
      privateKey,
    }: Parameters<TeamsStandIn['proof']>[0] = {}) => {
      const seconds = Math.floor(at.getTime() / 1_000)
      const head = base64url({ typ: 'JWT', alg: 'RS256', kid, ...header })
      const body = base64url({
        serviceurl: `${server.origin}/amer/`,
        nbf: seconds,
        exp: seconds + 3_600,
        iss: 'https://api.botframework.com',
        aud: appId,
        ...claims,
      })
      const key = privateKey ?? keys.get(kid)?.pair.privateKey
      const signature =
        key === undefined ? '' : sign('RSA-SHA256', Buffer.from(`${head}.${body}`), key).toString('base64url')
      return { authorization: `Bearer ${head}.${body}.${signature}` }
    },
  })
  return standIn
}

let activities = 0

type Fields = Record<string, unknown>

/** An activity in a channel, as Teams sends it. */
export function teamsMention(teams: TeamsStandIn, words: string, fields: Fields = {}): Fields {
  activities += 1
  const id = String(1_771_290_107_000 + activities)
  const recipient = { id: `28:${teams.credentials.app_id}`, name: 'Docs' }
  return {
    text: `<at>Docs</at> ${words}`,
    textFormat: 'plain',
    type: 'message',
    timestamp: '2026-02-17T01:01:47.4513813Z',
    id,
    channelId: 'msteams',
    serviceUrl: `${teams.origin}/amer/`,
    from: { id: '29:1asker', name: 'Ada', aadObjectId: '7a9b12a6-4f02-43f1-b6f9-fd10e047f903' },
    conversation: {
      isGroup: true,
      conversationType: 'channel',
      tenantId: teams.credentials.tenant_id,
      id: `19:general@thread.tacv2;messageid=${id}`,
    },
    recipient,
    entities: [
      { mentioned: recipient, text: '<at>Docs</at>', type: 'mention' },
      { locale: 'en-US', country: 'US', platform: 'Web', type: 'clientInfo' },
    ],
    channelData: { tenant: { id: teams.credentials.tenant_id }, channel: { id: '19:general@thread.tacv2' } },
    locale: 'en-US',
    ...fields,
  }
}

/** A message in the chat with the bot alone. */
export const teamsPersonal = (teams: TeamsStandIn, words: string, fields: Fields = {}): Fields => ({
  ...teamsMention(teams, words),
  text: words,
  entities: [],
  conversation: { conversationType: 'personal', tenantId: teams.credentials.tenant_id, id: 'a:1personal' },
  ...fields,
})

/** A press on a feedback button, with the form that follows it. */
export const teamsFeedback = (
  teams: TeamsStandIn,
  of: { conversation: string; id: string },
  reaction: 'like' | 'dislike',
): Fields => ({
  ...teamsMention(teams, ''),
  text: undefined,
  type: 'invoke',
  name: 'message/submitAction',
  replyToId: of.id,
  conversation: { conversationType: 'channel', tenantId: teams.credentials.tenant_id, id: of.conversation },
  value: { actionName: 'feedback', actionValue: { reaction, feedback: '{"feedbackText":""}' } },
})
