import { isRecent, isSigned } from '../../../platform-hooks/platform-hooks.ts'

/**
 * Whether a request was signed by Slack with this secret, at most five minutes ago: `v0=` and the hex HMAC-SHA256 of
 * `v0:{timestamp}:{raw body}`.
 */
export function isSignedBySlack(
  { headers, rawBody }: { headers: Headers; rawBody: Uint8Array },
  secret: string,
  now: Date,
): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? ''
  if (!/^\d{1,12}$/.test(timestamp) || !isRecent(Number(timestamp) * 1_000, now)) return false
  const parts = [`v0:${timestamp}:`, rawBody]
  return isSigned(headers.get('x-slack-signature'), { secret, parts, as: 'hex', prefix: 'v0=' })
}
