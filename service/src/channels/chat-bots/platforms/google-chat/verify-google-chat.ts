import { z } from 'zod'
import type { HookClaim } from '../../../platform-hooks/platform-hooks.ts'
import { bearerTokenOf, isCurrentToken, isSignedWith } from '../../bearer-token.ts'
import type { PublishedKeys } from '../../published-keys.ts'
import { googleChatAddresses } from './google-chat-api.ts'

const Claims = z.looseObject({
  iss: z.string().max(500),
  aud: z.string().max(2_000),
  email: z.string().max(500).optional(),
  email_verified: z.boolean().optional(),
})

type Claims = z.infer<typeof Claims>

const CHAT = 'chat@system.gserviceaccount.com'
const ACCOUNTS = new Set(['https://accounts.google.com', 'accounts.google.com'])

/** A Chat app: Google Chat itself signs, for the number of the project. */
const isOfChat = ({ iss, aud }: Claims, projectNumber: string) => iss === CHAT && aud === projectNumber

/** An add-on: Google signs for the account of the project's add-ons, and for the address of this very bot. */
const isOfAddOn = (
  { iss, aud, email, email_verified: isVerified }: Claims,
  projectNumber: string,
  hookUrl: string,
) =>
  ACCOUNTS.has(iss) &&
  isVerified === true &&
  email === `service-${projectNumber}@gcp-sa-gsuiteaddons.iam.gserviceaccount.com` &&
  aud === hookUrl

/**
 * Whether Google Chat sent a request to the app of this project: a token signed with a key that Google publishes, valid now. A token for an
 * address alone would not do: anybody may give the address of this bot to an app of their own.
 *
 * @throws Error if the published keys cannot be read
 */
export async function isSignedForGoogleChat(claim: HookClaim, keyOf: PublishedKeys): Promise<boolean> {
  const { headers, credentials, config, now, hookUrl } = claim
  const addresses = googleChatAddresses(config)
  const projectNumber = credentials['project_number'] ?? ''
  const token = bearerTokenOf(headers, Claims)
  if (addresses === undefined || projectNumber === '' || token === undefined) return false
  if (!isCurrentToken(token, now)) return false
  const { claims } = token
  const isByChat = isOfChat(claims, projectNumber)
  if (!isByChat && !isOfAddOn(claims, projectNumber, hookUrl)) return false
  // Only now: strangers must not have the keys fetched.
  const keysUrl = isByChat ? addresses.chatKeysUrl : addresses.keysUrl
  const published = await keyOf(token.kid, { ...claim, from: { keysUrl } })
  return published !== undefined && isSignedWith(published.key, token)
}

/** The address that an add-on's request was proven for: its buttons call it. Undefined for a Chat app. Only after the proof. */
export function addOnAddressIn(headers: Headers): string | undefined {
  const claims = bearerTokenOf(headers, Claims)?.claims
  return claims !== undefined && ACCOUNTS.has(claims.iss) ? claims.aud : undefined
}
