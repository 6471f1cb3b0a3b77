import type { z } from 'zod'
import {
  startStandIn,
  unknownFields,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'
import {
  Assignee,
  Change,
  Comment,
  Draft,
  Reply,
  Tags,
  type Event,
  type FrontConversationHere,
  type Message,
} from './front-records.ts'

export const US = 'tea_us'
const AGENT = 'tea_ada'
const THERE: Record<string, readonly string[]> = {
  teammates: [US, AGENT],
  channels: ['cha_help'],
  inboxes: ['inb_help', 'inb_people', 'inb_sales'],
  tags: ['tag_answered', 'tag_unanswered'],
}

export interface FrontStandIn extends StandInServer {
  credentials: { api_token: string; signing_key: string }
  /** What the token may read. */
  scopes: { events: boolean }
  /** A customer writes: in a new conversation, or in the one of this id. Returns its id. */
  write(
    text: string,
    given?: {
      chat?: string
      from?: string
      type?: string
      inbox?: string
      /** After what was said last. */
      secondsLater?: number
    },
  ): string
  /** A message that Front shows without an author: of a rule, or sent with another program. */
  sendsWithoutAuthor(chat: string, text: string, secondsLater: number): void
  agentWrites(chat: string, text: string): void
  comments(chat: string, text: string): void
  /** A person sends the draft on. */
  sendsDraft(chat: string): void
  chat(id: string): FrontConversationHere
  delete(id: string): void
  /** What Front delivers of the last message of a customer. */
  delivery(chat: string, event?: string): string
  answersOf(id: string): string[]
  draftsOf(id: string): string[]
  notesOf(id: string): string[]
  losesAnswer: boolean
}

/** The Core API of Front as far as conversations use it (frontapp/front-api-specs, core-api.json): stateful and strict. */
export async function startFrontStandIn(): Promise<FrontStandIn> {
  const credentials = { api_token: 'front-token', signing_key: 'front-signing-key' }
  const scopes = { events: true }
  const chats = new Map<string, FrontConversationHere>()
  const events: Event[] = []
  let ids = 100
  let clock = Math.floor(Date.now() / 1_000) - 3_600

  const nextId = (kind: string) => `${kind}_${(ids += 1)}`
  // Times have up to three decimal places.
  const tick = (by = 60) => (clock = Math.round((clock + by) * 1_000) / 1_000)
  const note = (type: string, { id }: FrontConversationHere) =>
    void events.push({ id: nextId('evt'), type, emitted_at: clock, conversation: id })
  const known = (id: string): FrontConversationHere => {
    const chat = chats.get(id)
    if (chat === undefined) throw new Error(`There is no conversation ${id}.`)
    return chat
  }

  function say(
    chat: FrontConversationHere,
    fields: Pick<Message, 'is_inbound' | 'author' | 'text'> & Partial<Message>,
    after?: number,
  ): Message {
    const message: Message = {
      id: nextId('msg'),
      type: 'email',
      is_draft: false,
      draft_mode: null,
      created_at: tick(after),
      recipients: [],
      body: `<p>${fields.text}</p>`,
      ...fields,
    }
    chat.messages.push(message)
    if (!message.is_draft) note(message.is_inbound ? 'inbound' : 'outbound', chat)
    return message
  }

  const refusal = (status: number, title: string, message: string): StandInAnswer => ({
    status,
    body: { _error: { status, title, message } },
  })
  const missing = () => refusal(404, 'Not found', 'Unknown resource')
  const list = (results: readonly object[], next: string | null = null): StandInAnswer => ({
    body: { _pagination: { next }, _links: {}, _results: results },
  })
  const bodyOf = <Schema extends z.ZodType>(
    schema: Schema,
    body: unknown,
    take: (given: z.infer<Schema>) => StandInAnswer,
  ): StandInAnswer => {
    const given = schema.safeParse(body)
    return given.success ? take(given.data) : refusal(400, 'Bad request', given.error.message)
  }

  const shown = ({ id, subject, status, status_category, assignee, tags }: FrontConversationHere) => ({
    id,
    subject,
    status,
    status_category,
    assignee,
    tags: tags.map((tag) => ({ id: tag })),
    is_private: false,
  })

  function lost(answer: StandInAnswer): StandInAnswer {
    if ((answer.status ?? 200) >= 300 || !standIn.losesAnswer) return answer
    standIn.losesAnswer = false
    return { hangsUp: true, body: undefined }
  }

  function posted(chat: FrontConversationHere, what: string, body: unknown): StandInAnswer {
    if (what === 'messages')
      return bodyOf(Reply, body, (given) => {
        const said = say(chat, {
          is_inbound: false,
          author: { id: given.author_id },
          text: given.text,
          body: given.body,
        })
        chat.channel = given.channel_id
        if (given.options.archive) {
          chat.status = 'archived'
          note('archive', chat)
        }
        return { status: 202, body: { status: 'accepted', message_uid: said.id } }
      })
    if (what === 'drafts')
      return bodyOf(Draft, body, (given) => {
        const author = { id: given.author_id }
        const fields = { is_inbound: false, is_draft: true, draft_mode: given.mode, author, body: given.body }
        return { body: say(chat, { ...fields, text: given.body.replaceAll(/<[^>]*>/g, '') }) }
      })
    if (what === 'comments')
      return bodyOf(Comment, body, (given) => {
        const comment = {
          id: nextId('com'),
          author: { id: given.author_id },
          body: given.body,
          posted_at: tick(),
        }
        chat.comments.push(comment)
        note('comment', chat)
        return { status: 201, body: comment }
      })
    if (what === 'tags')
      return bodyOf(Tags, body, (given) => {
        chat.tags = [...new Set([...chat.tags, ...given.tag_ids])]
        return { status: 204, body: '' }
      })
    return refusal(405, 'Method not allowed', 'no')
  }

  function changed(chat: FrontConversationHere, method: string, what: string, body: unknown): StandInAnswer {
    if (method === 'PUT' && what === 'assignee')
      return bodyOf(Assignee, body, ({ assignee_id: id }) => {
        chat.assignee = id === null ? null : { id }
        note(id === null ? 'unassign' : 'assign', chat)
        return { status: 204, body: '' }
      })
    if (method === 'PATCH' && what === '')
      return bodyOf(Change, body, ({ inbox_id: inbox }) => {
        chat.inbox = inbox
        return { status: 204, body: '' }
      })
    return refusal(405, 'Method not allowed', 'no')
  }

  function ofConversation({ method, path, query, body }: StandInRequest): StandInAnswer {
    const [, id = '', what = ''] = /^\/conversations\/(cnv_\w+)(?:\/(\w+))?$/.exec(path) ?? []
    const chat = chats.get(id)
    if (chat === undefined) return missing()
    if (method === 'POST') return lost(posted(chat, what, body))
    if (method !== 'GET') return changed(chat, method, what, body)
    const all = chat.messages.toReversed()
    const limit = Number(query.get('limit') ?? 50)
    if (limit > 100) return refusal(400, 'Bad request', 'limit must be at most 100')
    const answers: Record<string, () => StandInAnswer> = {
      '': () => ({ body: shown(chat) }),
      messages: () =>
        list(all.slice(0, limit), all.length > limit ? `${standIn.origin}${path}?page_token=2` : null),
      comments: () => list(chat.comments.toReversed()),
      inboxes: () => list([{ id: chat.inbox, name: 'Help' }]),
    }
    return answers[what]?.() ?? missing()
  }

  function listEvents({ query }: StandInRequest): StandInAnswer {
    if (!scopes.events) return refusal(403, 'Forbidden', 'Missing scope events:read')
    const [unknown] = unknownFields(query, [
      'q[types][]',
      'q[after]',
      'sort_by',
      'sort_order',
      'limit',
      'page_token',
    ])
    const limit = Number(query.get('limit') ?? 15)
    if (unknown !== undefined || limit > 15) return refusal(400, 'Bad request', `${unknown} or limit`)
    const after = Number(query.get('q[after]') ?? 0)
    const types = query.getAll('q[types][]')
    const found = events.filter(
      ({ emitted_at: at, type }) => at > after && (types.length === 0 || types.includes(type)),
    )
    const by = query.get('sort_by')
    if (by !== null && by !== 'created_at') return refusal(400, 'Bad request', 'sort_by')
    // An order is one of what the list is sorted by; otherwise the newest is the first.
    const isOldestFirst = by !== null && query.get('sort_order') === 'asc'
    const ordered = isOldestFirst ? found : found.toReversed()
    const from = Number(query.get('page_token') ?? 0)
    const page = ordered.slice(from, from + limit).map(({ conversation, ...event }) => ({
      ...event,
      conversation: { id: conversation },
    }))
    const isLast = from + limit >= ordered.length
    // Of the company's own host, as Front writes it.
    return list(page, isLast ? null : `https://acme.api.frontapp.com/events?page_token=${from + limit}`)
  }

  const server = await startStandIn((request: StandInRequest): StandInAnswer => {
    const { path, headers } = request
    if (headers.authorization !== `Bearer ${credentials.api_token}`)
      return refusal(401, 'Unauthenticated', 'JSON Web Token error')
    if (path === '/me') return { body: { id: 'cmp_1', name: 'Acme' } }
    if (path === '/events') return listEvents(request)
    if (path === '/conversations') return list([])
    const [, place = '', id = ''] = /^\/(teammates|channels|inboxes|tags)\/(\w+)$/.exec(path) ?? []
    if (place !== '') return THERE[place]?.includes(id) === true ? { body: { id } } : missing()
    return ofConversation(request)
  })

  const ofUs = (id: string, isDraft: boolean) =>
    known(id)
      .messages.filter((one) => !one.is_inbound && one.author?.id === US && one.is_draft === isDraft)
      .map(({ text }) => text)

  const standIn: FrontStandIn = Object.assign(server, {
    credentials,
    scopes,
    losesAnswer: false,
    write: (text: string, given: Parameters<FrontStandIn['write']>[1] = {}) => {
      const { from = `customer${ids}@mail.example`, type = 'email', inbox = 'inb_help' } = given
      const chat = given.chat === undefined ? undefined : known(given.chat)
      const into: FrontConversationHere = chat ?? {
        id: nextId('cnv'),
        subject: 'Help',
        status: 'unassigned',
        assignee: null,
        inbox,
        tags: [],
        channel: undefined,
        messages: [],
        comments: [],
      }
      chats.set(into.id, into)
      if (chat !== undefined && chat.status === 'archived') chat.status = 'unassigned'
      const handle = chat?.messages[0]?.recipients[0]?.handle ?? from
      const said = { is_inbound: true, author: null, type, text, recipients: [{ handle, role: 'from' }] }
      say(into, said, given.secondsLater)
      return into.id
    },
    sendsWithoutAuthor: (id: string, text: string, secondsLater: number) =>
      void say(known(id), { is_inbound: false, author: null, text }, secondsLater),
    agentWrites: (id: string, text: string) =>
      void say(known(id), { is_inbound: false, author: { id: AGENT }, text }),
    comments: (id: string, text: string) => {
      const comment = { id: nextId('com'), author: { id: AGENT }, body: text, posted_at: tick() }
      known(id).comments.push(comment)
      note('comment', known(id))
    },
    sendsDraft: (id: string) => {
      const draft = known(id).messages.find(({ is_draft: isDraft }) => isDraft)
      if (draft === undefined) return
      Object.assign(draft, { is_draft: false, draft_mode: null, created_at: tick() })
      note('outbound', known(id))
    },
    chat: known,
    delete: (id: string) => void chats.delete(id),
    delivery: (
      id: string,
      event = events.findLast((one) => one.conversation === id && one.type === 'inbound')?.id ?? 'evt_0',
    ) =>
      JSON.stringify({
        type: 'inbound_received',
        authorization: { id: 'cmp_1' },
        payload: {
          id: event,
          type: 'inbound',
          conversation: { id, subject: 'What it says is not used.' },
        },
      }),
    answersOf: (id: string) => ofUs(id, false),
    draftsOf: (id: string) => ofUs(id, true),
    notesOf: (id: string) =>
      known(id)
        .comments.filter(({ author }) => author?.id === US)
        .map(({ body }) => body),
  })
  return standIn
}
