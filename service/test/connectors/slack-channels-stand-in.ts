import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import type { Random } from './random.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

export const SLACK_BOT_TOKEN = 'xoxb-stand-in'

export interface StandInMessage {
  ts: string
  user: string
  text: string
  editedAt?: string
}

export interface StandInThread {
  channel: string
  root: StandInMessage
  replies: StandInMessage[]
  /** The root was deleted, and its replies are left. */
  isRootDeleted: boolean
}

const refused = (error: string, more: object = {}): StandInAnswer => ({ body: { ok: false, error, ...more } })

const KNOWN: Record<string, { fields: readonly string[]; scopes: readonly string[] }> = {
  'auth.test': { fields: [], scopes: [] },
  'conversations.list': {
    fields: ['types', 'limit', 'cursor', 'exclude_archived'],
    scopes: ['channels:read'],
  },
  'conversations.info': { fields: ['channel'], scopes: ['channels:read'] },
  'conversations.history': {
    fields: ['channel', 'limit', 'cursor', 'oldest', 'latest', 'inclusive'],
    scopes: ['channels:history'],
  },
  'conversations.replies': {
    fields: ['channel', 'ts', 'limit', 'cursor'],
    scopes: ['channels:history'],
  },
  'users.info': { fields: ['user'], scopes: ['users:read'] },
}

/**
 * The methods of Slack's Web API that read channels, as https://docs.slack.dev/reference/methods describes them: errors with status 200,
 * lists by cursor, replies in their thread only, a tombstone where a message with replies was deleted. An app outside of Slack's
 * marketplace that is distributed gets 15 messages of a list.
 */
export async function startSlackChannels(given: { isDistributed?: boolean } = {}) {
  const threads = new Map<string, StandInThread>()
  const scopes = new Set(['channels:read', 'channels:history', 'groups:read', 'groups:history', 'users:read'])
  const channels = [
    { id: 'C0000000001', name: 'support', is_private: false, is_member: true, is_ext_shared: false },
    { id: 'C0000000002', name: 'incidents', is_private: true, is_member: true, is_ext_shared: false },
    { id: 'C0000000003', name: 'random', is_private: false, is_member: false, is_ext_shared: false },
  ]
  let hidden: (thread: StandInThread) => boolean = () => false
  let token = SLACK_BOT_TOKEN
  // Some weeks ago, so that all of it is within what is read.
  let second = Math.floor(Date.now() / 1_000) - 40 * 86_400
  const tick = () => {
    second += 97
    return `${second}.${String(second % 1_000_000).padStart(6, '0')}`
  }

  function pageOf({ query }: StandInRequest, all: readonly unknown[], name: string): StandInAnswer {
    const limit = Number(query.get('limit') ?? 100)
    if (!(limit >= 1 && limit <= 1_000)) return refused('invalid_limit')
    const from = Number(Buffer.from(query.get('cursor') ?? 'MA==', 'base64').toString())
    if (!Number.isInteger(from)) return refused('invalid_cursor')
    const size = given.isDistributed === true && name === 'messages' ? Math.min(15, limit) : limit
    const hasMore = from + size < all.length
    const next = hasMore ? Buffer.from(String(from + size)).toString('base64') : ''
    return {
      body: {
        ok: true,
        [name]: all.slice(from, from + size),
        ...(name === 'messages' && { has_more: hasMore }),
        response_metadata: { next_cursor: next },
      },
    }
  }

  const present = ({ ts, user, text, editedAt }: StandInMessage) => ({
    type: 'message',
    ts,
    user,
    text,
    team: 'T1',
    ...(editedAt !== undefined && { edited: { user, ts: editedAt } }),
  })
  function presentRoot({ root, replies, isRootDeleted }: StandInThread) {
    const last = replies.at(-1)
    const said = isRootDeleted
      ? { ...present(root), subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.' }
      : present(root)
    if (last === undefined) return said
    return { ...said, thread_ts: root.ts, reply_count: replies.length, latest_reply: last.ts }
  }
  const inChannel = (id: string) =>
    [...threads.values()]
      .filter((thread) => thread.channel === id && !hidden(thread))
      .toSorted((one, other) => (one.root.ts < other.root.ts ? 1 : -1))

  function history(request: StandInRequest): StandInAnswer {
    const { query } = request
    const oldest = query.get('oldest') ?? '0'
    const latest = query.get('latest') ?? '99999999999'
    const isInclusive = query.get('inclusive') === 'true'
    const found = inChannel(query.get('channel') ?? '').filter(({ root: { ts } }) =>
      isInclusive ? ts >= oldest && ts <= latest : ts > oldest && ts < latest,
    )
    const joined = {
      type: 'message',
      subtype: 'channel_join',
      ts: `${second}.000001`,
      user: 'U9',
      text: '<@U9> has joined',
    }
    return pageOf(request, [...(isInclusive ? [] : [joined]), ...found.map(presentRoot)], 'messages')
  }

  function replies(request: StandInRequest): StandInAnswer {
    const { query } = request
    const thread = threads.get(`${query.get('channel')}/${query.get('ts')}`)
    if (thread === undefined || hidden(thread)) return refused('thread_not_found')
    const { ts } = thread.root
    const all = [
      presentRoot(thread),
      ...thread.replies.map((reply) => ({ ...present(reply), thread_ts: ts })),
    ]
    return pageOf(request, all, 'messages')
  }

  /** Arguments come in the query or as a form. */
  const withArguments = (asked: StandInRequest): StandInRequest => {
    const form = typeof asked.body === 'string' ? [...new URLSearchParams(asked.body)] : []
    return { ...asked, query: new URLSearchParams([...asked.query, ...form]) }
  }

  const server = await startStandIn((asked) => {
    const request = withArguments(asked)
    const { path, query, headers } = request
    const method = path.replace('/api/', '')
    const known = KNOWN[method]
    if (known === undefined) return refused('unknown_method')
    if (headers.authorization !== `Bearer ${token}`) return refused('invalid_auth')
    const wrong = unknownFields(query, known.fields)
    if (wrong.length > 0) return refused('invalid_arguments', { response_metadata: { messages: wrong } })
    const lacks = known.scopes.find((scope) => !scopes.has(scope))
    if (lacks !== undefined) return refused('missing_scope', { needed: lacks, provided: [...scopes].join() })
    if (method === 'auth.test')
      return {
        body: { ok: true, url: 'https://acme.slack.com/', team: 'Acme', user: 'citewell', team_id: 'T1' },
      }
    if (method === 'conversations.list') {
      const types = (query.get('types') ?? 'public_channel').split(',')
      if (types.includes('private_channel') && !scopes.has('groups:read'))
        return refused('missing_scope', { needed: 'groups:read' })
      const shown = channels.filter((one) =>
        types.includes(one.is_private ? 'private_channel' : 'public_channel'),
      )
      return pageOf(request, shown, 'channels')
    }
    if (method === 'users.info')
      return {
        body: { ok: true, user: { name: 'ada', profile: { display_name: `Ada ${query.get('user')}` } } },
      }
    const channel = channels.find(({ id }) => id === query.get('channel'))
    if (channel === undefined) return refused('channel_not_found')
    if (method === 'conversations.info') return { body: { ok: true, channel } }
    if (!channel.is_member) return refused('not_in_channel')
    return method === 'conversations.history' ? history(request) : replies(request)
  })

  let made = 0
  const word = () => `chat${(made += 1)}x`
  const say = (random: Random, text: string): StandInMessage => ({
    ts: tick(),
    user: `U${1 + random.below(4)}`,
    text,
  })
  function add(random: Random): StandInThread {
    const channel = random.of(channels.slice(0, 2)).id
    const thread: StandInThread = {
      channel,
      root: say(random, `How do I ${random.words(3)}?`),
      replies: [say(random, `The word is ${word()}.`)],
      isRootDeleted: false,
    }
    threads.set(`${channel}/${thread.root.ts}`, thread)
    return thread
  }
  const changes: Record<string, (thread: StandInThread, random: Random) => void> = {
    reply: (thread, random) => void thread.replies.push(say(random, `The word is ${word()}.`)),
    'edit root': (thread) => {
      thread.root.text = `Edited: ${word()}`
      thread.root.editedAt = tick()
    },
    'delete root': (thread) => {
      thread.isRootDeleted = true
    },
    'delete thread': (thread) => void threads.delete(`${thread.channel}/${thread.root.ts}`),
    'delete replies': (thread) => {
      thread.replies = []
    },
  }
  const wordIn = ({ replies: said }: StandInThread) => / is (\w+)\.$/.exec(said.at(-1)?.text ?? '')?.[1] ?? ''

  const model: SourceModel = {
    type: 'slack_channels',
    config: { channels: ['support', 'C0000000002'], publish_all: true },
    credentials: { token },
    server,
    documents: () => {
      const found = new Map<string, ExpectedDocument>()
      for (const [id, thread] of threads) {
        const isPrivate = channels.find((one) => one.id === thread.channel)?.is_private === true
        if (thread.replies.length > 0) found.set(id, { text: wordIn(thread), isRestricted: isPrivate })
      }
      return found
    },
    add: (random) => void add(random),
    change: (random) => {
      const kind = random.of(['add', 'reply', 'reply', ...Object.keys(changes)])
      const change = changes[kind]
      if (threads.size === 0 || change === undefined) return `add ${add(random).root.ts}`
      const thread = random.of([...threads.values()])
      change(thread, random)
      return `${kind} ${thread.root.ts}`
    },
    hideMost: () => {
      const shown = new Set([...threads.values()].filter((_thread, at) => at % 4 === 0))
      hidden = (thread) => !shown.has(thread)
      return () => {
        hidden = () => false
      }
    },
  }
  return {
    model,
    server,
    threads,
    channels,
    scopes,
    add,
    say,
    setToken: (next: string) => {
      token = next
    },
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}
