import { createHmac } from 'node:crypto'
import { isEqualInConstantTime } from '../../../../kernel/secrets.ts'
import type { HookClaim } from '../../../platform-hooks/platform-hooks.ts'

/** HubSpot says to refuse what is older than five minutes (developers.hubspot.com, request validation, v3). */
const MAX_SKEW_MS = 300_000

/**
 * Whether a request was signed with the client secret of the app, at most five minutes ago: the base64 HMAC-SHA256 of method, address, body
 * and time. The address is the public one, whatever a proxy called us by.
 */
export function isSignedByHubspot(
  { headers, rawBody, hookUrl, now }: Pick<HookClaim, 'headers' | 'rawBody' | 'hookUrl' | 'now'>,
  secret: string,
): boolean {
  const timestamp = headers.get('x-hubspot-request-timestamp') ?? ''
  if (!/^\d{13}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() - Number(timestamp)) > MAX_SKEW_MS) return false
  const signed = Buffer.concat([Buffer.from(`POST${hookUrl}`), rawBody, Buffer.from(timestamp)])
  const expected = createHmac('sha256', secret).update(signed).digest('base64')
  return isEqualInConstantTime(expected, headers.get('x-hubspot-signature-v3'))
}
