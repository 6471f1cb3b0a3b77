import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import type { HookClaim } from '../../../platform-hooks/platform-hooks.ts'
import { bearerTokenOf, isCurrentToken, isSignedWith } from '../../bearer-token.ts'
import type { PublishedKeys } from '../../published-keys.ts'
import { isServiceUrl, teamsCloud } from './teams-cloud.ts'

const Claims = z.looseObject({
  iss: z.string().max(500),
  aud: z.string().max(200),
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
  const token = bearerTokenOf(headers, Claims)
  const activity = Activity.safeParse(parseJson(new TextDecoder().decode(rawBody))).data
  if (cloud === undefined || appId === '' || token === undefined || activity === undefined) return false
  const { claims } = token
  if (claims.iss !== cloud.issuer || claims.aud !== appId || !isCurrentToken(token, now)) return false
  if (activity.serviceUrl !== claims.serviceurl || !isServiceUrl(claims.serviceurl, cloud)) return false
  if (!isOfTenant(activity, credentials['tenant_id'] ?? '')) return false
  const { openIdUrl, issuer } = cloud
  // Only now: strangers must not have the keys fetched.
  const published = await keyOf(token.kid, { ...claim, from: { openIdUrl, issuer } })
  if (published?.endorsements.includes('msteams') !== true) return false
  return isSignedWith(published.key, token)
}

/** An app may be installed by other tenants, too: they are not answered. */
function isOfTenant({ conversation, channelData }: z.infer<typeof Activity>, tenantId: string): boolean {
  const named = [conversation?.tenantId, channelData?.tenant?.id].filter((id) => id !== undefined)
  return (
    tenantId !== '' && named.length > 0 && named.every((id) => id.toLowerCase() === tenantId.toLowerCase())
  )
}
