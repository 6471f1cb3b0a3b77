import { isRecent, isSigned } from '../../../platform-hooks/platform-hooks.ts'

/**
 * Whether an application webhook of Front was signed with this key, at most five minutes ago, as
 * dev.frontapp.com/docs/security-1 recommends: the base64 HMAC-SHA256 of `time:body`.
 */
export function isSignedByFront(
  { headers, rawBody }: { headers: Headers; rawBody: Uint8Array },
  secret: string,
  now: Date,
): boolean {
  const timestamp = headers.get('x-front-request-timestamp') ?? ''
  if (!/^\d{13}$/.test(timestamp) || !isRecent(Number(timestamp), now)) return false
  return isSigned(headers.get('x-front-signature'), {
    secret,
    parts: [`${timestamp}:`, rawBody],
    as: 'base64',
  })
}
