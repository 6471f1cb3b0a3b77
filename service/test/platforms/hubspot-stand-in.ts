import { createHash } from 'node:crypto'
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
  eventsOf,
  Patch,
  Post,
  shown,
  TokenKey,
  type MessageHere,
  type ThreadHere,
} from './hubspot-records.ts'

export const US = 'A-70'
export const ADA = 'A-71'
const ACTORS = [US, ADA]
const INBOXES = ['11', '12']
const APP = 9_911
const ACCOUNT = 62_515
const MOST_PER_PAGE = 500
/** Orders of messages; the first one unless another is asked for. */
const NEWEST_FIRST = '-createdAt'
const OLDEST_FIRST = 'createdAt'
/** A page of messages is shorter than asked for, and its successor may be empty. */
const MESSAGES_PER_PAGE = 40

export interface HubspotStandIn extends StandInServer {
  credentials: { access_token: string; client_secret: string }
  /** Those of the app. */
  scopes: string[]
  /** A customer writes: in a new thread, or in the one of this id. Returns its id. */
  write(
    text: string,
    given?: {
      thread?: string
      from?: string
      inbox?: string
      channel?: string
      /** The list has the beginning of it. */
      isLong?: boolean
      /** Nobody that HubSpot knows. */
      isUnknown?: boolean
    },
  ): string
  /** Something that another one says: a user, a bot, a workflow, another integration. */
  says(thread: string, text: string, given?: { by?: string; type?: string; client?: object }): void
  thread(id: string): ThreadHere
  delete(id: string): void
  /** What a request tells of these threads. */
  delivery(...threads: string[]): string
  answersOf(id: string): string[]
  commentsOf(id: string): string[]
  losesAnswer: boolean
}

/** The Conversations API 3 of HubSpot as far as threads of mail use it (developers.hubspot.com): stateful and strict. */
export async function startHubspotStandIn(): Promise<HubspotStandIn> {
  const credentials = { access_token: 'pat-na1-token', client_secret: 'client-secret' }
  const threads = new Map<string, ThreadHere>()
  let ids = 8_000
  let last = 0

  const nextMessageId = () =>
    createHash('md5')
      .update(String((ids += 1)))
      .digest('hex')
  const tick = (): string => {
    last = Math.max(last + 1, Date.now())
    return new Date(last).toISOString()
  }
  const known = (id: string): ThreadHere => {
    const thread = threads.get(id)
    if (thread === undefined) throw new Error(`There is no thread ${id}.`)
    return thread
  }

  const refusal = (
    status: number,
    category: string,
    message: string,
    context: object = {},
  ): StandInAnswer => ({
    status,
    body: {
      status: 'error',
      message,
      correlationId: 'aeb5f871-7f07-4993-9211-075dc63e7cbf',
      category,
      errors: [{ message, context }],
    },
  })
  const invalid = (what: string) => refusal(400, 'VALIDATION_ERROR', `Invalid input: ${what}`)
  const missing = () => refusal(404, 'OBJECT_NOT_FOUND', 'resource not found')
  const bodyOf = <Schema extends z.ZodType>(
    schema: Schema,
    body: unknown,
    take: (read: z.infer<Schema>) => StandInAnswer,
  ): StandInAnswer => {
    const read = schema.safeParse(body)
    return read.success ? take(read.data) : invalid(JSON.stringify(read.error.issues))
  }

  function say(thread: ThreadHere, fields: Partial<MessageHere> & { type: string }): MessageHere {
    const createdAt = tick()
    const message: MessageHere = {
      id: nextMessageId(),
      conversationsThreadId: thread.id,
      createdAt,
      createdBy: 'S-hubspot',
      client: { clientType: 'HUBSPOT' },
      senders: [],
      recipients: [],
      archived: false,
      ...fields,
    }
    thread.messages.push(message)
    if (message.type === 'MESSAGE') {
      thread.latestMessageTimestamp = createdAt
      if (message.direction === 'INCOMING') thread.latestMessageReceivedTimestamp = createdAt
    }
    return message
  }

  function assign(thread: ThreadHere, actor: string): void {
    thread.assignedTo = actor
    say(thread, {
      type: 'ASSIGNMENT',
      client: { clientType: 'SYSTEM' },
      senders: [{ actorId: 'S-hubspot' }],
      assignedTo: actor,
    })
  }

  function lost(answer: StandInAnswer): StandInAnswer {
    if (!standIn.losesAnswer || (answer.status ?? 200) >= 300) return answer
    standIn.losesAnswer = false
    return { hangsUp: true, body: undefined }
  }

  const byUs = { clientType: 'INTEGRATION', integrationAppId: APP }

  const posted = (thread: ThreadHere, body: unknown): StandInAnswer =>
    bodyOf(Post, body, (post) => {
      const content = { text: post.text, richText: post.richText ?? post.text, client: byUs }
      if (post.type === 'COMMENT') {
        const by = `I-${APP}`
        const fields = { type: post.type, createdBy: by, senders: [{ actorId: by }] }
        return { status: 201, body: say(thread, { ...content, ...fields }) }
      }
      if (!ACTORS.includes(post.senderActorId)) return invalid('senderActorId')
      if (post.recipients[0]?.deliveryIdentifiers[0]?.value !== thread.address) return invalid('recipients')
      const message = say(thread, {
        ...content,
        type: post.type,
        createdBy: post.senderActorId,
        senders: [{ actorId: post.senderActorId }],
        recipients: post.recipients,
        direction: 'OUTGOING',
        channelId: post.channelId,
        channelAccountId: post.channelAccountId,
        subject: post.subject ?? '',
        truncationStatus: 'NOT_TRUNCATED',
      })
      // It is then the thread of whoever answers first.
      if (thread.assignedTo === undefined) assign(thread, post.senderActorId)
      return { status: 201, body: message }
    })

  /** A part of all, and where the next one begins. */
  function page(all: readonly object[], query: URLSearchParams, most: number): StandInAnswer {
    const first = Number(query.get('after') ?? 0)
    const end = first + Math.min(Number(query.get('limit') ?? 100), most)
    return {
      body: {
        results: all.slice(first, end),
        ...(end <= all.length && {
          paging: { next: { after: String(end), link: 'https://elsewhere.invalid' } },
        }),
      },
    }
  }

  function list(query: URLSearchParams): StandInAnswer {
    const [unknown] = unknownFields(query, [
      'sort',
      'latestMessageTimestampAfter',
      'limit',
      'after',
      'inboxId',
    ])
    if (unknown !== undefined) return invalid(unknown)
    const limit = Number(query.get('limit') ?? 100)
    if (!(limit >= 1 && limit <= MOST_PER_PAGE)) return invalid('limit')
    const since = query.get('latestMessageTimestampAfter')
    const isByTime = query.get('sort') === 'latestMessageTimestamp'
    if (isByTime && since === null) return invalid('latestMessageTimestampAfter')
    const inboxes = query.getAll('inboxId')
    const found = [...threads.values()]
      .filter(({ archived, inboxId }) => !archived && (inboxes.length === 0 || inboxes.includes(inboxId)))
      .filter(({ latestMessageTimestamp: at }) => Date.parse(at) > Date.parse(since ?? '1970-01-01'))
      .toSorted((one, other) =>
        isByTime
          ? Date.parse(one.latestMessageTimestamp) - Date.parse(other.latestMessageTimestamp)
          : Number(one.id) - Number(other.id),
      )
    return page(found.map(shown), query, MOST_PER_PAGE)
  }

  function got(thread: ThreadHere, what: string, query: URLSearchParams): StandInAnswer {
    if (what === '') return { body: shown(thread) }
    if (what === 'messages') {
      const [unknown] = unknownFields(query, ['limit', 'after', 'sort'])
      if (unknown !== undefined) return invalid(unknown)
      const sort = query.get('sort') ?? NEWEST_FIRST
      if (![NEWEST_FIRST, OLDEST_FIRST].includes(sort)) return invalid('sort')
      const { messages } = thread
      return page(sort === OLDEST_FIRST ? messages : messages.toReversed(), query, MESSAGES_PER_PAGE)
    }
    const [, message = ''] = /^messages\/([0-9a-f]+)\/original-content$/.exec(what) ?? []
    const original = thread.originals.get(message)
    return original === undefined ? missing() : { body: { text: original, richText: original } }
  }

  function ofThread({ method, query, body }: StandInRequest, id: string, what: string): StandInAnswer {
    const thread = threads.get(id)
    if (thread === undefined || thread.archived) return missing()
    if (method === 'GET') return got(thread, what, query)
    if (method === 'POST' && what === 'messages') return lost(posted(thread, body))
    if (method !== 'PATCH' || what !== '') return missing()
    return bodyOf(Patch, body, ({ status }) => {
      thread.status = status
      return { body: shown(thread) }
    })
  }

  const assigned = (thread: ThreadHere, body: unknown): StandInAnswer =>
    bodyOf(Assignee, body, ({ actorId }) => {
      if (!ACTORS.includes(actorId)) return invalid('actorId')
      assign(thread, actorId)
      return { body: shown(thread) }
    })

  function answer(request: StandInRequest): StandInAnswer {
    const { method, path, query, body } = request
    const [, given = ''] = /^\/conversations\/conversations\/v3\/threads\/(\d+)\/assignee$/.exec(path) ?? []
    const thread = threads.get(given)
    if (method === 'PUT' && thread !== undefined) return assigned(thread, body)
    const [, , id = '', what = ''] =
      /^\/conversations\/v3\/conversations\/threads(\/(\d+)(?:\/(.+))?)?$/.exec(path) ?? []
    if (id !== '') return ofThread(request, id, what)
    if (method !== 'GET') return missing()
    if (path === '/conversations/v3/conversations/threads') return list(query)
    const named = [...ACTORS.map((actor) => `actors/${actor}`), ...INBOXES.map((inbox) => `inboxes/${inbox}`)]
    const found = named.find((one) => path === `/conversations/v3/conversations/${one}`)
    return found === undefined ? missing() : { body: { id: found.split('/')[1], name: 'Citewell' } }
  }

  const server = await startStandIn((request: StandInRequest): StandInAnswer => {
    if (request.headers.authorization !== `Bearer ${credentials.access_token}`)
      return refusal(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.')
    if (request.path === '/oauth/v2/private-apps/get/access-token-info' && request.method === 'POST')
      return bodyOf(TokenKey, request.body, ({ tokenKey }) =>
        tokenKey === credentials.access_token
          ? { body: { userId: 70, hubId: ACCOUNT, appId: APP, scopes: standIn.scopes } }
          : missing(),
      )
    const scope = request.method === 'GET' ? 'conversations.read' : 'conversations.write'
    if (standIn.scopes.includes(scope)) return answer(request)
    return refusal(403, 'MISSING_SCOPES', 'This app hasn’t been granted all required scopes.', {
      requiredGranularScopes: [scope],
    })
  })

  const ofUs = (id: string, type: string) =>
    known(id)
      .messages.filter((one) => one.client.integrationAppId === APP && one.type === type)
      .map(({ text = '' }) => text)

  const standIn: HubspotStandIn = Object.assign(server, {
    credentials,
    scopes: ['conversations.read', 'conversations.write', 'oauth'],
    losesAnswer: false,
    write: (text: string, options: Parameters<HubspotStandIn['write']>[1] = {}) => {
      const { from = `customer${ids}@mail.example`, inbox = '11', channel = '1002' } = options
      let thread = options.thread === undefined ? undefined : known(options.thread)
      if (thread === undefined) {
        thread = {
          id: String((ids += 1)),
          status: 'OPEN',
          inboxId: inbox,
          assignedTo: undefined,
          spam: false,
          archived: false,
          address: from,
          latestMessageTimestamp: '',
          latestMessageReceivedTimestamp: '',
          messages: [],
          originals: new Map(),
        }
        threads.set(thread.id, thread)
      } else thread.status = 'OPEN'
      const actorId = options.isUnknown === true ? {} : { actorId: `V-${thread.id}` }
      const isLong = options.isLong === true
      const message = say(thread, {
        type: 'MESSAGE',
        senders: [{ ...actorId, deliveryIdentifier: { type: 'HS_EMAIL_ADDRESS', value: thread.address } }],
        direction: 'INCOMING',
        channelId: channel,
        channelAccountId: '779',
        subject: 'Help',
        text: isLong ? 'It is a long story.' : text,
        richText: `<div dir="ltr">${text}</div>`,
        truncationStatus: isLong ? 'TRUNCATED' : 'NOT_TRUNCATED',
      })
      if (isLong) thread.originals.set(message.id, text)
      say(thread, { type: 'THREAD_STATUS_CHANGE', client: { clientType: 'SYSTEM' } })
      return thread.id
    },
    says: (id: string, text: string, { by = ADA, type = 'MESSAGE', client = {} } = {}) =>
      void say(known(id), {
        type,
        text,
        createdBy: by,
        senders: [{ actorId: by }],
        client: { clientType: 'HUBSPOT', ...client },
        ...(type === 'MESSAGE' && { direction: 'OUTGOING', channelId: '1002' }),
      }),
    thread: known,
    delete: (id: string) => void threads.delete(id),
    delivery: (...told: string[]) =>
      JSON.stringify(told.flatMap((id) => eventsOf(id, threads.get(id), { portalId: ACCOUNT, appId: APP }))),
    answersOf: (id: string) => ofUs(id, 'MESSAGE'),
    commentsOf: (id: string) => ofUs(id, 'COMMENT'),
  })
  return standIn
}
