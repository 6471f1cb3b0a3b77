import { z } from 'zod'
import {
  startStandIn,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'

const Note = z.strictObject({
  body: z.string().min(1),
  content_type: z.literal('text/plain'),
  type: z.literal('note'),
  internal: z.literal(true),
})
const Mail = z.strictObject({
  to: z.email(),
  subject: z.string(),
  body: z.string().min(1),
  content_type: z.literal('text/plain'),
  type: z.literal('email'),
  internal: z.literal(false),
})
const Update = z.strictObject({
  group: z.string().optional(),
  state: z.string().optional(),
  article: z.discriminatedUnion('type', [Note, Mail]),
})
const Creation = z.strictObject({
  title: z.string().min(1),
  group: z.string(),
  customer_id: z.int(),
  article: Note,
})
const Tag = z.strictObject({ item: z.string(), object: z.literal('Ticket'), o_id: z.int() })

interface Article {
  id: number
  sender: string
  type: string
  internal: boolean
  from: string
  body: string
  content_type: string
  created_by_id: number
  preferences: Record<string, unknown>
}

export interface ZammadTicketHere {
  id: number
  title: string
  group: string
  state: string
  customer_id: number
  tags: string[]
  updated_at: string
  articles: Article[]
}

const US = 5
const AGENT = 6
const GROUPS = ['Users', 'People']
const STATES = ['new', 'open', 'closed', 'merged']

export interface ZammadStandIn extends StandInServer {
  credentials: { token: string; signature_token: string }
  /** False: its agent may see no tickets. */
  agent: { maySee: boolean }
  /** A customer writes: a new ticket, or on the one of this id. Returns its id. */
  write(
    text: string,
    given?: {
      ticket?: string
      type?: string
      group?: string
      email?: string | null
      isAutoResponse?: boolean
    },
  ): string
  agentWrites(ticket: string, text: string, given?: { internal?: boolean }): void
  /** What a trigger of Zammad sends to the customer. */
  acknowledges(ticket: string): void
  ticket(id: string): ZammadTicketHere
  opened(): ZammadTicketHere[]
  delete(ticket: string): void
  /** What a webhook delivers of a ticket. */
  delivery(ticket: string): string
  answersOf(id: string): string[]
  notesOf(id: string): string[]
  losesAnswer: boolean
}

/** The API 1 of Zammad as far as tickets use it, as https://docs.zammad.org/en/latest/api/intro.html describes it: stateful and strict. */
export async function startZammadStandIn(): Promise<ZammadStandIn> {
  const credentials = { token: 'zammad-token', signature_token: 'zammad-signature' }
  const agent = { maySee: true }
  const tickets = new Map<number, ZammadTicketHere>()
  const emails = new Map<number, string | null>([[US, 'bot@acme.example']])
  let ids = 100
  let clock = Date.UTC(2026, 0, 1)

  const next = () => (ids += 1)
  const tick = () => {
    clock += 1_000
    return new Date(clock).toISOString()
  }
  const known = (id: string): ZammadTicketHere => {
    const ticket = tickets.get(Number(id))
    if (ticket === undefined) throw new Error(`There is no ticket ${id}.`)
    return ticket
  }
  function say(
    ticket: ZammadTicketHere,
    fields: Pick<Article, 'sender' | 'body'> & Partial<Article>,
  ): Article {
    const article: Article = {
      id: next(),
      type: 'email',
      internal: false,
      from: '',
      content_type: 'text/plain',
      created_by_id: US,
      preferences: {},
      ...fields,
    }
    ticket.articles.push(article)
    ticket.updated_at = tick()
    return article
  }
  function add(fields: Pick<ZammadTicketHere, 'title' | 'group' | 'customer_id'>): ZammadTicketHere {
    const ticket = { ...fields, id: next(), state: 'new', tags: [], updated_at: tick(), articles: [] }
    tickets.set(ticket.id, ticket)
    return ticket
  }

  const refusal = (status: number, error: string): StandInAnswer => ({
    status,
    body: { error, error_human: error },
  })
  const missing = (what: string, id: string) => refusal(404, `Couldn't find ${what} with 'id'=${id}`)
  const bodyOf = <Schema extends z.ZodType>(
    schema: Schema,
    body: unknown,
    take: (given: z.infer<Schema>) => StandInAnswer,
  ): StandInAnswer => {
    const given = schema.safeParse(body)
    return given.success ? take(given.data) : refusal(422, given.error.message)
  }
  /** Names are beside the ids only if they are asked for. */
  const shown = ({ group, state, ...ticket }: ZammadTicketHere, query: URLSearchParams) => ({
    ...ticket,
    articles: undefined,
    tags: undefined,
    group_id: GROUPS.indexOf(group) + 1,
    state_id: STATES.indexOf(state) + 1,
    ...(query.get('expand') === 'true' && { group, state }),
  })

  const update = (ticket: ZammadTicketHere, { body, query }: StandInRequest): StandInAnswer =>
    bodyOf(Update, body, ({ group, state, article }) => {
      if (group !== undefined && !GROUPS.includes(group))
        return refusal(422, `No lookup value found for 'group': "${group}"`)
      if (state !== undefined && !STATES.includes(state))
        return refusal(422, `No lookup value found for 'state': "${state}"`)
      say(ticket, { ...article, sender: 'Agent', from: 'Citewell' })
      Object.assign(ticket, { ...(group !== undefined && { group }), ...(state !== undefined && { state }) })
      if (!standIn.losesAnswer) return { body: shown(ticket, query) }
      standIn.losesAnswer = false
      return { hangsUp: true, body: undefined }
    })

  function posted(path: string, { body, query }: StandInRequest): StandInAnswer {
    if (path === '/tags/add')
      return bodyOf(Tag, body, ({ item, o_id: id }) => {
        const ticket = tickets.get(id)
        if (ticket === undefined) return missing('Ticket', String(id))
        ticket.tags = [...new Set([...ticket.tags, item])]
        return { status: 201, body: true }
      })
    if (path !== '/tickets') return refusal(404, 'No route matches')
    return bodyOf(Creation, body, ({ article, ...fields }) => {
      const ticket = add(fields)
      say(ticket, { ...article, sender: 'Agent' })
      return { status: 201, body: shown(ticket, query) }
    })
  }

  function got(path: string, { query }: StandInRequest): StandInAnswer {
    if (path === '/users/me') return { body: { id: US, email: emails.get(US) } }
    if (!agent.maySee) return refusal(403, 'Not authorized')
    if (path === '/tickets') return { body: [...tickets.values()].map((ticket) => shown(ticket, query)) }
    const [, what = '', id = ''] = /^\/(users|tickets|ticket_articles\/by_ticket)\/(\d+)$/.exec(path) ?? []
    if (what === 'users')
      return emails.has(Number(id))
        ? { body: { id: Number(id), email: emails.get(Number(id)) } }
        : missing('User', id)
    const ticket = tickets.get(Number(id))
    if (ticket === undefined) return missing('Ticket', id)
    return { body: what === 'tickets' ? shown(ticket, query) : ticket.articles }
  }

  const server = await startStandIn((request: StandInRequest): StandInAnswer => {
    const { method, path, headers } = request
    const [, below = ''] = /^\/api\/v1(\/.+)$/.exec(path) ?? []
    if (below === '') return refusal(404, 'No route matches')
    if (headers.authorization !== `Token token=${credentials.token}`)
      return refusal(401, "Can't find User for Token")
    if (method === 'GET') return got(below, request)
    if (method === 'POST') return posted(below, request)
    const [, id = ''] = /^\/tickets\/(\d+)$/.exec(below) ?? []
    if (method !== 'PUT' || id === '') return refusal(404, 'No route matches')
    const ticket = tickets.get(Number(id))
    return ticket === undefined ? missing('Ticket', id) : update(ticket, request)
  })

  const ofUs = (id: string, internal: boolean) =>
    known(id)
      .articles.filter(
        (one) => one.created_by_id === US && one.sender === 'Agent' && one.internal === internal,
      )
      .map(({ body }) => body)

  const standIn: ZammadStandIn = Object.assign(server, {
    credentials,
    agent,
    losesAnswer: false,
    write: (text: string, given: Parameters<ZammadStandIn['write']>[1] = {}) => {
      const { type = 'email', group = 'Users', isAutoResponse = false } = given
      let ticket = given.ticket === undefined ? undefined : known(given.ticket)
      if (ticket === undefined) {
        const customer = next()
        const { email = `customer${customer}@mail.example` } = given
        emails.set(customer, email)
        ticket = add({ title: 'Help', group, customer_id: customer })
      } else ticket.state = 'open'
      say(ticket, {
        sender: 'Customer',
        type,
        from: `Ada <${emails.get(ticket.customer_id) ?? ''}>`,
        body: `<div>${text}</div>`,
        content_type: 'text/html',
        created_by_id: ticket.customer_id,
        preferences: isAutoResponse ? { 'is-auto-response': true, 'send-auto-response': false } : {},
      })
      return String(ticket.id)
    },
    agentWrites: (id: string, text: string, { internal = false } = {}) =>
      void say(known(id), {
        sender: 'Agent',
        type: internal ? 'note' : 'email',
        body: text,
        internal,
        created_by_id: AGENT,
      }),
    acknowledges: (id: string) =>
      void say(known(id), { sender: 'System', body: 'We got your message.', created_by_id: 1 }),
    ticket: known,
    opened: () => [...tickets.values()].filter(({ customer_id: of }) => of === US),
    delete: (id: string) => void tickets.delete(Number(id)),
    delivery: (id: string) =>
      JSON.stringify({
        ticket: {
          id: Number(id),
          title: 'What a delivery says is not used.',
          updated_at: tickets.get(Number(id))?.updated_at,
        },
        article: { body: 'Neither is this.' },
      }),
    answersOf: (id: string) => ofUs(id, false),
    notesOf: (id: string) => ofUs(id, true),
  })
  return standIn
}
