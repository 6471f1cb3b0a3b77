import { hash } from 'node:crypto'
import type { SourceConfig } from '@citewell/contract/source-configs'
import type { Connector, ConnectorInput } from '../connector.ts'
import { perReading, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import { listingConnector, type ReadableItem } from '../rest/listed-items.ts'
import { rereadWindow } from '../threads/reread-window.ts'
import { isThreadFull, parseThread, type ThreadMessage } from '../threads/thread-document.ts'
import { openSlack, type Slack } from './slack-client.ts'
import { slackMarkdown, titleOf, type SlackNames } from './slack-markdown.ts'
import type { Channel, Message } from './slack-schemas.ts'
import { DAY_MS } from '../../../kernel/duration.ts'

export type SlackChannelsConfig = SourceConfig<'slack_channels'>
type Input = ConnectorInput<SlackChannelsConfig>

const NAME = 'Slack'
const CONNECT_AGAIN =
  'Open your app at api.slack.com/apps › OAuth & Permissions: it needs channels:read and channels:history (groups:read and groups:history for private channels). Install it again, and enter its bot token.'

/** Messages that people or apps wrote; others say who joined, or what the topic is. */
const SAID = new Set(['bot_message', 'file_share', 'me_message', 'thread_broadcast'])
const isSaid = ({ subtype }: Message) => subtype === undefined || SAID.has(subtype)
/** What Slack shows of a deleted message that has replies. */
const isDeleted = ({ subtype }: Message) => subtype === 'tombstone'

const msOf = (ts: string) => Number(ts.split('.', 1)[0] ?? 0) * 1_000

const bodyOf = ({ text, attachments = [] }: Message) =>
  text === '' ? attachments.map((one) => one.text ?? one.fallback ?? '').join('\n\n') : text

/** The threads of channels of a Slack workspace. */
export function createSlackChannelsConnector(deps: ApiDeps): Connector<SlackChannelsConfig> {
  const session = perReading((input: Input) => ({
    slack: openSlack(deps, input),
    people: new Map<string, Promise<string>>(),
  }))

  const channelsOf = perReading(
    async (input: Input) => await findChannels(session(input).slack, input.config.channels),
  )

  const siteOf = perReading(async (input: Input) => {
    const { url } = await session(input).slack.self()
    const site = URL.parse(url)
    return site?.protocol === 'https:' ? site.origin : 'https://slack.com'
  })

  const oldest = (input: Input) => `${Math.floor((deps.now() - input.config.days * DAY_MS) / 1_000)}.000000`

  /** Private channels and those shared with other organisations are never public, whatever the source says. */
  const visibilityOf = (input: Input, { is_private, is_ext_shared }: Channel) =>
    input.config.publish_all && !is_private && !is_ext_shared ? 'as-source' : 'restricted'

  /** Whether a message begins a thread that is to be read. */
  function isThread(input: Input, message: Message): boolean {
    const { ts, thread_ts: thread, reply_count: replies = 0 } = message
    if (thread !== undefined && thread !== ts) return false
    if (!isSaid(message) && !isDeleted(message)) return false
    return replies >= input.config.min_replies && msOf(ts) >= deps.now() - input.config.days * DAY_MS
  }

  async function nameOf(input: Input, user: string): Promise<string> {
    const { slack, people } = session(input)
    const look = async () => {
      try {
        const { name, profile } = await slack.user(user)
        return profile?.display_name || profile?.real_name || name || user
      } catch (error) {
        if (error instanceof ApiFailure && error.kind !== 'unauthorized') return user
        throw error
      }
    }
    const known = people.get(user) ?? look()
    people.set(user, known)
    return await known
  }

  async function repliesOf(slack: Slack, channel: string, ts: string): Promise<Message[]> {
    const messages = new Map<string, Message>()
    for await (const part of slack.replies(channel, ts)) {
      for (const message of part) messages.set(message.ts, message)
      if (isThreadFull([...messages.values()].map(({ text }) => text))) break
    }
    return [...messages.values()].filter(isSaid)
  }

  async function readThread(input: Input, channel: Channel, root: Message, url: string) {
    const { show_names: showsNames } = input.config
    const said = await repliesOf(session(input).slack, channel.id, root.ts)
    const author = root.user
    const roleOf = ({ user, bot_id: bot }: Message) => {
      if (user === undefined && bot !== undefined) return 'App'
      return user !== undefined && user === author ? 'Author' : 'Participant'
    }
    const roles = new Map(said.map((message) => [message.user ?? '', roleOf(message)]))
    const shown = new Map<string, string>()
    if (showsNames) {
      const mentioned = said.flatMap(({ text }) =>
        [...text.matchAll(/<@(\w{2,40})/g)].map(([, id = '']) => id),
      )
      const ids = new Set([...said.map(({ user }) => user ?? ''), ...mentioned].filter((id) => id !== ''))
      for (const id of [...ids].slice(0, MAX_NAMES)) shown.set(id, await nameOf(input, id))
    }
    const names: SlackNames = { person: (id) => shown.get(id) ?? roles.get(id) ?? 'someone' }
    const messages = said.map((message): ThreadMessage => ({
      role: roleOf(message),
      name: shown.get(message.user ?? ''),
      at: new Date(msOf(message.ts)).toISOString(),
      body: { markdown: slackMarkdown(bodyOf(message), names) },
    }))
    const [first] = said
    const document = await parseThread(deps, input, {
      title: (first === undefined ? '' : titleOf(bodyOf(first), names)) || `Thread in #${channel.name}`,
      url,
      path: [`#${channel.name}`],
      about: '',
      messages,
      showsNames,
    })
    const last = said.at(-1) ?? root
    return { document, modified: new Date(msOf(last.ts)).toISOString() }
  }

  async function itemOf(input: Input, channel: Channel, root: Message): Promise<ReadableItem> {
    const externalId = `${channel.id}/${root.ts}`
    const visibility = visibilityOf(input, channel)
    const url = `${await siteOf(input)}/archives/${encodeURIComponent(channel.id)}/p${root.ts.replace('.', '')}`
    const latest = root.latest_reply ?? root.ts
    return {
      externalId,
      url,
      changed: JSON.stringify([
        root.reply_count ?? 0,
        latest,
        hash('sha256', JSON.stringify([bodyOf(root), root.subtype ?? ''])),
        channel.name,
        visibility,
        input.config.show_names,
        // An edited reply changes nothing in a list.
        rereadWindow(externalId, msOf(latest), deps.now()),
      ]),
      visibility,
      read: async () => await readThread(input, channel, root, url),
    }
  }

  return listingConnector('slack_channels', CONNECT_AGAIN, {
    async *parts(input) {
      for (const channel of await channelsOf(input)) {
        for await (const messages of session(input).slack.history(channel.id, oldest(input))) {
          const threads = messages.filter((message) => isThread(input, message))
          yield await Promise.all(threads.map(async (root) => await itemOf(input, channel, root)))
        }
      }
    },
    one: async (input, externalId) => {
      const [id = '', ts = ''] = externalId.split('/')
      const channel = (await channelsOf(input)).find((one) => one.id === id)
      const root = channel === undefined ? undefined : await session(input).slack.message(id, ts)
      return channel === undefined || root === undefined || !isThread(input, root)
        ? undefined
        : await itemOf(input, channel, root)
    },
    addressOf: (_input, externalId) => `https://slack.com/archives/${externalId.split('/', 1)[0] ?? ''}`,
    check: async (input) => {
      const { team, user } = await session(input).slack.self()
      const channels = await channelsOf(input)
      return {
        account: `${user} in ${team}`,
        sees: channels.map(
          ({ name, is_private: isPrivate }) => `#${name}${isPrivate ? ', a private channel' : ''}`,
        ),
        missing: [
          ...channels
            .filter(({ is_member: isMember }) => !isMember)
            .map(
              ({ name }) =>
                `The app is not in #${name}. Open the channel, and send /invite with the name of the app.`,
            ),
          ...(input.config.publish_all
            ? []
            : [
                'Threads are restricted, so public answers use none of them. If public channels are meant for everyone, set publish_all.',
              ]),
        ],
      }
    },
  })
}

/** People of one thread whose names are asked for. */
const MAX_NAMES = 200

/** The channels of these names or ids. A missing one ends the reading: all its threads would be taken for deleted. */
async function findChannels(slack: Slack, wanted: readonly string[]): Promise<Channel[]> {
  const isId = (one: string) => /^[CG][A-Z0-9]{5,}$/.test(one)
  const found = new Map<string, Channel>()
  const missing = new Set(wanted.filter((one) => !isId(one)))
  for (const id of wanted.filter(isId)) {
    try {
      const channel = await slack.channel(id)
      found.set(channel.id, channel)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.kind !== 'gone') throw error
      missing.add(id)
    }
  }
  if ([...missing].some((one) => !isId(one))) {
    for await (const channels of slack.channels()) {
      for (const channel of channels) if (missing.delete(channel.name)) found.set(channel.id, channel)
      if (missing.size === 0) break
    }
  }
  const [first] = missing
  if (first !== undefined)
    throw new ApiFailure(
      'refused',
      `${NAME} has no channel ${first}, or does not show it to the app. Check its name; a private channel needs the app in it: /invite with the name of the app.`,
    )
  return [...found.values()]
}
