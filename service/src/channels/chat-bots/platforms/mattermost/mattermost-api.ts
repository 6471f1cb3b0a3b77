import { z } from 'zod'
import { requestJson, type JsonAnswer, type JsonRequest } from '../../../../platform/outbound/request-json.ts'
import { apiAddress } from '../../../integrations/integrations.ts'
import { sendPost, type PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { BotAccount } from '../../chat-platform.ts'

export const MattermostId = z.string().regex(/^[a-z0-9]{26}$/)

/** The address of the server; undefined if none is set, or it is no address. */
export const mattermostUrl = (config: Record<string, unknown>) => apiAddress(config, undefined)

const request = (path: string, given: JsonRequest, account: BotAccount): Promise<JsonAnswer> =>
  requestJson(`${mattermostUrl(account.config) ?? 'https://invalid.invalid'}${path}`, given, account)

/** @throws OutboundFailure */
export async function callMattermost(
  method: 'GET' | 'POST',
  path: string,
  account: BotAccount,
  body?: unknown,
): Promise<JsonAnswer> {
  const headers = { authorization: `Bearer ${account.credentials['bot_token'] ?? ''}` }
  return await request(`/api/v4${path}`, { method, headers, body }, account)
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
  /** Of a command: where it can be answered if the bot is not in the channel. */
  answer_id: MattermostId.optional(),
  /** Whether it is answered there. */
  as_answer: z.literal(true).optional(),
})

type Post = z.infer<typeof Post>

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

/** Mattermost takes five answers to a command, for half an hour, from whoever knows its id. */
function answerCommand({ post, answer_id: id = '' }: Post, account: BotAccount): Promise<JsonAnswer> {
  const body = { response_type: 'in_channel', text: post['message'], skip_slack_parsing: true }
  return request(`/hooks/commands/${id}`, { method: 'POST', body }, account)
}

/** Posts a message; everything that Mattermost or the network does is an outcome. */
export async function postToMattermost(body: unknown, account: BotAccount): Promise<PostOutcome> {
  const given = Post.parse(body)
  const { post, is_rated: isRated, answer_id: answerId, as_answer: isAnswer = false } = given
  const posted = await sendPost(
    () => (isAnswer ? answerCommand(given, account) : callMattermost('POST', '/posts', account, post)),
    { platform: 'Mattermost', isRepeatable: false },
  )
  if (posted.is !== 'answered') return posted
  const { status, body: said } = posted.answer
  // The bot is not in the channel: the answer then comes in the name of who made the command, and cannot be rated.
  if (status === 403 && answerId !== undefined && !isAnswer)
    return { is: 'instead', body: { ...given, is_rated: false, as_answer: true } }
  if (status >= 300) return { is: 'failed', because: problemOf(status) }
  const created = Created.safeParse(said).data
  if (created !== undefined && isRated) await offerRating(created, account)
  return { is: 'posted', ref: created?.id }
}
