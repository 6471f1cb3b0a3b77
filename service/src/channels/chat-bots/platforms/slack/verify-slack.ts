import { createHmac, timingSafeEqual } from 'node:crypto'

/** Slack asks receivers to refuse older requests; later ones are no less wrong. */
const MAX_SKEW_SECONDS = 300

/**
 * Whether a request was signed by Slack with this secret, at most five minutes ago: `v0=` and the hex HMAC-SHA256 of
 * `v0:{timestamp}:{raw body}`.
 */
export function isSignedBySlack(
  { headers, rawBody }: { headers: Headers; rawBody: Uint8Array },
  signingSecret: string,
  now: Date,
): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? ''
  const given = headers.get('x-slack-signature') ?? ''
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > MAX_SKEW_SECONDS) return false
  const hmac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(rawBody).digest('hex')
  const [expected, sent] = [Buffer.from(`v0=${hmac}`), Buffer.from(given)]
  return expected.length === sent.length && timingSafeEqual(expected, sent)
}
