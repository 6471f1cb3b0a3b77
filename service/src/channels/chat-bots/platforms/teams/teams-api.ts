import { z } from 'zod'
import { requestJson, type JsonAnswer } from '../../../../platform/outbound/request-json.ts'
import { API_URL_WRONG } from '../../../integrations/integrations.ts'
import {
  outcomeOfFault,
  retryAfterMs,
  unconfirmed,
  type PostOutcome,
} from '../../../platform-posts/platform-posts.ts'
import type { BotAccount } from '../../chat-platform.ts'
import { createKeptTokens, NoToken, type KeptTokens } from '../../kept-tokens.ts'
import { teamsRef } from './read-teams.ts'
import { isServiceUrl, teamsCloud } from './teams-cloud.ts'

const Posted = z.looseObject({ id: z.string().max(500).optional() })

/** What Teams calls a message that it took. */
export const idOfPosted = ({ body }: Pick<JsonAnswer, 'body'>): string | undefined =>
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

/** The tokens with which bots post. */
export const createTeamsTokens = (now: () => Date): KeptTokens =>
  createKeptTokens({
    now,
    giver: 'Microsoft',
    requestOf: ({ credentials, config }) => {
      const cloud = teamsCloud(config)
      if (cloud === undefined) throw new NoToken(API_URL_WRONG, true)
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credentials['app_id'] ?? '',
        client_secret: credentials['client_secret'] ?? '',
        scope: cloud.scope,
      })
      return { url: cloud.tokenUrl(credentials['tenant_id'] ?? ''), form }
    },
    decides: ({ credentials, config }) => [config['api_url'], credentials],
    ifRefused: (code) =>
      `Microsoft does not accept the credentials of the bot (${code}). Check app_id and tenant_id, and make a new client secret: Entra admin center, App registrations, the app, Certificates & secrets.`,
  })

/** Calls the Bot Framework. @throws NoToken, OutboundFailure */
export async function callTeams(
  { method, service_url: serviceUrl, conversation, activity, body }: TeamsCall,
  account: BotAccount,
  tokens: KeptTokens,
): Promise<JsonAnswer> {
  const cloud = teamsCloud(account.config)
  if (cloud === undefined || !isServiceUrl(serviceUrl, cloud)) throw new NoToken(OTHER_CLOUD, true)
  const all = `${serviceUrl.replace(/\/$/, '')}/v3/conversations/${encodeURIComponent(conversation)}/activities`
  const address = activity === undefined ? all : `${all}/${encodeURIComponent(activity)}`
  return await tokens.send(account, (token) =>
    requestJson(address, { method, headers: { authorization: `Bearer ${token}` }, body }, account),
  )
}

function outcomeOf({ status, headers, body }: JsonAnswer, conversation: string): PostOutcome {
  if (status >= 200 && status < 300) {
    const id = idOfPosted({ body })
    return { is: 'posted', ref: id === undefined ? undefined : teamsRef(conversation, id) }
  }
  // Teams asks to wait with 412, too.
  if (status === 429 || status === 412) return { is: 'wait', ms: retryAfterMs(headers, Date.now()) }
  if (status >= 500) return { is: 'unknown', because: unconfirmed('Microsoft Teams') }
  if (status === 401 || status === 403 || status === 404)
    return {
      is: 'failed',
      because: `Microsoft Teams does not let the bot post where it was asked (HTTP ${status}). Was it removed there? Install it in the team or chat again.`,
    }
  return { is: 'failed', because: `Microsoft Teams refused an answer (HTTP ${status}).` }
}

/** Posts a message; everything that Teams or the network does is an outcome. */
export async function postToTeams(
  body: unknown,
  account: BotAccount,
  tokens: KeptTokens,
): Promise<PostOutcome> {
  const post = Post.parse(body)
  const cloud = teamsCloud(account.config)
  if (cloud === undefined || !isServiceUrl(post.service_url, cloud))
    return { is: 'failed', because: OTHER_CLOUD }
  try {
    await tokens.get(account)
  } catch (fault) {
    if (fault instanceof NoToken) return fault.outcome()
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
    if (fault instanceof NoToken) return { is: 'failed', because: fault.message }
    return outcomeOfFault(fault, { platform: 'Microsoft Teams', isRepeatable: false })
  }
}
