import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import {
  outcomeOfFault,
  retryAfterMs,
  unconfirmed,
  type PostOutcome,
} from '../../../platform-posts/platform-posts.ts'
import type { BotAccount } from '../../chat-platform.ts'
import { apiAddress } from '../../../integrations/integrations.ts'

const DEFAULT_API = 'https://discord.com/api/v10'
const TIMEOUT_MS = 15_000
const MAX_BYTES = 1_048_576

export const discordApiUrl = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

export interface DiscordAnswer {
  status: number
  headers: Headers
  /** Undefined for a body that is no JSON. */
  body: unknown
}

/** @throws OutboundFailure */
export async function callDiscord(
  method: string,
  path: string,
  given: { body?: unknown; botToken?: string | undefined },
  { config, fetchOutbound, signal }: BotAccount,
): Promise<DiscordAnswer> {
  const response = await fetchOutbound(`${discordApiUrl(config) ?? DEFAULT_API}${path}`, {
    chosenBy: 'customer',
    method,
    headers: {
      // Discord refuses clients that do not say who they are in this form.
      'user-agent': 'DiscordBot (https://citewell.example, 1)',
      ...(given.botToken !== undefined && { authorization: `Bot ${given.botToken}` }),
      ...(given.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    followRedirects: false,
  })
  const { status, headers } = response
  return { status, headers, body: parseJson(await response.text()) }
}

const Post = z.object({
  how: z.enum(['edit', 'follow', 'delete', 'channel']),
  channel: z
    .string()
    .regex(/^\d{1,25}$/)
    .optional(),
  application_id: z.string().regex(/^\d{1,25}$/),
  token: z.string().min(1).max(1_000),
  payload: z.record(z.string(), z.unknown()),
})

const Created = z.looseObject({ id: z.string().max(40) })

/** Posts in a channel with the token of the bot, which no question gave. */
async function postInChannel(
  channel: string,
  payload: Record<string, unknown>,
  account: BotAccount,
): Promise<PostOutcome> {
  let answer: DiscordAnswer
  try {
    const botToken = account.credentials['bot_token'] ?? ''
    answer = await callDiscord('POST', `/channels/${channel}/messages`, { body: payload, botToken }, account)
  } catch (fault) {
    return outcomeOfFault(fault, { platform: 'Discord', isRepeatable: false })
  }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) return { is: 'posted', ref: Created.safeParse(body).data?.id }
  if (status === 429) return { is: 'wait', ms: retryAfterMs(headers, Date.now()) }
  if (status >= 500) return { is: 'unknown', because: unconfirmed('Discord') }
  return {
    is: 'failed',
    because: `Discord did not let the bot post in the channel of person_channel (HTTP ${status}). Invite it with the scope bot, and give it View Channel and Send Messages there.`,
  }
}

/** Sends a post; everything that Discord or the network does is an outcome. To edit or delete twice is to do it once. */
export async function postToDiscord(post: unknown, account: BotAccount): Promise<PostOutcome> {
  const { how, channel, application_id: application, token, payload } = Post.parse(post)
  if (how === 'channel') return await postInChannel(channel ?? '', payload, account)
  const isRepeatable = how !== 'follow'
  const webhook = `/webhooks/${application}/${encodeURIComponent(token)}`
  const path = isRepeatable ? `${webhook}/messages/@original` : webhook
  const method = { edit: 'PATCH', follow: 'POST', delete: 'DELETE' }[how]
  let answer: DiscordAnswer
  try {
    answer = await callDiscord(method, path, how === 'delete' ? {} : { body: payload }, account)
  } catch (fault) {
    return outcomeOfFault(fault, { platform: 'Discord', isRepeatable })
  }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) return { is: 'posted', ref: Created.safeParse(body).data?.id }
  if (status === 429) return { is: 'wait', ms: retryAfterMs(headers, Date.now()) }
  if (status >= 500)
    return isRepeatable ? { is: 'again' } : { is: 'unknown', because: unconfirmed('Discord') }
  if (status === 401 || status === 404) {
    return {
      is: 'failed',
      because:
        'Discord no longer takes the answer to a question: it waits 15 minutes at most, or the question was deleted.',
    }
  }
  return { is: 'failed', because: `Discord refused an answer (HTTP ${status}).` }
}
