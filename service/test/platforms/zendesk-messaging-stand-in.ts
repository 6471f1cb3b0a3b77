import { z } from 'zod'
import {
  startStandIn,
  unknownFields,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'

const Metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** What the API takes of what this service sends. */
const NewMessage = z.strictObject({
  author: z.strictObject({ type: z.literal('business'), displayName: z.string().min(1).optional() }),
  content: z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(4_096) }),
  metadata: Metadata.optional(),
})

const PassControl = z.strictObject({
  switchboardIntegration: z.string().min(1),
  metadata: Metadata.optional(),
})

interface Message {
  id: string
  received: string
  author: { type: 'user' | 'business'; userId?: string; displayName?: string | undefined }
  content: { type: string; text?: string; mediaUrl?: string }
  source: { type: string; integrationId?: string }
  metadata?: Record<string, unknown>
  deleted?: boolean
}

type Holder = 'citewell' | 'zd-agentWorkspace' | 'zd-answerBot'

interface Place {
  id: string
  name: Holder
  integrationId: string
  /** Who comes after it. */
  next?: Holder
}

/** Who may have a conversation. */
const SWITCHBOARD: readonly Place[] = [
  {
    id: '5ef21b86e933b7355c11c601',
    name: 'citewell',
    integrationId: '5ef21b86e933b7355c11c604',
    next: 'zd-agentWorkspace',
  },
  { id: '5ef21b86e933b7355c11c602', name: 'zd-agentWorkspace', integrationId: '5ef21b86e933b7355c11c605' },
  {
    id: '5ef21b86e933b7355c11c603',
    name: 'zd-answerBot',
    integrationId: '5ef21b86e933b7355c11c606',
    next: 'zd-agentWorkspace',
  },
]

const placeOf = (wanted = '') => SWITCHBOARD.find(({ id, name }) => id === wanted || name === wanted)

export interface MessagingConversation {
  id: string
  type: 'personal' | 'sdkGroup'
  holder: Holder
  messages: Message[]
  /** The metadata of each time that it was passed on. */
  passed: Record<string, unknown>[]
}

export const APP = '5d8cff3cd55b040010928b5b'
const PAGE = 100

export interface MessagingStandIn extends StandInServer {
  credentials: { key_id: string; key_secret: string; shared_secret: string }
  /** A customer writes: in a new conversation, or in the one of this id. Returns its id. */
  write(
    text: string | undefined,
    given?: { conversation?: string; type?: 'sdkGroup'; holder?: Holder },
  ): string
  agentWrites(id: string, text: string): void
  botSays(id: string, text: string): void
  /** A person solves its ticket: it goes back to who has new conversations. */
  solve(id: string): void
  conversation(id: string): MessagingConversation
  delete(id: string): void
  /** The delivery that tells of what was written last in these conversations. */
  delivery(...ids: string[]): string
  /** What customers see of us. */
  answersOf(id: string): string[]
  /** The next message is taken, and nobody hears of it. */
  losesAnswer: boolean
}

const refusal = (status: number, code: string): StandInAnswer => ({
  status,
  body: { errors: [{ code, title: 'No' }] },
})

/** The Conversations API of Zendesk as far as chats use it: stateful and strict. */
export async function startMessagingStandIn(): Promise<MessagingStandIn> {
  const credentials = { key_id: 'app_5e1', key_secret: 'sunco-key', shared_secret: 'sunco-webhook-secret' }
  const conversations = new Map<string, MessagingConversation>()
  let ids = 0

  const nextId = () => `5f74${(ids += 1).toString(16).padStart(20, '0')}`
  const known = (id: string): MessagingConversation => {
    const found = conversations.get(id)
    if (found === undefined) throw new Error(`There is no conversation ${id}.`)
    return found
  }
  const say = (to: MessagingConversation, message: Omit<Message, 'id' | 'received'>): Message => {
    const said = { id: nextId(), received: new Date().toISOString(), ...message }
    to.messages.push(said)
    return said
  }
  const shown = ({ id, type, holder }: MessagingConversation) => {
    const active = placeOf(holder)
    return {
      id,
      type,
      isDefault: true,
      activeSwitchboardIntegration: active && {
        id: active.id,
        name: active.name,
        integrationId: active.integrationId,
        integrationType: active.name === 'citewell' ? 'custom' : active.name.replace('-', ':'),
      },
    }
  }

  /** The last page, or the one before a message. */
  function page({ messages }: MessagingConversation, query: URLSearchParams): StandInAnswer {
    if (unknownFields(query, ['page[before]']).length > 0) return refusal(400, 'bad_request')
    const before = query.get('page[before]')
    const end = before === null ? messages.length : messages.findIndex(({ id }) => id === before)
    if (end < 0) return refusal(400, 'bad_request')
    const listed = messages.slice(Math.max(0, end - PAGE), end)
    const hasMore = end > PAGE
    return { body: { messages: listed, meta: { hasMore, ...(hasMore && { beforeCursor: listed[0]?.id }) } } }
  }

  function post(to: MessagingConversation, body: unknown): StandInAnswer {
    const given = NewMessage.safeParse(body)
    if (!given.success) return refusal(400, 'bad_request')
    const { metadata, ...message } = given.data
    const said = say(to, { ...message, ...(metadata && { metadata }), source: { type: 'api:conversations' } })
    if (!standIn.losesAnswer) return { status: 201, body: { messages: [said] } }
    standIn.losesAnswer = false
    return { hangsUp: true, body: undefined }
  }

  function passControl(of: MessagingConversation, body: unknown): StandInAnswer {
    const given = PassControl.safeParse(body)
    if (!given.success) return refusal(400, 'bad_request')
    const { switchboardIntegration: to, metadata = {} } = given.data
    const next = placeOf(to === 'next' ? placeOf(of.holder)?.next : to)
    if (next === undefined) return refusal(404, 'switchboard_integration_not_found')
    of.holder = next.name
    of.passed.push(metadata)
    return { body: {} }
  }

  const ROUTES: Record<string, (of: MessagingConversation, request: StandInRequest) => StandInAnswer> = {
    'GET ': (of) => ({ body: { conversation: shown(of) } }),
    'GET messages': (of, { query }) => page(of, query),
    'POST messages': (to, { body }) => post(to, body),
    'POST passControl': (of, { body }) => passControl(of, body),
  }

  /** What belongs to no conversation. */
  function ofApp(place: string): StandInAnswer | undefined {
    if (place === '') return { body: { app: { id: APP, displayName: 'Acme' } } }
    if (place === '/switchboards') {
      const board = { id: '5ef2', enabled: true, defaultSwitchboardIntegrationId: placeOf('citewell')?.id }
      return { body: { switchboards: [board] } }
    }
    if (place !== '/switchboards/5ef2/switchboardIntegrations') return undefined
    const all = SWITCHBOARD.map(({ id, name, integrationId, next }) => ({
      id,
      name,
      integrationId,
      deliverStandbyEvents: false,
      nextSwitchboardIntegrationId: placeOf(next)?.id ?? null,
    }))
    return { body: { switchboardIntegrations: all } }
  }

  const server = await startStandIn((request: StandInRequest): StandInAnswer => {
    const { method, path, headers } = request
    const basic = Buffer.from(`${credentials.key_id}:${credentials.key_secret}`).toString('base64')
    if (headers.authorization !== `Basic ${basic}`) return refusal(401, 'unauthorized')
    if (!path.startsWith(`/sc/v2/apps/${APP}`)) return refusal(403, 'forbidden')
    const place = path.slice(`/sc/v2/apps/${APP}`.length)
    const about = method === 'GET' ? ofApp(place) : undefined
    if (about !== undefined) return about
    const [, id = '', what = ''] = /^\/conversations\/(\w+)(?:\/(\w+))?$/.exec(place) ?? []
    const conversation = conversations.get(id)
    if (conversation === undefined) return refusal(404, 'conversation_not_found')
    return ROUTES[`${method} ${what}`]?.(conversation, request) ?? refusal(404, 'not_found')
  })

  const standIn: MessagingStandIn = Object.assign(server, {
    credentials,
    losesAnswer: false,
    write: (
      text: string | undefined,
      { conversation: on, type, holder = 'citewell' }: Parameters<MessagingStandIn['write']>[1] = {},
    ) => {
      const id = on ?? nextId()
      if (on === undefined)
        conversations.set(id, { id, type: type ?? 'personal', holder, messages: [], passed: [] })
      say(known(id), {
        author: { type: 'user', userId: '5963c0d619a30a2e00de36b8', displayName: 'Ada' },
        content:
          text === undefined
            ? { type: 'image', mediaUrl: 'https://media.example/1.png' }
            : { type: 'text', text },
        source: { type: 'web', integrationId: '5d83a25d9916b64a83ed25e8' },
      })
      return id
    },
    agentWrites: (id: string, text: string) => {
      known(id).holder = 'zd-agentWorkspace'
      say(known(id), {
        author: { type: 'business', displayName: 'Grace' },
        content: { type: 'text', text },
        source: { type: 'zd:agentWorkspace' },
      })
    },
    botSays: (id: string, text: string) =>
      void say(known(id), {
        author: { type: 'business', displayName: 'Bot' },
        content: { type: 'text', text },
        source: { type: 'zd:answerBot' },
      }),
    solve: (id: string) => {
      known(id).holder = 'citewell'
    },
    conversation: known,
    delete: (id: string) => void conversations.delete(id),
    delivery: (...about: string[]) =>
      JSON.stringify({
        app: { id: APP },
        webhook: { id: '5e554d2cac66fb73a3c01869', version: 'v2' },
        events: about.map((id) => {
          const message = conversations.get(id)?.messages.at(-1)
          return {
            id: `event_${message?.id ?? id}`,
            type: 'conversation:message',
            createdAt: new Date().toISOString(),
            payload: {
              conversation: { id, type: 'personal' },
              // What it says is not used.
              message: {
                ...message,
                author: message?.author ?? { type: 'user' },
                content: { type: 'text', text: '' },
              },
            },
          }
        }),
      }),
    answersOf: (id: string) =>
      known(id)
        .messages.filter(({ source }) => source.type === 'api:conversations')
        .map(({ content }) => content.text ?? ''),
  })
  return standIn
}
