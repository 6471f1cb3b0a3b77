import { createHmac } from 'node:crypto'
import { WEBHOOK_HEADERS } from '@citewell/contract/closed-lists'

export interface SignedDelivery {
  /** As configured; undefined for a webhook without one. */
  secret: string | undefined
  event: string
  /** The same for every redelivery. */
  messageId: string
  /** The exact text that is sent. */
  body: string
  /** Time of sending. */
  at: Date
}

const STANDARD_PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * The headers that identify a delivery and its sender: the event, the hex HMAC-SHA256 of the raw body, and those of Standard Webhooks,
 * which also sign id and time. Without a secret nothing is signed.
 */
export function webhookHeaders({
  secret,
  event,
  messageId,
  body,
  at,
}: SignedDelivery): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000))
  const unsigned = {
    [WEBHOOK_HEADERS.event]: event,
    [WEBHOOK_HEADERS.standardId]: messageId,
    [WEBHOOK_HEADERS.standardTimestamp]: seconds,
  }
  if (secret === undefined) return unsigned
  const signatures = standardKeysOf(secret).map(
    (key) => `v1,${createHmac('sha256', key).update(`${messageId}.${seconds}.${body}`).digest('base64')}`,
  )
  return {
    ...unsigned,
    [WEBHOOK_HEADERS.signature]: createHmac('sha256', secret).update(body).digest('hex'),
    [WEBHOOK_HEADERS.standardSignature]: signatures.join(' '),
  }
}

/**
 * The keys that Standard Webhooks derives from a secret. After `whsec_` follows a key in base64. Any other text is used unchanged; if it
 * could also be base64, Standard Webhooks libraries would decode it, so both keys sign: receivers accept any one signature of a list.
 */
function standardKeysOf(secret: string): Buffer[] {
  if (secret.startsWith(STANDARD_PREFIX)) {
    const encoded = secret.slice(STANDARD_PREFIX.length)
    if (BASE64.test(encoded)) return [Buffer.from(encoded, 'base64')]
  }
  const asUtf8 = Buffer.from(secret, 'utf8')
  return BASE64.test(secret) ? [asUtf8, Buffer.from(secret, 'base64')] : [asUtf8]
}
