import type { z } from 'zod'
import {
  startStandIn,
  unknownFields,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'
import {
  Grant,
  Note,
  Patch,
  Reply,
  shown,
  Tags,
  threadsOf,
  type HelpscoutConversationHere,
  type Person,
  type Thread,
} from './helpscout-records.ts'

export const US: Person = { id: 70, type: 'user', email: 'citewell@acme.example' }
export const ADA: Person = { id: 71, type: 'user', email: 'ada@acme.example' }
export const TEAM = 80
const INBOXES = [11, 12]
const PER_PAGE = 25
const MINUTE = 60_000

export interface HelpscoutStandIn extends StandInServer {
  credentials: { app_id: string; app_secret: string; hook_secret: string }
  /** A customer writes: in a new conversation, or in the one of this id. Returns its id. */
  write(
    text: string,
    given?: {
      chat?: string
      from?: string
      type?: string
      inbox?: number
      /** Headers of the mail; null: Help Scout no longer has it. */
      headers?: string | null
    },
  ): string
  agentWrites(chat: string, text: string, given?: { type?: string; by?: string }): void
  /** What Help Scout notes by itself. */
  notes(chat: string): void
  /** A person sends the draft on: it stays the one of its author. */
  sendsDraft(chat: string): void
  chat(id: string): HelpscoutConversationHere
  delete(id: string): void
  /** It is part of another one from now on. */
  merge(id: string): void
  /** The tokens that were given out are valid no more. */
  revokeTokens(): void
  /** How many were given out. */
  tokens(): number
  delivery(chat: string): string
  answersOf(id: string): string[]
  draftsOf(id: string): string[]
  notesOf(id: string): string[]
  losesAnswer: boolean
}

const plain = (html: string) =>
  html
    .replaceAll(/<br>|<\/p>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .trim()

/** The Inbox API 2.0 of Help Scout as far as conversations use it (developer.helpscout.com/mailbox-api): stateful and strict. */
export async function startHelpscoutStandIn(): Promise<HelpscoutStandIn> {
  const credentials = { app_id: 'app-1', app_secret: 'app-secret', hook_secret: 'hook-secret' }
  const chats = new Map<number, HelpscoutConversationHere>()
  const merged = new Set<number>()
  const valid = new Set<string>()
  let given = 0
  let ids = 1_000

  const next = () => (ids += 1)
  const known = (id: string): HelpscoutConversationHere => {
    const chat = chats.get(Number(id))
    if (chat === undefined) throw new Error(`There is no conversation ${id}.`)
    return chat
  }

  function say(
    chat: HelpscoutConversationHere,
    fields: Pick<Thread, 'type' | 'body' | 'createdBy'> & Partial<Thread>,
  ): Thread {
    const thread: Thread = {
      id: next(),
      status: chat.status,
      state: 'published',
      action: {},
      source: { type: 'email', via: fields.createdBy.type === 'customer' ? 'customer' : 'user' },
      createdAt: new Date().toISOString(),
      ...fields,
    }
    chat.all.push(thread)
    chat.modifiedAt = Date.now()
    return thread
  }

  const refusal = (status: number, message: string, path = ''): StandInAnswer => ({
    status,
    body: {
      logRef: '64bb72b4-0a92-11e8-ba89-0ed5f89f718b',
      message,
      ...(path !== '' && { _embedded: { errors: [{ path, message, source: 'JSON' }] } }),
    },
  })
  const bodyOf = <Schema extends z.ZodType>(
    schema: Schema,
    body: unknown,
    take: (read: z.infer<Schema>) => StandInAnswer,
  ): StandInAnswer => {
    const read = schema.safeParse(body)
    return read.success
      ? take(read.data)
      : refusal(400, 'Bad request', String(read.error.issues[0]?.path.join('.')))
  }

  function lost(answer: StandInAnswer): StandInAnswer {
    if (!standIn.losesAnswer || (answer.status ?? 200) >= 300) return answer
    standIn.losesAnswer = false
    return { hangsUp: true, body: undefined }
  }

  const created = (thread: Thread): StandInAnswer => ({
    status: 201,
    headers: { 'resource-id': String(thread.id) },
    body: '',
  })

  function posted(chat: HelpscoutConversationHere, what: string, body: unknown): StandInAnswer {
    if (!['reply', 'notes'].includes(what)) return refusal(405, 'Method not allowed')
    if (threadsOf(chat).length >= 100) return refusal(412, 'Conversation has too many threads')
    if (what === 'reply')
      return bodyOf(Reply, body, ({ customer, text, draft, status, assignTo }) => {
        if (customer.id !== chat.primaryCustomer.id) return refusal(400, 'Bad request', 'customer')
        const state = draft === true ? 'draft' : 'published'
        const thread = say(chat, { type: 'message', body: text, createdBy: US, state })
        chat.status = status ?? 'active'
        if (draft === true) return created(thread)
        chat.waitingSince = undefined
        if (assignTo === undefined) chat.assignee ??= US
        else if (assignTo === null) chat.assignee = undefined
        return created(thread)
      })
    return bodyOf(Note, body, ({ text, status }) => {
      chat.status = status ?? 'active'
      return created(say(chat, { type: 'note', body: text, createdBy: US }))
    })
  }

  function changed(chat: HelpscoutConversationHere, change: string, body: unknown): StandInAnswer {
    if (change === 'PUT tags')
      return bodyOf(Tags, body, ({ tags }) => {
        chat.tags = tags
        chat.modifiedAt = Date.now()
        return { status: 204, body: '' }
      })
    if (change !== 'PATCH ') return refusal(405, 'Method not allowed')
    return bodyOf(Patch, body, ({ value }) => {
      const user = [US, ADA].find(({ id }) => id === value)
      if (user === undefined && value !== TEAM) return refusal(400, 'Bad request', 'value')
      chat.assignee = user ?? { id: TEAM, type: 'team', email: '' }
      chat.modifiedAt = Date.now()
      return { status: 204, body: '' }
    })
  }

  function ofConversation({ method, path, query, body }: StandInRequest): StandInAnswer {
    const [, id = '', what = '', thread = ''] =
      /^\/conversations\/(\d+)(?:\/(reply|notes|tags|threads\/(\d+)\/original-source))?$/.exec(path) ?? []
    if (merged.has(Number(id)))
      return { status: 301, headers: { location: `${standIn.origin}/conversations/1` }, body: '' }
    const chat = chats.get(Number(id))
    if (chat === undefined) return refusal(404, 'Not found')
    if (method === 'POST') return lost(posted(chat, what, body))
    if (method !== 'GET') return changed(chat, `${method} ${what}`, body)
    if (thread !== '') {
      const original = chat.sources.get(Number(thread))
      return original === undefined ? refusal(404, 'Not found') : { body: { original } }
    }
    if (what !== '') return refusal(405, 'Method not allowed')
    return { body: shown(chat, query.get('embed') === 'threads') }
  }

  function list({ query }: StandInRequest): StandInAnswer {
    const known = ['mailbox', 'status', 'modifiedSince', 'sortField', 'sortOrder', 'page']
    const [unknown] = unknownFields(query, known)
    if (unknown !== undefined) return refusal(400, 'Bad request', unknown)
    const since = query.get('modifiedSince') ?? ''
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(since)) return refusal(400, 'Bad request', 'modifiedSince')
    const inboxes = (query.get('mailbox') ?? INBOXES.join(',')).split(',').map(Number)
    if (inboxes.some((inbox) => !INBOXES.includes(inbox))) return refusal(404, 'Not found')
    const status = query.get('status') ?? 'active'
    const isListed = (chat: HelpscoutConversationHere) =>
      status === 'all' ||
      chat.status === status ||
      (status === 'open' && ['active', 'pending'].includes(chat.status))
    const by = query.get('sortField') ?? 'createdAt'
    if (by !== 'createdAt' && by !== 'modifiedAt') return refusal(400, 'Bad request', 'sortField')
    const order = query.get('sortOrder') ?? 'desc'
    if (!['asc', 'desc'].includes(order)) return refusal(400, 'Bad request', 'sortOrder')
    const found = [...chats.values()]
      .filter((chat) => !merged.has(chat.id) && inboxes.includes(chat.mailboxId) && isListed(chat))
      .filter(({ modifiedAt }) => modifiedAt >= Date.parse(since))
      .toSorted((one, other) => one[by] - other[by] || one.id - other.id)
    const ordered = order === 'asc' ? found : found.toReversed()
    const page = Number(query.get('page') ?? 1)
    const items = ordered.slice((page - 1) * PER_PAGE, page * PER_PAGE)
    return {
      body: {
        ...(items.length > 0 && { _embedded: { conversations: items.map((chat) => shown(chat, false)) } }),
        page: {
          size: PER_PAGE,
          totalElements: found.length,
          totalPages: Math.ceil(found.length / PER_PAGE),
          number: page,
        },
      },
    }
  }

  const userOf = ({ id, email }: Person) => ({ id, firstName: 'Citewell', lastName: 'Bot', email })

  function got(path: string): StandInAnswer {
    if (path === '/users/me') return { body: userOf(US) }
    if (path === '/teams') return { body: { _embedded: { teams: [{ id: TEAM, name: 'People' }] } } }
    const [, what = '', id = ''] = /^\/(users|mailboxes)\/(\d+)$/.exec(path) ?? []
    const user = [US, ADA].find((one) => one.id === Number(id))
    if (what === 'users' && user !== undefined) return { body: userOf(user) }
    if (what === 'mailboxes' && INBOXES.includes(Number(id)))
      return { body: { id: Number(id), name: 'Help' } }
    return refusal(404, 'Not found')
  }

  const grant = (body: unknown): StandInAnswer =>
    bodyOf(Grant, body, ({ client_id: id, client_secret: secret }) => {
      if (id !== credentials.app_id || secret !== credentials.app_secret)
        return {
          status: 400,
          body: { error: 'invalid_client', error_description: 'Client authentication failed' },
        }
      const token = `token-${(given += 1)}`
      valid.add(token)
      return { body: { token_type: 'bearer', access_token: token, expires_in: 172_800 } }
    })

  const server = await startStandIn((request: StandInRequest): StandInAnswer => {
    const { method, path, headers, body } = request
    if (path === '/oauth2/token' && method === 'POST') return grant(body)
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
    if (!valid.has(token))
      return { status: 401, body: { error: 'invalid_token', error_description: 'Access token is invalid' } }
    if (path === '/conversations' && method === 'GET') return list(request)
    if (path.startsWith('/conversations/')) return ofConversation(request)
    return method === 'GET' ? got(path) : refusal(405, 'Method not allowed')
  })

  const ofUs = (id: string, type: string, state: string) =>
    known(id)
      .all.filter((one) => one.createdBy === US && one.type === type && one.state === state)
      .map(({ body }) => plain(body))

  const standIn: HelpscoutStandIn = Object.assign(server, {
    credentials,
    losesAnswer: false,
    write: (text: string, options: Parameters<HelpscoutStandIn['write']>[1] = {}) => {
      const { from = `customer${ids}@mail.example`, type = 'email', inbox = 11, headers = '' } = options
      let chat = options.chat === undefined ? undefined : known(options.chat)
      if (chat === undefined) {
        chat = {
          id: next(),
          type,
          status: 'active',
          state: 'published',
          subject: 'Help',
          mailboxId: inbox,
          assignee: undefined,
          primaryCustomer: { id: next(), type: 'customer', email: from },
          tags: ['vip'],
          createdAt: Date.now(),
          modifiedAt: 0,
          waitingSince: undefined,
          all: [],
          sources: new Map(),
        }
        chats.set(chat.id, chat)
      } else chat.status = 'active'
      chat.waitingSince ??= new Date().toISOString()
      const thread = say(chat, {
        type: 'customer',
        body: `${text}<br>`,
        createdBy: chat.primaryCustomer,
      })
      const mail = `From: ${chat.primaryCustomer.email}\r\nSubject: Help\r\n${headers ?? ''}\r\n${text}\r\n`
      if (headers !== null) chat.sources.set(thread.id, mail)
      return String(chat.id)
    },
    agentWrites: (id: string, text: string, { type = 'message', by = '' } = {}) => {
      const chat = known(id)
      say(chat, { type, body: text, createdBy: ADA, action: by === '' ? {} : { type: by } })
      if (type === 'message') chat.waitingSince = undefined
    },
    notes: (id: string) =>
      void say(known(id), {
        type: 'lineitem',
        body: 'Ada changed the status.',
        createdBy: ADA,
        action: { type: 'status' },
      }),
    sendsDraft: (id: string) => {
      const draft = known(id).all.find(({ state }) => state === 'draft')
      if (draft !== undefined) draft.state = 'published'
      known(id).modifiedAt = Date.now()
    },
    chat: known,
    delete: (id: string) => void chats.delete(Number(id)),
    merge: (id: string) => void merged.add(Number(id)),
    revokeTokens: () => valid.clear(),
    tokens: () => given,
    delivery: (id: string) => {
      const chat = chats.get(Number(id))
      return JSON.stringify({
        id: Number(id),
        subject: 'What a delivery says is not used.',
        threads: chat === undefined ? 0 : threadsOf(chat).length,
        userUpdatedAt: new Date(Math.floor((chat?.modifiedAt ?? 0) / MINUTE) * MINUTE).toISOString(),
      })
    },
    answersOf: (id: string) => ofUs(id, 'message', 'published'),
    draftsOf: (id: string) => ofUs(id, 'message', 'draft'),
    notesOf: (id: string) => ofUs(id, 'note', 'published'),
  })
  return standIn
}
