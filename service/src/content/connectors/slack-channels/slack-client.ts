import { z } from 'zod'
import type { ConnectorInput } from '../connector.ts'
import { bearerAuthorization, openApiClient, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure, type ApiFailureKind } from '../rest/api-failure.ts'
import {
  AuthTest,
  ChannelInfo,
  ChannelList,
  MessageList,
  Refused,
  UserInfo,
  type Channel,
  type Message,
} from './slack-schemas.ts'

const NAME = 'Slack'
const ORIGIN = 'https://slack.com'

/**
 * Tier 3 allows 50 requests a minute and some more: https://docs.slack.dev/apis/web-api/rate-limits. An app that is distributed commercially
 * without being in Slack's marketplace has one a minute, of 15 messages, and is told to wait.
 */
const MIN_INTERVAL_MS = 1_200
const PAGE_SIZE = 200
/** Answers to one question. */
const MAX_ANSWERS = 2_000

const KIND_OF_ERROR: Record<string, ApiFailureKind> = {
  invalid_auth: 'unauthorized',
  not_authed: 'unauthorized',
  token_revoked: 'unauthorized',
  token_expired: 'unauthorized',
  account_inactive: 'unauthorized',
  missing_scope: 'forbidden',
  no_permission: 'forbidden',
  access_denied: 'forbidden',
  not_in_channel: 'forbidden',
  channel_not_found: 'gone',
  thread_not_found: 'gone',
  message_not_found: 'gone',
  ratelimited: 'unavailable',
  internal_error: 'unavailable',
  service_unavailable: 'unavailable',
}

const WORDS_OF_ERROR: Record<string, string> = {
  not_in_channel: 'the app is not in the channel: open it and send /invite with the name of the app',
  missing_scope: 'the app lacks a scope',
}

/** The methods of Slack's Web API that are read, with errors in words. */
export function openSlack(deps: ApiDeps, input: ConnectorInput<unknown>) {
  const ownOrigin = deps.apiOrigins['slack_channels']
  const client = openApiClient(deps, input, {
    name: NAME,
    origin: ownOrigin ?? ORIGIN,
    headers: () => bearerAuthorization(input.credentials ?? {}),
    minIntervalMs: ownOrigin === undefined ? MIN_INTERVAL_MS : 0,
  })

  async function call<Schema extends z.ZodType>(
    method: string,
    fields: Record<string, string>,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const query = new URLSearchParams(fields).toString()
    const { data } = await client.json(`/api/${method}?${query}`, z.union([schema, Refused]))
    const refused = Refused.safeParse(data)
    if (!refused.success) return data as z.output<Schema>
    const { error, needed } = refused.data
    const scope = needed === undefined ? '' : ` (${needed})`
    const kind = KIND_OF_ERROR[error] ?? 'refused'
    const said = `${WORDS_OF_ERROR[error] ?? error}${scope}`.replaceAll(/[\p{C}\s]+/gu, ' ')
    throw new ApiFailure(
      kind,
      kind === 'unauthorized'
        ? `${NAME} does not accept the credentials of this source (${said}).`
        : `${NAME} does not answer ${method}: ${said}.`,
    )
  }

  /** The parts of a list. One that is cut off is not taken for whole. */
  async function* listed<
    Schema extends z.ZodType<{ response_metadata?: { next_cursor?: string | undefined } | undefined }>,
  >(
    method: string,
    fields: Record<string, string>,
    schema: Schema,
  ): AsyncGenerator<z.output<Schema>, void, void> {
    let cursor = ''
    for (let answer = 0; answer < MAX_ANSWERS; answer += 1) {
      const data = await call(
        method,
        { ...fields, limit: String(PAGE_SIZE), ...(cursor !== '' && { cursor }) },
        schema,
      )
      yield data
      const next = data.response_metadata?.next_cursor ?? ''
      const hasMore = 'has_more' in data && data.has_more === true
      if (next === '' && !hasMore) return
      if (next === '' || next === cursor)
        throw new ApiFailure(
          'unexpected',
          `${NAME} cut off a list: it has more, but does not say where it goes on.`,
        )
      cursor = next
    }
    throw new ApiFailure('unexpected', `${NAME} sends a list in more parts than are read.`)
  }

  async function* channelsOf(types: string): AsyncGenerator<Channel[], void, void> {
    for await (const { channels } of listed('conversations.list', { types }, ChannelList)) yield channels
  }

  return {
    self: async () => await call('auth.test', {}, AuthTest),
    channel: async (id: string) => (await call('conversations.info', { channel: id }, ChannelInfo)).channel,
    /** All channels that the app is told of; without the scope for private ones, the public ones. */
    channels: async function* channels(): AsyncGenerator<Channel[], void, void> {
      try {
        yield* channelsOf('public_channel,private_channel')
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.kind !== 'forbidden') throw error
        yield* channelsOf('public_channel')
      }
    },
    /** Messages of a channel that are no replies, the latest first. */
    history: async function* history(channel: string, oldest: string): AsyncGenerator<Message[], void, void> {
      for await (const { messages } of listed('conversations.history', { channel, oldest }, MessageList))
        yield messages
    },
    /** One message that is no reply; undefined if it was deleted. */
    message: async (channel: string, at: string): Promise<Message | undefined> => {
      const fields = { channel, oldest: at, latest: at, inclusive: 'true', limit: '1' }
      const { messages } = await call('conversations.history', fields, MessageList)
      return messages.find(({ ts }) => ts === at)
    },
    /** A thread: its first message, then the replies. */
    replies: async function* replies(channel: string, at: string): AsyncGenerator<Message[], void, void> {
      for await (const { messages } of listed('conversations.replies', { channel, ts: at }, MessageList))
        yield messages
    },
    user: async (id: string) => (await call('users.info', { user: id }, UserInfo)).user,
  }
}

export type Slack = ReturnType<typeof openSlack>
