import { verify } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import type { HookClaim } from '../../../platform-hooks/platform-hooks.ts'
import type { PublishedKeys } from './published-keys.ts'
import { isServiceUrl, teamsCloud } from './teams-cloud.ts'

/** The clocks of others may differ by so much (Bot Connector authentication, step 4). */
const MAX_SKEW_SECONDS = 300
const MAX_TOKEN = 10_000

const Header = z.looseObject({ alg: z.literal('RS256'), kid: z.string().min(1).max(300) })

const Claims = z.looseObject({
  iss: z.string().max(500),
  aud: z.string().max(200),
  exp: z.number(),
  nbf: z.number().optional(),
  serviceurl: z.string().min(1).max(2_000),
})

const Activity = z.looseObject({
  channelId: z.literal('msteams'),
  serviceUrl: z.string().min(1).max(2_000),
  conversation: z.looseObject({ tenantId: z.string().max(100).optional() }).optional(),
  channelData: z
    .looseObject({ tenant: z.looseObject({ id: z.string().max(100).optional() }).optional() })
    .optional(),
})

const decoded = (part: string | undefined): unknown =>
  parseJson(Buffer.from(part ?? '', 'base64url').toString('utf8'))

interface Token {
  kid: string
  claims: z.infer<typeof Claims>
  /** Header and claims, as they were signed. */
  signed: string
  signature: string
}

/** The token of a request. Nothing of it is proven yet. */
function tokenOf(headers: Headers): Token | undefined {
  const [, token = ''] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(headers.get('authorization') ?? '') ?? []
  if (token.length > MAX_TOKEN) return undefined
  const [head = '', body = '', signature = ''] = token.split('.')
  const header = Header.safeParse(decoded(head)).data
  const claims = Claims.safeParse(decoded(body)).data
  if (header === undefined || claims === undefined) return undefined
  return { kid: header.kid, claims, signed: `${head}.${body}`, signature }
}

const isCurrent = ({ exp, nbf = 0 }: z.infer<typeof Claims>, now: Date): boolean => {
  const seconds = now.getTime() / 1_000
  return seconds <= exp + MAX_SKEW_SECONDS && seconds >= nbf - MAX_SKEW_SECONDS
}

/**
 * Whether Teams sent a request to the bot of these credentials: a token signed with a published key that may sign for Teams, of the issuer,
 * for this bot, valid now, and for the very address that answers go to; of the tenant that the bot belongs to.
 *
 * @throws Error if the published keys cannot be read
 */
export async function isSignedForTeams(claim: HookClaim, keyOf: PublishedKeys): Promise<boolean> {
  const { headers, rawBody, credentials, config, now } = claim
  const cloud = teamsCloud(config)
  const appId = credentials['app_id'] ?? ''
  const token = tokenOf(headers)
  const activity = Activity.safeParse(parseJson(new TextDecoder().decode(rawBody))).data
  if (cloud === undefined || appId === '' || token === undefined || activity === undefined) return false
  const { claims, kid, signed, signature } = token
  if (claims.iss !== cloud.issuer || claims.aud !== appId || !isCurrent(claims, now)) return false
  if (activity.serviceUrl !== claims.serviceurl || !isServiceUrl(claims.serviceurl, cloud)) return false
  if (!isOfTenant(activity, credentials['tenant_id'] ?? '')) return false
  const { openIdUrl, issuer } = cloud
  // Only now: strangers must not have the keys fetched.
  const published = await keyOf(kid, { ...claim, openIdUrl, issuer })
  if (published?.endorsements.includes('msteams') !== true) return false
  return verify('RSA-SHA256', Buffer.from(signed), published.key, Buffer.from(signature, 'base64url'))
}

/** An app may be installed by other tenants, too: they are not answered. */
function isOfTenant({ conversation, channelData }: z.infer<typeof Activity>, tenantId: string): boolean {
  const named = [conversation?.tenantId, channelData?.tenant?.id].filter((id) => id !== undefined)
  return (
    tenantId !== '' && named.length > 0 && named.every((id) => id.toLowerCase() === tenantId.toLowerCase())
  )
}
