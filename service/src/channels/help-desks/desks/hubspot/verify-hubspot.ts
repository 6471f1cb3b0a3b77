import { isRecent, isSigned, type HookClaim } from '../../../platform-hooks/platform-hooks.ts'

/**
 * Whether a request was signed with the client secret of the app, at most five minutes ago (developers.hubspot.com, request validation, v3):
 * the base64 HMAC-SHA256 of method, address, body and time. The address is the public one, whatever a proxy called us by.
 */
export function isSignedByHubspot(
  { headers, rawBody, hookUrl, now }: Pick<HookClaim, 'headers' | 'rawBody' | 'hookUrl' | 'now'>,
  secret: string,
): boolean {
  const timestamp = headers.get('x-hubspot-request-timestamp') ?? ''
  if (!/^\d{13}$/.test(timestamp) || !isRecent(Number(timestamp), now)) return false
  const parts = [`POST${hookUrl}`, rawBody, timestamp]
  return isSigned(headers.get('x-hubspot-signature-v3'), { secret, parts, as: 'base64' })
}
