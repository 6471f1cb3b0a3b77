import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** What a client may send of a ticket; Zendesk ignores unknown fields, this refuses them. */
const Update = z.strictObject({
  ticket: z.strictObject({
    comment: z.strictObject({ body: z.string().min(1).max(65_535), public: z.boolean() }).optional(),
    status: z.enum(['new', 'open', 'pending', 'hold', 'solved']).optional(),
    group_id: z.int().optional(),
    tags: z.array(z.string().regex(/^[\w-]+$/)).optional(),
    safe_update: z.literal(true),
    updated_stamp: z.string(),
  }),
})

/** A new ticket. */
const Creation = z.strictObject({
  ticket: z.strictObject({
    subject: z.string().min(1).max(150),
    comment: z.strictObject({ body: z.string().min(1).max(65_535), public: z.boolean() }),
    tags: z.array(z.string().regex(/^[\w-]+$/)),
  }),
})

interface Comment {
  id: number
  public: boolean
  author_id: number
  plain_body: string
}

interface Ticket {
  id: number
  subject: string
  status: string
  updated_at: string
  requester_id: number
  group_id: number | null
  tags: string[]
  via: { channel: string }
  comments: Comment[]
}

/** What a request gets instead of an answer. */
type Mood = { status: number; retryAfter?: string } | 'hangs-up' | 'loses-answer'

const US = 9_000
const AGENT = 9_001

export interface ZendeskStandIn extends AsyncDisposable {
  apiUrl: string
  credentials: { email: string; api_token: string; signing_secret: string }
  /** A customer writes: a new ticket, or on the one of this id. Returns its id. */
  write(text: string, given?: { ticket?: string; channel?: string; requester?: number }): string
  /** Those that were made by the API, oldest first. */
  opened(): Ticket[]
  agentWrites(ticket: string, text: string): void
  delete(ticket: string): void
  ticket(id: string): Ticket
  /** The public answers of the automation. */
  answersOf(id: string): string[]
  /** Of the next updates. */
  misbehave(...moods: Mood[]): void
  /** The next reading of a ticket fails. */
  failNextRead(): void
  updates: number
}

/** The API of Zendesk Support as far as tickets use it, on 127.0.0.1: stateful and strict. */
export async function startZendeskStandIn(): Promise<ZendeskStandIn> {
  const credentials = { email: 'bot@acme.example', api_token: 'zendesk-token', signing_secret: 'hook-secret' }
  const tickets = new Map<number, Ticket>()
  const moods: Mood[] = []
  const counted = { updates: 0, readsToFail: 0 }
  let ids = 1_000
  let clock = Date.UTC(2026, 0, 1)

  const tick = () => {
    clock += 1_000
    return new Date(clock).toISOString().replace('.000Z', 'Z')
  }
  const next = () => (ids += 1)
  const roleOf = (id: number) => (id === US || id === AGENT ? 'agent' : 'end-user')

  function comment(ticket: Ticket, author_id: number, plain_body: string, isPublic = true): void {
    ticket.comments.push({ id: next(), public: isPublic, author_id, plain_body })
    ticket.updated_at = tick()
  }

  function update(ticket: Ticket, body: unknown): [number, unknown] {
    const given = Update.safeParse(body)
    if (!given.success) return [422, { error: 'RecordInvalid', description: given.error.message }]
    const { updated_stamp, comment: said, status, group_id, tags } = given.data.ticket
    if (updated_stamp !== ticket.updated_at)
      return [409, { error: 'UpdateConflict', description: 'Safe Update prevented the update' }]
    counted.updates += 1
    if (said !== undefined) comment(ticket, US, said.body, said.public)
    if (status !== undefined) ticket.status = status
    if (group_id !== undefined) ticket.group_id = group_id
    if (tags !== undefined) ticket.tags = tags
    ticket.updated_at = tick()
    return [200, { ticket: shown(ticket) }]
  }

  function add(given: Pick<Ticket, 'subject' | 'tags' | 'requester_id'> & { channel: string }): Ticket {
    const { channel, ...fields } = given
    const ticket: Ticket = {
      ...fields,
      id: next(),
      status: 'new',
      updated_at: tick(),
      group_id: null,
      via: { channel },
      comments: [],
    }
    tickets.set(ticket.id, ticket)
    return ticket
  }

  const shown = (ticket: Ticket) => ({ ...ticket, comments: undefined })

  function answer(method: string, path: string, body: unknown): [number, unknown] {
    if (method === 'GET' && path === '/users/me.json')
      return [200, { user: { id: US, role: 'agent', email: credentials.email } }]
    if (method === 'POST' && path === '/tickets.json') {
      const given = Creation.safeParse(body)
      if (!given.success) return [422, { error: 'RecordInvalid', description: given.error.message }]
      const { subject, tags, comment: said } = given.data.ticket
      const ticket = add({ subject, tags, requester_id: US, channel: 'api' })
      comment(ticket, US, said.body, said.public)
      return [201, { ticket: shown(ticket) }]
    }
    const [, id = '', of = ''] = /^\/tickets\/(\d+)(\/comments)?\.json/.exec(path) ?? []
    const ticket = tickets.get(Number(id))
    if (ticket === undefined) return [404, { error: 'RecordNotFound', description: 'Not found' }]
    if (of !== '' && method === 'GET') {
      const authors = [...new Set(ticket.comments.map(({ author_id }) => author_id))]
      return [
        200,
        {
          comments: ticket.comments,
          users: authors.map((author) => ({ id: author, role: roleOf(author) })),
        },
      ]
    }
    if (method === 'GET') return [200, { ticket: shown(ticket) }]
    return method === 'PUT' ? update(ticket, body) : [405, { error: 'MethodNotAllowed' }]
  }

  const authorization = `Basic ${Buffer.from(`${credentials.email}/token:${credentials.api_token}`).toString('base64')}`

  function serve(request: IncomingMessage, text: string, response: ServerResponse): void {
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (request.headers.authorization !== authorization) {
      send(401, { error: "Couldn't authenticate you" })
      return
    }
    const method = request.method ?? 'GET'
    const path = (request.url ?? '').replace('/api/v2', '')
    if (method === 'GET' && path.startsWith('/tickets/') && counted.readsToFail > 0) {
      counted.readsToFail -= 1
      send(500, {})
      return
    }
    const mood = method === 'PUT' ? moods.shift() : undefined
    if (mood === 'hangs-up') {
      response.destroy()
      return
    }
    if (typeof mood === 'object') {
      send(mood.status, {}, mood.retryAfter === undefined ? {} : { 'retry-after': mood.retryAfter })
      return
    }
    const [status, body] = answer(method, path, text === '' ? undefined : JSON.parse(text))
    if (mood === 'loses-answer') response.destroy()
    else send(status, body)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => serve(request, Buffer.concat(chunks).toString('utf8'), response))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  function known(id: string): Ticket {
    const ticket = tickets.get(Number(id))
    if (ticket === undefined) throw new Error(`There is no ticket ${id}.`)
    return ticket
  }

  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    write: (text, { ticket: on, channel = 'email', requester = next() } = {}) => {
      if (on !== undefined) {
        const ticket = known(on)
        comment(ticket, ticket.requester_id, text)
        ticket.status = 'open'
        return on
      }
      const ticket = add({ subject: 'Help', tags: ['vip'], requester_id: requester, channel })
      comment(ticket, ticket.requester_id, text)
      return String(ticket.id)
    },
    opened: () => [...tickets.values()].filter(({ via }) => via.channel === 'api'),
    agentWrites: (id, text) => comment(known(id), AGENT, text),
    delete: (id) => void tickets.delete(Number(id)),
    ticket: known,
    answersOf: (id) =>
      known(id)
        .comments.filter(({ author_id, public: isPublic }) => author_id === US && isPublic)
        .map(({ plain_body }) => plain_body),
    misbehave: (...next) => void moods.push(...next),
    failNextRead: () => {
      counted.readsToFail += 1
    },
    get updates() {
      return counted.updates
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
