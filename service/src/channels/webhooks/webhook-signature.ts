import { createHmac } from 'node:crypto'
import { WEBHOOK_HEADERS } from '@citewell/contract/events'

export interface SignedDelivery {
  /** As it was given; undefined where the webhook has none. */
  secret: string | undefined
  event: string
  /** The same for every repetition of a delivery. */
  messageId: string
  /** The very text that is sent. */
  body: string
  /** When it is sent. */
  at: Date
}

const STANDARD_PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * The header fields that tell a receiver what it gets and from whom: the event, the hex HMAC-SHA256 of the raw body, and those of
 * Standard Webhooks, which sign id and time too. Without a secret nothing is signed.
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
 * The keys that Standard Webhooks takes a secret for. After `whsec_` stands a key in base64. Any other text is taken as it stands; where
 * it could be base64 as well, its libraries would decode it, so both keys sign: receivers accept any one signature of a list.
 */
function standardKeysOf(secret: string): Buffer[] {
  if (secret.startsWith(STANDARD_PREFIX)) {
    const encoded = secret.slice(STANDARD_PREFIX.length)
    if (BASE64.test(encoded)) return [Buffer.from(encoded, 'base64')]
  }
  const asItStands = Buffer.from(secret, 'utf8')
  return BASE64.test(secret) ? [asItStands, Buffer.from(secret, 'base64')] : [asItStands]
}
