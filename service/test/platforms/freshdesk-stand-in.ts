import { z } from 'zod'
import {
  startStandIn,
  unknownFields,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'

const Body = z.string().min(1).max(65_535)
const Status = z.union([z.literal(2), z.literal(3), z.literal(4), z.literal(5)])
const Tags = z.array(z.string().min(1).max(32))

const Reply = z.strictObject({ body: Body })
const Note = z.strictObject({ body: Body, private: z.literal(true) })
const Update = z.strictObject({
  status: Status.optional(),
  group_id: z.int().optional(),
  tags: Tags.optional(),
})
const Creation = z.strictObject({
  email: z.email(),
  subject: z.string().min(1).max(255),
  description: Body,
  status: Status,
  priority: z.int().min(1).max(4),
  tags: Tags,
  group_id: z.int().optional(),
})

interface Conversation {
  id: number
  body: string
  body_text: string
  incoming: boolean
  private: boolean
  user_id: number
  source: number
  created_at: string
}

export interface FreshdeskTicketHere {
  id: number
  subject: string
  description: string
  description_text: string
  status: number
  source: number
  requester_id: number
  group_id: number | null
  tags: string[]
  spam: boolean
  created_at: string
  updated_at: string
  said: Conversation[]
}

const US = 8_000
const AGENT = 8_001
const GROUPS = [42, 43]
const REPLY = 0
const NOTE = 2
const SURVEY = 6

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, '')

export interface FreshdeskStandIn extends StandInServer {
  credentials: { api_key: string; hook_secret: string }
  /** What the agent of the key may do, and whether the account is paid for. */
  agent: { scope: number; mayAnswer: boolean; isSuspended: boolean }
  /** A customer writes: a new ticket, or on the one of this id. Returns its id. */
  write(
    text: string,
    given?: { ticket?: string; source?: number; group?: number; from?: string; email?: string },
  ): string
  agentWrites(ticket: string, text: string, given?: { private?: boolean }): void
  rates(ticket: string): void
  ticket(id: string): FreshdeskTicketHere
  opened(): FreshdeskTicketHere[]
  delete(ticket: string): void
  /** The replies of the automation, without their markup. */
  answersOf(id: string): string[]
  notesOf(id: string): string[]
  /** The next message is taken, and its answer lost. */
  losesAnswer: boolean
}

/** The API 2 of Freshdesk as far as tickets use it, as https://developers.freshdesk.com/api describes it: stateful and strict. */
export async function startFreshdeskStandIn(): Promise<FreshdeskStandIn> {
  const credentials = { api_key: 'freshdesk-key', hook_secret: 'a secret that the owner made up' }
  const agent = { scope: 1, mayAnswer: true, isSuspended: false }
  const tickets = new Map<number, FreshdeskTicketHere>()
  const emails = new Map<number, string>([[US, 'bot@acme.example']])
  let ids = 300
  // In the past: what changes at the present second may change again.
  let clock = Date.now() - 3_600_000

  const next = () => (ids += 1)
  const tick = () => {
    clock += 1_000
    return new Date(clock).toISOString().replace(/\.\d+Z$/, 'Z')
  }
  const known = (id: string): FreshdeskTicketHere => {
    const ticket = tickets.get(Number(id))
    if (ticket === undefined) throw new Error(`There is no ticket ${id}.`)
    return ticket
  }
  function say(
    ticket: FreshdeskTicketHere,
    user_id: number,
    html: string,
    given: { incoming?: boolean; private?: boolean; source?: number } = {},
  ): Conversation {
    const { incoming = false, private: isPrivate = false, source = REPLY } = given
    ticket.updated_at = tick()
    const one = {
      id: next(),
      body: html,
      body_text: plain(html),
      incoming,
      private: isPrivate,
      user_id,
      source,
      created_at: ticket.updated_at,
    }
    ticket.said.push(one)
    return one
  }

  function add(
    fields: Pick<FreshdeskTicketHere, 'subject' | 'description' | 'requester_id'> &
      Partial<FreshdeskTicketHere>,
  ): FreshdeskTicketHere {
    const at = tick()
    const ticket: FreshdeskTicketHere = {
      id: next(),
      status: 2,
      source: 1,
      group_id: null,
      tags: [],
      spam: false,
      created_at: at,
      updated_at: at,
      description_text: plain(fields.description),
      said: [],
      ...fields,
    }
    tickets.set(ticket.id, ticket)
    return ticket
  }

  const refusal = (status: number, code: string, message: string): StandInAnswer => ({
    status,
    body: { code, message },
  })
  const invalid = (field: string, message: string, code: string): StandInAnswer => ({
    status: 400,
    body: { description: 'Validation failed', errors: [{ field, message, code }] },
  })
  const denied = () => refusal(403, 'access_denied', 'You are not authorized to perform this action.')
  const missing: StandInAnswer = { status: 404, body: '' }

  const bodyOf = <Schema extends z.ZodType>(
    schema: Schema,
    body: unknown,
    take: (given: z.infer<Schema>) => StandInAnswer,
  ): StandInAnswer => {
    const given = schema.safeParse(body)
    if (given.success) return take(given.data)
    const [issue] = given.error.issues
    const field = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]
    return invalid(String(field), 'Unexpected/invalid field in request', 'invalid_field')
  }

  const shown = (ticket: FreshdeskTicketHere) => ({
    ...ticket,
    said: undefined,
    priority: 1,
    responder_id: null,
    due_by: null,
    custom_fields: {},
  })

  function list({ query }: StandInRequest): StandInAnswer {
    const [unknown] = unknownFields(query, [
      'requester_id',
      'updated_since',
      'order_by',
      'order_type',
      'per_page',
      'page',
    ])
    if (unknown !== undefined) return invalid(unknown, 'Unexpected/invalid field in request', 'invalid_field')
    const size = Number(query.get('per_page') ?? 30)
    const page = Number(query.get('page') ?? 1)
    if (!(size >= 1 && size <= 100))
      return invalid('per_page', 'It should be a Positive Integer less than or equal to 100', 'invalid_value')
    if (page > 300) return invalid('page', 'You have exceeded the limit of 300 pages', 'invalid_value')
    const since = query.get('updated_since')
    if (since !== null && Number.isNaN(Date.parse(since)))
      return invalid(
        'updated_since',
        "It should be in the 'combined date and time ISO8601' format",
        'invalid_date',
      )
    const by = query.get('order_by') === 'updated_at' ? 'updated_at' : 'created_at'
    const requester = query.get('requester_id')
    const found = [...tickets.values()]
      .filter(({ spam, requester_id: of }) => !spam && (requester === null || of === Number(requester)))
      .filter(({ updated_at: at }) => since === null || Date.parse(at) >= Date.parse(since))
      .toSorted((one, other) => one[by].localeCompare(other[by]))
    const ordered = query.get('order_type') === 'asc' ? found : found.toReversed()
    const listed = ordered.slice((page - 1) * size, page * size).map((ticket) => {
      return { ...shown(ticket), description: undefined, description_text: undefined }
    })
    return { body: listed }
  }

  function post(ticket: FreshdeskTicketHere, what: string, body: unknown): StandInAnswer {
    if (!agent.mayAnswer) return denied()
    const said =
      what === 'reply'
        ? bodyOf(Reply, body, (given) => ({ status: 201, body: say(ticket, US, given.body) }))
        : bodyOf(Note, body, (given) => ({
            status: 201,
            body: say(ticket, US, given.body, { private: true, source: NOTE }),
          }))
    if (said.status !== 201 || !standIn.losesAnswer) return said
    standIn.losesAnswer = false
    return { hangsUp: true, body: undefined }
  }

  const update = (ticket: FreshdeskTicketHere, body: unknown): StandInAnswer =>
    bodyOf(Update, body, (given) => {
      if (given.group_id !== undefined && !GROUPS.includes(given.group_id))
        return invalid('group_id', 'There is no group matching the given group_id', 'invalid_value')
      Object.assign(ticket, given, { updated_at: tick() })
      return { body: shown(ticket) }
    })

  function ofTicket({ method, path, query, body }: StandInRequest): StandInAnswer {
    const [, id = '', what = ''] =
      /^\/api\/v2\/tickets\/(\d+)(?:\/(conversations|reply|notes))?$/.exec(path) ?? []
    const ticket = tickets.get(Number(id))
    if (ticket === undefined) return missing
    if (method === 'PUT' && what === '') return update(ticket, body)
    if (method === 'POST' && ['reply', 'notes'].includes(what)) return post(ticket, what, body)
    if (method !== 'GET') return { status: 405, body: '' }
    if (what === 'conversations') return { body: ticket.said.slice(0, Number(query.get('per_page') ?? 30)) }
    const email = emails.get(ticket.requester_id)
    const isAsked = query.get('include') === 'requester'
    return { body: { ...shown(ticket), ...(isAsked && { requester: { id: ticket.requester_id, email } }) } }
  }

  const create = (body: unknown): StandInAnswer =>
    bodyOf(Creation, body, ({ subject, description, status, tags, group_id = null }) => {
      const made = add({ subject, description, status, tags, group_id, requester_id: US, source: 2 })
      return { status: 201, body: shown(made) }
    })

  const authorization = `Basic ${Buffer.from(`${credentials.api_key}:X`).toString('base64')}`

  const server = await startStandIn((request: StandInRequest): StandInAnswer => {
    const { method, path, headers, body } = request
    if (headers.authorization !== authorization)
      return refusal(401, 'invalid_credentials', 'You have to be logged in to perform this action.')
    if (agent.isSuspended) return refusal(403, 'account_suspended', 'Your account has been suspended.')
    if (path === '/api/v2/agents/me')
      return {
        body: {
          id: US,
          ticket_scope: agent.scope,
          type: 'support_agent',
          contact: { email: emails.get(US) },
        },
      }
    const [, group] = /^\/api\/v2\/groups\/(\d+)$/.exec(path) ?? []
    if (group !== undefined)
      return GROUPS.includes(Number(group)) ? { body: { id: Number(group), name: 'People' } } : missing
    if (path !== '/api/v2/tickets') return ofTicket(request)
    return method === 'POST' ? create(body) : list(request)
  })

  const ofUs = (id: string, isPrivate: boolean) =>
    known(id)
      .said.filter((one) => one.user_id === US && one.private === isPrivate)
      .map(({ body_text: text }) => text)

  const standIn: FreshdeskStandIn = Object.assign(server, {
    credentials,
    agent,
    losesAnswer: false,
    write: (text: string, given: Parameters<FreshdeskStandIn['write']>[1] = {}) => {
      const html = `<div>${text}</div>`
      if (given.ticket !== undefined) {
        const ticket = known(given.ticket)
        say(ticket, ticket.requester_id, html, { incoming: true })
        ticket.status = 2
        return given.ticket
      }
      const requester_id = given.from === undefined ? next() : Number(given.from)
      if (given.email !== undefined) emails.set(requester_id, given.email)
      const { source = 1, group = null } = given
      const fields = { subject: 'Help', description: html, requester_id, source, group_id: group }
      return String(add({ ...fields, tags: ['vip'] }).id)
    },
    agentWrites: (id: string, text: string, { private: isPrivate = false } = {}) =>
      void say(known(id), AGENT, `<div>${text}</div>`, {
        private: isPrivate,
        source: isPrivate ? NOTE : REPLY,
      }),
    rates: (id: string) =>
      void say(known(id), known(id).requester_id, '<div>Happy</div>', { incoming: true, source: SURVEY }),
    ticket: known,
    opened: () => [...tickets.values()].filter(({ requester_id: of }) => of === US),
    delete: (id: string) => void tickets.delete(Number(id)),
    answersOf: (id: string) => ofUs(id, false),
    notesOf: (id: string) => ofUs(id, true),
  })
  return standIn
}
