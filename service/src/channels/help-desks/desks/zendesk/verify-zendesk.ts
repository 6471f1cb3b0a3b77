import { createHmac, timingSafeEqual } from 'node:crypto'

/** Zendesk names no limit; that of other platforms leaves time for its retries, which are signed anew. */
const MAX_SKEW_MS = 300_000

/**
 * Whether a request was signed by Zendesk with this secret, at most five minutes ago: the base64 HMAC-SHA256 of timestamp and raw body. Its
 * pages show both orders (developer.zendesk.com/documentation/webhooks/verifying and …/event-connectors/webhooks/verifying), and nobody
 * without the secret can make either.
 */
export function isSignedByZendesk(
  { headers, rawBody }: { headers: Headers; rawBody: Uint8Array },
  secret: string,
  now: Date,
): boolean {
  const timestamp = headers.get('x-zendesk-webhook-signature-timestamp') ?? ''
  const sent = Buffer.from(headers.get('x-zendesk-webhook-signature') ?? '')
  if (!/^\d{4}-\d\d-\d\dT[\d:.]{5,20}Z$/.test(timestamp)) return false
  if (!(Math.abs(now.getTime() - Date.parse(timestamp)) <= MAX_SKEW_MS)) return false
  const time = Buffer.from(timestamp)
  return [
    [time, rawBody],
    [rawBody, time],
  ].some((parts) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(Buffer.concat(parts)).digest('base64'))
    return expected.length === sent.length && timingSafeEqual(expected, sent)
  })
}
