import { z } from 'zod'
import { requestJson, type JsonAnswer } from '../../../../platform/outbound/request-json.ts'
import { sendPost, type PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { BotAccount } from '../../chat-platform.ts'
import { apiAddress } from '../../../integrations/integrations.ts'

const DEFAULT_API = 'https://discord.com/api/v10'
export const TOKEN_REFUSED =
  'Discord does not accept the bot token. Reset it in the Developer Portal under Bot, and enter the new one.'

export const discordApiUrl = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

/** @throws OutboundFailure */
export async function callDiscord(
  method: string,
  path: string,
  given: { body?: unknown; botToken?: string | undefined },
  account: BotAccount,
): Promise<JsonAnswer> {
  const headers = {
    // Discord refuses clients that do not say who they are in this form.
    'user-agent': 'DiscordBot (https://citewell.example, 1)',
    ...(given.botToken !== undefined && { authorization: `Bot ${given.botToken}` }),
  }
  const address = `${discordApiUrl(account.config) ?? DEFAULT_API}${path}`
  return await requestJson(address, { method, headers, body: given.body }, account)
}

const Snowflake = z.string().regex(/^\d{1,25}$/)

const payload = z.record(z.string(), z.unknown())

const Post = z.discriminatedUnion('how', [
  z.object({
    how: z.enum(['edit', 'follow', 'delete']),
    application_id: Snowflake,
    token: z.string().min(1).max(1_000),
    payload,
  }),
  z.object({ how: z.enum(['reply', 'channel']), channel: Snowflake, payload }),
])

const Created = z.looseObject({ id: z.string().max(40) })

const NOT_ALLOWED = {
  reply:
    'Discord did not let the bot answer where it was mentioned (HTTP %). Give it View Channel, Send Messages, Send Messages in Threads, Embed Links and Read Message History there.',
  channel:
    'Discord did not let the bot post in the channel of person_channel (HTTP %). Invite it with the scope bot, and give it View Channel, Send Messages and Embed Links there.',
}

/** Posts in a channel with the token of the bot. */
async function postInChannel(
  { how, channel, payload: body }: Extract<z.infer<typeof Post>, { channel: string }>,
  account: BotAccount,
): Promise<PostOutcome> {
  const botToken = account.credentials['bot_token'] ?? ''
  const posted = await sendPost(
    () => callDiscord('POST', `/channels/${channel}/messages`, { body, botToken }, account),
    { platform: 'Discord', isRepeatable: false },
  )
  if (posted.is !== 'answered') return posted
  const { status, body: said } = posted.answer
  if (status >= 200 && status < 300) return { is: 'posted', ref: Created.safeParse(said).data?.id }
  if (status === 401) return { is: 'failed', because: TOKEN_REFUSED }
  return { is: 'failed', because: NOT_ALLOWED[how].replace('%', String(status)) }
}

/** Sends a post; everything that Discord or the network does is an outcome. To edit or delete twice is to do it once. */
export async function postToDiscord(post: unknown, account: BotAccount): Promise<PostOutcome> {
  const parsed = Post.parse(post)
  if ('channel' in parsed) return await postInChannel(parsed, account)
  const { how, application_id: application, token, payload: content } = parsed
  const isRepeatable = how !== 'follow'
  const webhook = `/webhooks/${application}/${encodeURIComponent(token)}`
  const path = isRepeatable ? `${webhook}/messages/@original` : webhook
  const method = { edit: 'PATCH', follow: 'POST', delete: 'DELETE' }[how]
  const posted = await sendPost(
    () => callDiscord(method, path, how === 'delete' ? {} : { body: content }, account),
    { platform: 'Discord', isRepeatable },
  )
  if (posted.is !== 'answered') return posted
  const { status, body } = posted.answer
  if (status >= 200 && status < 300) return { is: 'posted', ref: Created.safeParse(body).data?.id }
  if (status === 401 || status === 404)
    return {
      is: 'failed',
      because:
        'Discord no longer takes the answer to a question: it waits 15 minutes at most, or the question was deleted.',
    }
  return { is: 'failed', because: `Discord refused an answer (HTTP ${status}).` }
}
