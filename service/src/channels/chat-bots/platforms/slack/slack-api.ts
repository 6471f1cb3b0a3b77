import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import { OutboundFailure, type OutboundReason } from '../../../../platform/outbound/outbound-failure.ts'
import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { BotAccount } from '../../chat-platform.ts'
import { slackProblem } from './slack-problems.ts'

const DEFAULT_API = 'https://slack.com/api'
const TIMEOUT_MS = 15_000
const MAX_BYTES = 1_048_576
/** Where Slack asks to wait without saying how long. */
const DEFAULT_WAIT_MS = 30_000
const LEAST_WAIT_MS = 500

const Answer = z.looseObject({
  ok: z.boolean(),
  error: z.string().max(200).optional(),
  needed: z.string().max(200).optional(),
  ts: z.string().max(100).optional(),
  channel: z.string().max(100).optional(),
  user: z.string().max(200).optional(),
  team: z.string().max(200).optional(),
})

export interface SlackAnswer {
  /** Of HTTP. */
  status: number
  headers: Headers
  /** Undefined if the body is not what Slack sends. */
  body: z.infer<typeof Answer> | undefined
}

/** `config.api_url`, for GovSlack: `https://slack-gov.com/api`. Only the machine itself is reached without encryption. */
export function slackApiUrl(config: Record<string, unknown>): string | undefined {
  const given = config['api_url']
  if (given === undefined) return DEFAULT_API
  const url = typeof given === 'string' ? URL.parse(given) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === '127.0.0.1')
  return url !== null && isSafe && url.search === '' ? url.href.replace(/\/$/, '') : undefined
}

/** Calls a method of the Web API. @throws OutboundFailure */
export async function callSlack(
  method: string,
  body: unknown,
  { credentials, config, fetchOutbound, signal }: BotAccount,
): Promise<SlackAnswer> {
  const response = await fetchOutbound(`${slackApiUrl(config) ?? DEFAULT_API}/${method}`, {
    chosenBy: 'customer',
    method: 'POST',
    headers: {
      authorization: `Bearer ${credentials['bot_token'] ?? ''}`,
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(body),
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    followRedirects: false,
  })
  const { status, headers } = response
  return { status, headers, body: Answer.safeParse(parseJson(await response.text())).data }
}

/** The request certainly did not arrive. */
const NOT_SENT: readonly OutboundReason[] = ['dns', 'refused', 'connect_timeout', 'tls']
/** And never will. */
const NEVER: readonly OutboundReason[] = [
  'bad_address',
  'userinfo',
  'port',
  'private_address',
  'metadata_address',
]

/** Errors after which Slack says that the effect may have happened. */
const UNCERTAIN = new Set(['internal_error', 'fatal_error', 'request_timeout'])
const BUSY = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded'])

const UNKNOWN =
  'Slack did not confirm an answer, so it may or may not have been posted. It was not posted again, so that nobody gets it twice.'

/** `Retry-After`: seconds, or a date. */
export function waitOf(headers: Headers, now: number): number {
  const given = headers.get('retry-after') ?? ''
  const ms = /^\d{1,6}$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - now
  return Number.isFinite(ms) ? Math.max(ms, LEAST_WAIT_MS) : DEFAULT_WAIT_MS
}

/** Posts a message; everything that Slack or the network does is an outcome. */
export async function postToSlack(body: unknown, account: BotAccount): Promise<PostOutcome> {
  let answer: SlackAnswer
  try {
    answer = await callSlack('chat.postMessage', body, account)
  } catch (fault) {
    if (!(fault instanceof OutboundFailure)) return { is: 'unknown', because: UNKNOWN }
    if (NEVER.includes(fault.reason)) return { is: 'failed', because: fault.message }
    return NOT_SENT.includes(fault.reason) ? { is: 'again' } : { is: 'unknown', because: UNKNOWN }
  }
  const { status, headers, body: said } = answer
  const error = said?.error ?? ''
  if (status === 429 || BUSY.has(error)) return { is: 'wait', ms: waitOf(headers, Date.now()) }
  if (said === undefined || status >= 500 || UNCERTAIN.has(error)) return { is: 'unknown', because: UNKNOWN }
  if (said.ok) return { is: 'posted', ref: `${said.channel ?? ''}:${said.ts ?? ''}` }
  return { is: 'failed', because: slackProblem(error, said.needed) }
}
