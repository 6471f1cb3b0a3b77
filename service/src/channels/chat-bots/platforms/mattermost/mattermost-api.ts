import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import { apiAddress } from '../../../integrations/integrations.ts'
import {
  outcomeOfFault,
  retryAfterMs,
  unconfirmed,
  type PostOutcome,
} from '../../../platform-posts/platform-posts.ts'
import type { BotAccount } from '../../chat-platform.ts'

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1_048_576

export const MattermostId = z.string().regex(/^[a-z0-9]{26}$/)

/** The address of the server; undefined if none is set, or it is no address. */
export const mattermostUrl = (config: Record<string, unknown>) => apiAddress(config, undefined)

export interface MattermostAnswer {
  status: number
  headers: Headers
  body: unknown
}

/** @throws OutboundFailure */
export async function callMattermost(
  method: 'GET' | 'POST',
  path: string,
  { config, credentials, fetchOutbound, signal }: BotAccount,
  body?: unknown,
): Promise<MattermostAnswer> {
  const response = await fetchOutbound(
    `${mattermostUrl(config) ?? 'https://invalid.invalid'}/api/v4${path}`,
    {
      chosenBy: 'customer',
      method,
      headers: {
        authorization: `Bearer ${credentials['bot_token'] ?? ''}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      followRedirects: false,
    },
  )
  return { status: response.status, headers: response.headers, body: parseJson(await response.text()) }
}

const User = z.looseObject({ id: MattermostId, username: z.string().min(1).max(200) })

export const TOKEN_REFUSED =
  'Mattermost does not accept the bot token: it was disabled or deleted, or the bot was. Make a new one under Integrations, Bot Accounts, Create New Token.'

/** Who the bot is there; why not, in words for its owner. @throws OutboundFailure */
export async function readMattermostBot(
  account: BotAccount,
): Promise<{ bot: z.infer<typeof User> } | { because: string }> {
  const { status, body } = await callMattermost('GET', '/users/me', account)
  if (status === 401 || status === 403) return { because: TOKEN_REFUSED }
  const bot = status === 200 ? User.safeParse(body).data : undefined
  return bot === undefined
    ? { because: `This is no Mattermost, or it did not answer as expected (HTTP ${status}). Check api_url.` }
    : { bot }
}

const Post = z.object({
  post: z.record(z.string(), z.unknown()),
  /** Whether people rate it: then the bot offers the two reactions. */
  is_rated: z.boolean(),
})

const Created = z.looseObject({ id: MattermostId, user_id: MattermostId })

export const RATING_UP = '+1'
export const RATING_DOWN = '-1'

/** To offer them is not necessary: people can choose reactions themselves. */
async function offerRating({ id, user_id }: z.infer<typeof Created>, account: BotAccount): Promise<void> {
  for (const emoji_name of [RATING_UP, RATING_DOWN]) {
    try {
      await callMattermost('POST', '/reactions', account, { user_id, post_id: id, emoji_name })
    } catch {
      return
    }
  }
}

const problemOf = (status: number): string => {
  if (status === 401) return TOKEN_REFUSED
  if (status === 403)
    return 'Mattermost does not let the bot post where it was asked. Add it to the team and to the channel: /invite and its name.'
  return `Mattermost refused an answer (HTTP ${status}): the question or its channel may have been deleted.`
}

/** Posts a message; everything that Mattermost or the network does is an outcome. */
export async function postToMattermost(body: unknown, account: BotAccount): Promise<PostOutcome> {
  const { post, is_rated: isRated } = Post.parse(body)
  let answer: MattermostAnswer
  try {
    answer = await callMattermost('POST', '/posts', account, post)
  } catch (fault) {
    return outcomeOfFault(fault, { platform: 'Mattermost', isRepeatable: false })
  }
  const { status, headers } = answer
  if (status === 429) return { is: 'wait', ms: retryAfterMs(headers, Date.now()) }
  if (status >= 500) return { is: 'unknown', because: unconfirmed('Mattermost') }
  if (status >= 300) return { is: 'failed', because: problemOf(status) }
  const created = Created.safeParse(answer.body).data
  if (created !== undefined && isRated) await offerRating(created, account)
  return { is: 'posted', ref: created?.id }
}
