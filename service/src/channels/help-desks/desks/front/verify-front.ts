import { createHmac } from 'node:crypto'
import { isEqualInConstantTime } from '../../../../kernel/secrets.ts'

/** dev.frontapp.com/docs/security-1 recommends five minutes. */
const MAX_SKEW_MS = 300_000

/** Whether an application webhook of Front was signed with this key, at most five minutes ago: the base64 HMAC-SHA256 of `time:body`. */
export function isSignedByFront(
  { headers, rawBody }: { headers: Headers; rawBody: Uint8Array },
  key: string,
  now: Date,
): boolean {
  const timestamp = headers.get('x-front-request-timestamp') ?? ''
  if (!/^\d{13}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() - Number(timestamp)) > MAX_SKEW_MS) return false
  const signed = Buffer.concat([Buffer.from(`${timestamp}:`), rawBody])
  const expected = createHmac('sha256', key).update(signed).digest('base64')
  return isEqualInConstantTime(expected, headers.get('x-front-signature'))
}
