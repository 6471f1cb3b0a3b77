import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import {
  outcomeOfFault,
  retryAfterMs,
  unconfirmed,
  type PostOutcome,
} from '../../../platform-posts/platform-posts.ts'
import type { BotAccount } from '../../chat-platform.ts'
import { teamsRef } from './read-teams.ts'
import { isServiceUrl, teamsCloud, type TeamsCloud } from './teams-cloud.ts'

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1_048_576
/** A token is renewed this long before it ends. */
const RENEWED_BEFORE_MS = 5 * 60 * 1_000
const MOST_TOKENS = 1_000

const Token = z.looseObject({
  access_token: z.string().min(1).max(10_000),
  expires_in: z.number().min(0).max(1_000_000),
})

const TokenRefusal = z.looseObject({ error: z.string().max(100) })

const Posted = z.looseObject({ id: z.string().max(500).optional() })

/** What Teams calls a message that it took. */
export const idOfPosted = ({ body }: Pick<TeamsAnswer, 'body'>): string | undefined =>
  Posted.safeParse(body).data?.id

const Post = z.object({
  service_url: z.string().max(2_000),
  conversation: z.string().min(1).max(500),
  reply_to: z.string().max(500).optional(),
  activity: z.record(z.string(), z.unknown()),
})

/** A request about a conversation. */
export interface TeamsCall {
  method: 'POST' | 'PUT'
  service_url: string
  conversation: string
  /** The message that is answered, or changed; undefined for a new one. */
  activity: string | undefined
  body: Record<string, unknown>
}

const OTHER_CLOUD = 'The setting api_url is not the cloud that the question came from.'

/** Microsoft gives no token, in words for the owner of the bot. */
export class NoTeamsToken extends Error {
  override readonly name = 'NoTeamsToken'
  /** Microsoft refuses the credentials: to try again does not help. */
  readonly isRefused: boolean

  constructor(message: string, isRefused: boolean) {
    super(message)
    this.isRefused = isRefused
  }
}

const tokenProblem = (status: number, body: unknown): NoTeamsToken => {
  const error = TokenRefusal.safeParse(body).data?.error ?? ''
  const code = /^[a-z_]{1,60}$/.test(error) ? error : `HTTP ${status}`
  if (status >= 500 || status === 429)
    return new NoTeamsToken(`Microsoft gave no token (${code}). Try again in a minute.`, false)
  return new NoTeamsToken(
    `Microsoft does not accept the credentials of the bot (${code}). Check app_id and tenant_id, and make a new client secret: Entra admin center, App registrations, the app, Certificates & secrets.`,
    true,
  )
}

/** The tokens with which bots post, kept until shortly before they end. */
export function createTeamsTokens(now: () => Date) {
  const kept = new Map<string, { token: string; until: number }>()

  const keyOf = ({ tokenUrl, scope }: TeamsCloud, { credentials }: BotAccount) =>
    createHash('sha256')
      .update(JSON.stringify([tokenUrl(credentials['tenant_id'] ?? ''), scope, credentials]))
      .digest('hex')

  async function request(cloud: TeamsCloud, account: BotAccount): Promise<{ token: string; until: number }> {
    const { credentials, fetchOutbound, signal } = account
    const response = await fetchOutbound(cloud.tokenUrl(credentials['tenant_id'] ?? ''), {
      chosenBy: 'customer',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credentials['app_id'] ?? '',
        client_secret: credentials['client_secret'] ?? '',
        scope: cloud.scope,
      }).toString(),
      signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      followRedirects: false,
    })
    const body = parseJson(await response.text())
    const given = response.status === 200 ? Token.safeParse(body).data : undefined
    if (given === undefined) throw tokenProblem(response.status, body)
    return {
      token: given.access_token,
      until: now().getTime() + given.expires_in * 1_000 - RENEWED_BEFORE_MS,
    }
  }

  return {
    /** @throws NoTeamsToken, OutboundFailure */
    get: async (cloud: TeamsCloud, account: BotAccount): Promise<string> => {
      const key = keyOf(cloud, account)
      const found = kept.get(key)
      if (found !== undefined && found.until > now().getTime()) return found.token
      const fresh = await request(cloud, account)
      if (kept.size >= MOST_TOKENS) kept.clear()
      kept.set(key, fresh)
      return fresh.token
    },
    forget: (cloud: TeamsCloud, account: BotAccount): void => void kept.delete(keyOf(cloud, account)),
  }
}

export type TeamsTokens = ReturnType<typeof createTeamsTokens>

export interface TeamsAnswer {
  status: number
  headers: Headers
  body: unknown
}

async function send(
  { method, service_url: serviceUrl, conversation, activity, body }: TeamsCall,
  token: string,
  { fetchOutbound, signal }: BotAccount,
): Promise<TeamsAnswer> {
  const all = `${serviceUrl.replace(/\/$/, '')}/v3/conversations/${encodeURIComponent(conversation)}/activities`
  const address = activity === undefined ? all : `${all}/${encodeURIComponent(activity)}`
  const response = await fetchOutbound(address, {
    chosenBy: 'customer',
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify(body),
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    followRedirects: false,
  })
  return { status: response.status, headers: response.headers, body: parseJson(await response.text()) }
}

/** Calls the Bot Framework. A token that was revoked before its end is renewed. @throws NoTeamsToken, OutboundFailure */
export async function callTeams(
  call: TeamsCall,
  account: BotAccount,
  tokens: TeamsTokens,
): Promise<TeamsAnswer> {
  const cloud = teamsCloud(account.config)
  if (cloud === undefined || !isServiceUrl(call.service_url, cloud)) throw new NoTeamsToken(OTHER_CLOUD, true)
  const answer = await send(call, await tokens.get(cloud, account), account)
  if (answer.status !== 401) return answer
  tokens.forget(cloud, account)
  return await send(call, await tokens.get(cloud, account), account)
}

function outcomeOf({ status, headers, body }: TeamsAnswer, conversation: string): PostOutcome {
  if (status >= 200 && status < 300) {
    const id = idOfPosted({ body })
    return { is: 'posted', ref: id === undefined ? undefined : teamsRef(conversation, id) }
  }
  // Teams asks to wait with 412, too.
  if (status === 429 || status === 412) return { is: 'wait', ms: retryAfterMs(headers, Date.now()) }
  if (status >= 500) return { is: 'unknown', because: unconfirmed('Microsoft Teams') }
  if (status === 401 || status === 403 || status === 404) {
    return {
      is: 'failed',
      because: `Microsoft Teams does not let the bot post where it was asked (HTTP ${status}). Was it removed there? Install it in the team or chat again.`,
    }
  }
  return { is: 'failed', because: `Microsoft Teams refused an answer (HTTP ${status}).` }
}

/** Posts a message; everything that Teams or the network does is an outcome. */
export async function postToTeams(
  body: unknown,
  account: BotAccount,
  tokens: TeamsTokens,
): Promise<PostOutcome> {
  const post = Post.parse(body)
  const cloud = teamsCloud(account.config)
  if (cloud === undefined || !isServiceUrl(post.service_url, cloud))
    return { is: 'failed', because: OTHER_CLOUD }
  try {
    await tokens.get(cloud, account)
  } catch (fault) {
    if (fault instanceof NoTeamsToken)
      return fault.isRefused ? { is: 'failed', because: fault.message } : { is: 'again' }
    // Nothing was posted yet.
    return outcomeOfFault(fault, { platform: 'Microsoft Teams', isRepeatable: true })
  }
  try {
    const replyTo = post.reply_to === '' ? undefined : post.reply_to
    const call: TeamsCall = {
      ...post,
      method: 'POST',
      activity: replyTo,
      body: { ...post.activity, ...(replyTo !== undefined && { replyToId: replyTo }) },
    }
    return outcomeOf(await callTeams(call, account, tokens), post.conversation)
  } catch (fault) {
    if (fault instanceof NoTeamsToken) return { is: 'failed', because: fault.message }
    return outcomeOfFault(fault, { platform: 'Microsoft Teams', isRepeatable: false })
  }
}
