import { isRecent, isSigned } from '../../../platform-hooks/platform-hooks.ts'

/**
 * Whether a request was signed by Zendesk with this secret, at most five minutes ago (it names no limit, and signs its retries anew): the
 * base64 HMAC-SHA256 of timestamp and raw body. Its pages show both orders (developer.zendesk.com/documentation/webhooks/verifying and
 * …/event-connectors/webhooks/verifying), and nobody without the secret can make either.
 */
export function isSignedByZendesk(
  { headers, rawBody }: { headers: Headers; rawBody: Uint8Array },
  secret: string,
  now: Date,
): boolean {
  const timestamp = headers.get('x-zendesk-webhook-signature-timestamp') ?? ''
  if (!/^\d{4}-\d\d-\d\dT[\d:.]{5,20}Z$/.test(timestamp)) return false
  if (!isRecent(Date.parse(timestamp), now)) return false
  return [
    [timestamp, rawBody],
    [rawBody, timestamp],
  ].some((parts) => isSigned(headers.get('x-zendesk-webhook-signature'), { secret, parts, as: 'base64' }))
}
