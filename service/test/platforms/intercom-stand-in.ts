import { z } from 'zod'
import {
  startStandIn,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'

const Reply = z.strictObject({
  type: z.literal('admin'),
  admin_id: z.string().regex(/^\d+$/),
  message_type: z.enum(['comment', 'note']),
  body: z.string().min(1),
})

const Assignment = z.strictObject({
  type: z.literal('admin'),
  admin_id: z.string().regex(/^\d+$/),
  message_type: z.literal('assignment'),
  assignee_id: z.string().regex(/^\d+$/),
})

interface Part {
  type: 'conversation_part'
  id: string
  part_type: string
  body: string | null
  author: { type: string; id: string }
}

export interface IntercomChat {
  id: string
  state: 'open' | 'closed'
  admin_assignee_id: string | null
  source: { type: string; id: string; subject: string; body: string; author: { type: string; id: string } }
  parts: Part[]
  /** Parts that are not sent: a conversation of more than 500. */
  isCut: boolean
}

export const US = '7001'
const AGENT = '7002'

export interface IntercomStandIn extends StandInServer {
  credentials: { access_token: string; client_secret: string }
  /** A customer writes: in a new conversation, or in the one of this id. Returns its id. */
  write(text: string, given?: { chat?: string; channel?: string; author?: string }): string
  agentWrites(chat: string, text: string): void
  botSays(chat: string, text: string): void
  chat(id: string): IntercomChat
  delete(id: string): void
  /** What customers see of us. */
  answersOf(id: string): string[]
  notesOf(id: string): string[]
  losesAnswer: boolean
}

/** The API of Intercom as far as chats use it: stateful and strict. */
export async function startIntercomStandIn(): Promise<IntercomStandIn> {
  const credentials = { access_token: 'intercom-token', client_secret: 'intercom-client-secret' }
  const chats = new Map<string, IntercomChat>()
  let ids = 100

  const nextId = () => String((ids += 1))
  const known = (id: string): IntercomChat => {
    const chat = chats.get(id)
    if (chat === undefined) throw new Error(`There is no conversation ${id}.`)
    return chat
  }
  const say = (chat: IntercomChat, part_type: string, author: Part['author'], body: string | null) =>
    void chat.parts.push({ type: 'conversation_part', id: nextId(), part_type, body, author })

  const shown = ({ parts, isCut, ...chat }: IntercomChat) => ({
    type: 'conversation',
    ...chat,
    open: chat.state === 'open',
    conversation_parts: {
      type: 'conversation_part.list',
      conversation_parts: parts,
      total_count: parts.length + (isCut ? 400 : 0),
    },
  })

  const refusal = (status: number, code: string): StandInAnswer => ({
    status,
    body: { type: 'error.list', request_id: 'x', errors: [{ code, message: 'no' }] },
  })

  function write(chat: IntercomChat, what: string, body: unknown): StandInAnswer {
    if (what === 'parts') {
      const given = Assignment.safeParse(body)
      if (!given.success) return refusal(400, 'parameter_invalid')
      chat.admin_assignee_id = given.data.assignee_id === '0' ? null : given.data.assignee_id
      say(chat, 'assignment', { type: 'admin', id: given.data.admin_id }, null)
      return { body: shown(chat) }
    }
    const given = Reply.safeParse(body)
    if (!given.success) return refusal(400, 'parameter_invalid')
    say(chat, given.data.message_type, { type: 'admin', id: given.data.admin_id }, given.data.body)
    if (!standIn.losesAnswer) return { body: shown(chat) }
    standIn.losesAnswer = false
    return { hangsUp: true, body: undefined }
  }

  const server = await startStandIn(({ method, path, headers, body }: StandInRequest): StandInAnswer => {
    if (headers.authorization !== `Bearer ${credentials.access_token}`) return refusal(401, 'unauthorized')
    if (headers['intercom-version'] !== '2.14') return refusal(400, 'intercom_version_invalid')
    if (method === 'GET' && path === '/me')
      return { body: { type: 'admin', id: US, email: 'bot@acme.example', app: { name: 'Acme' } } }
    const [, id = '', what = ''] = /^\/conversations\/(\d+)(?:\/(reply|parts))?$/.exec(path) ?? []
    const chat = chats.get(id)
    if (chat === undefined) return refusal(404, 'not_found')
    if (method === 'GET' && what === '') return { body: shown(chat) }
    return method === 'POST' && what !== '' ? write(chat, what, body) : refusal(405, 'method_not_allowed')
  })

  const ofUs = (id: string, kind: string) =>
    known(id)
      .parts.filter(({ author, part_type: type }) => author.id === US && type === kind)
      .map(({ body }) => body ?? '')

  const standIn: IntercomStandIn = Object.assign(server, {
    credentials,
    losesAnswer: false,
    write: (
      text: string,
      { chat: on, channel = 'conversation', author = 'user' }: Parameters<IntercomStandIn['write']>[1] = {},
    ) => {
      const customer = { type: author, id: '6f2' }
      const body = `<p>${text}</p>`
      if (on !== undefined) {
        say(known(on), 'comment', customer, body)
        known(on).state = 'open'
        return on
      }
      const id = nextId()
      chats.set(id, {
        id,
        state: 'open',
        admin_assignee_id: null,
        source: { type: channel, id: nextId(), subject: '', body, author: customer },
        parts: [],
        isCut: false,
      })
      return id
    },
    agentWrites: (id: string, text: string) =>
      say(known(id), 'comment', { type: 'admin', id: AGENT }, `<p>${text}</p>`),
    botSays: (id: string, text: string) =>
      say(known(id), 'comment', { type: 'bot', id: '1' }, `<p>${text}</p>`),
    chat: known,
    delete: (id: string) => void chats.delete(id),
    answersOf: (id: string) => ofUs(id, 'comment'),
    notesOf: (id: string) => ofUs(id, 'note'),
  })
  return standIn
}
