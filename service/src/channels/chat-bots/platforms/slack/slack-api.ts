import { z } from 'zod'
import { requestJson, type JsonRequest } from '../../../../platform/outbound/request-json.ts'
import {
  outcomeOfFault,
  retryAfterMs,
  unconfirmed,
  type PostOutcome,
} from '../../../platform-posts/platform-posts.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import type { BotAccount } from '../../chat-platform.ts'
import { apiAddress } from '../../../integrations/integrations.ts'
import { isOfBot, slackProblem } from './slack-problems.ts'

const DEFAULT_API = 'https://slack.com/api'

const Answer = z.looseObject({
  ok: z.boolean(),
  error: z.string().max(200).optional(),
  needed: z.string().max(200).optional(),
  ts: z.string().max(100).optional(),
  channel: z.string().max(100).optional(),
  user: z.string().max(200).optional(),
  team: z.string().max(200).optional(),
  permalink: z.string().max(2_000).optional(),
})

export interface SlackAnswer {
  /** Of HTTP. */
  status: number
  headers: Headers
  /** Undefined if the body is not what Slack sends. */
  body: z.infer<typeof Answer> | undefined
}

/** Of another Slack: `https://slack-gov.com/api`. */
export const slackApiUrl = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

/** Calls a method of the Web API. @throws OutboundFailure */
export const callSlack = (method: string, body: unknown, account: BotAccount): Promise<SlackAnswer> =>
  request(method, account, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body,
  })

async function request(path: string, account: BotAccount, given: JsonRequest): Promise<SlackAnswer> {
  const { credentials, config } = account
  const { status, headers, body } = await requestJson(
    `${slackApiUrl(config) ?? DEFAULT_API}/${path}`,
    { ...given, headers: { authorization: `Bearer ${credentials['bot_token'] ?? ''}`, ...given.headers } },
    account,
  )
  return { status, headers, body: Answer.safeParse(body).data }
}

/** Where a message is read. @throws OutboundFailure */
export async function permalinkInSlack(
  { channel = '', thread_ts: thread = '' }: ReplyPlace,
  account: BotAccount,
): Promise<string | undefined> {
  // It takes no JSON.
  const query = new URLSearchParams({ channel, message_ts: thread })
  return (await request(`chat.getPermalink?${query.toString()}`, account, {})).body?.permalink
}

/** Errors after which Slack says that the effect may have happened. */
const UNCERTAIN = new Set(['internal_error', 'fatal_error', 'request_timeout'])
const BUSY = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded'])

/** Whether a method certainly had no effect, and never will have with these fields. */
export const isRefusedBySlack = ({ status, body }: SlackAnswer) =>
  status === 200 &&
  body !== undefined &&
  !body.ok &&
  !UNCERTAIN.has(body.error ?? '') &&
  !BUSY.has(body.error ?? '')

/** A message that was shown live, and becomes the answer. */
const InPlace = z.looseObject({
  ts: z.string().min(1),
  channel: z.string(),
  text: z.string(),
  blocks: z.unknown(),
})

/** Whether a post makes an answer of a message that was shown live: that may be repeated. */
export const isEndOfLive = (body: unknown): boolean => InPlace.safeParse(body).success

/** Posts a message, or makes it of one that was shown live; everything that Slack or the network does is an outcome. */
export async function postToSlack(body: unknown, account: BotAccount): Promise<PostOutcome> {
  const given = InPlace.safeParse(body).data
  if (given === undefined) return await postNewToSlack(body, account)
  const { ts, ...message } = given
  const edited = await endLive({ ...given, ts }, account)
  // As a post of its own it must not be repeated.
  return edited ?? { is: 'instead', body: message }
}

/** Ends a stream, and puts the whole answer in its place: both may be repeated. Undefined if Slack refuses the edit. */
async function endLive(
  { ts, channel, text, blocks }: z.infer<typeof InPlace>,
  account: BotAccount,
): Promise<PostOutcome | undefined> {
  try {
    const stopped = await callSlack('chat.stopStream', { channel, ts }, account)
    // Where it was no stream, or is over, there is nothing to end.
    if (stopped.status === 429) return { is: 'wait', ms: retryAfterMs(stopped.headers, Date.now()) }
    const { status, headers, body } = await callSlack(
      'chat.update',
      { channel, ts, text, parse: 'none', blocks },
      account,
    )
    const error = body?.error ?? ''
    if (status === 429 || BUSY.has(error)) return { is: 'wait', ms: retryAfterMs(headers, Date.now()) }
    if (body === undefined || status >= 500 || UNCERTAIN.has(error)) return { is: 'again' }
    if (body.ok) return { is: 'posted', ref: `${channel}:${ts}` }
    if (isOfBot(error)) return { is: 'failed', because: slackProblem(error, body.needed) }
    // A stream that ends now may not be over yet. One that cannot be ended never is.
    return error === 'streaming_state_conflict' && !isRefusedBySlack(stopped) ? { is: 'again' } : undefined
  } catch (fault) {
    return outcomeOfFault(fault, { platform: 'Slack', isRepeatable: true })
  }
}

async function postNewToSlack(body: unknown, account: BotAccount): Promise<PostOutcome> {
  let answer: SlackAnswer
  try {
    answer = await callSlack('chat.postMessage', body, account)
  } catch (fault) {
    return outcomeOfFault(fault, { platform: 'Slack', isRepeatable: false })
  }
  const { status, headers, body: said } = answer
  const error = said?.error ?? ''
  if (status === 429 || BUSY.has(error)) return { is: 'wait', ms: retryAfterMs(headers, Date.now()) }
  if (said === undefined || status >= 500 || UNCERTAIN.has(error))
    return { is: 'unknown', because: unconfirmed('Slack') }
  if (said.ok) return { is: 'posted', ref: `${said.channel ?? ''}:${said.ts ?? ''}` }
  return { is: 'failed', because: slackProblem(error, said.needed) }
}
