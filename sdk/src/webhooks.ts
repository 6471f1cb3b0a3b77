/** What a webhook is told of. */
export type WebhookEvent =
  | {
      event: 'conversation.completed'
      data: { conversation_id: string; message_id: string; answer_excerpt: string }
    }
  | {
      event: 'deflection.completed'
      data: { conversation_id: string; confidence: number; deflected: boolean }
    }
  | { event: 'ticket.deflected'; data: { integration_id: string; ticket_id: string } }
  | {
      event: 'ticket.escalated'
      data: {
        integration_id: string
        ticket_id: string
        reason: 'customer_replied' | 'customer_asked' | 'turn_cap' | 'low_confidence' | 'answer_failed'
      }
    }
  | {
      event: 'simulation.completed'
      data: { simulation_id: string; integration_id: string; total: number; completed: number }
    }
  | {
      event: 'approval.resolved'
      data: { approval_id: string; agent_id: string; decision: 'approved' | 'rejected' }
    }

/** The body of a delivery, in the names of the wire. */
export type WebhookDelivery = WebhookEvent & {
  knowledge_base_id: string
  /** When it happened, ISO 8601. */
  timestamp: string
}

/** Headers of a request, as frameworks hand them out. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** A request that is not from the service, or is one that was recorded and sent again. */
export class WebhookError extends Error {
  override name = 'WebhookError'
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

const encoder = new TextEncoder()

async function hmac(secret: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
}

/** Compares in a time that depends on the lengths alone. */
function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (const [at, byte] of left.entries()) difference |= byte ^ (right[at] ?? 0)
  return difference === 0
}

function fromHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) return new Uint8Array()
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Options of {@link verifyWebhook}. */
export interface VerifyOptions {
  /**
   * How far the time of sending may be from this machine's, in seconds; default 300. 0 checks the `X-Service-Signature` alone, which a
   * recorded request passes as well.
   */
  toleranceSeconds?: number | undefined
  /** Milliseconds since 1970; default now. */
  now?: number | undefined
}

/** The keys that a secret may stand for: itself, and what it encodes in Base64 (after `whsec_`, as in Standard Webhooks). */
const standardKeysOf = (secret: string) =>
  [encoder.encode(secret), fromBase64(secret.replace(/^whsec_/, ''))].filter((key) => key.length > 0)

async function isStandardSigned(
  rawBody: Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { now = Date.now(), toleranceSeconds = 300 }: VerifyOptions,
): Promise<boolean> {
  const id = headerOf(headers, 'webhook-id')
  const seconds = headerOf(headers, 'webhook-timestamp') ?? ''
  if (id === undefined || !/^\d{1,12}$/.test(seconds)) return false
  if (Math.abs(now / 1_000 - Number(seconds)) > toleranceSeconds) return false
  const message = joined(encoder.encode(`${id}.${seconds}.`), rawBody)
  const given = (headerOf(headers, 'webhook-signature') ?? '')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .slice(0, 10)
    .map((signature) => fromBase64(signature.slice(3)))
  let isSigned = false
  for (const key of standardKeysOf(secret)) {
    const expected = await hmac(key, message)
    for (const signature of given) if (isEqual(signature, expected)) isSigned = true
  }
  return isSigned
}

/**
 * The event of a delivery, if it was signed with this secret and sent just now.
 *
 * @param rawBody - as received: parsing and writing it again changes it
 * @param headers - of the request
 * @param secret - that of the webhook trigger
 * @throws WebhookError if it was not: answer 401, and do nothing
 * @example
 * const { event, data } = await verifyWebhook(await request.text(), request.headers, secret)
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): Promise<WebhookDelivery> {
  if (secret === '') throw new TypeError('Without a secret, anyone can send events.')
  const bytes =
    typeof rawBody === 'string'
      ? encoder.encode(rawBody)
      : joined(rawBody instanceof ArrayBuffer ? new Uint8Array(rawBody) : rawBody)
  const signature = fromHex(headerOf(headers, 'x-service-signature') ?? '')
  if (!isEqual(signature, await hmac(encoder.encode(secret), bytes)))
    throw new WebhookError('The signature of the webhook is wrong.')
  if (options.toleranceSeconds !== 0 && !(await isStandardSigned(bytes, headers, secret, options)))
    throw new WebhookError('The webhook is too old, or its time is not signed.')
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookDelivery
  } catch (cause) {
    throw new WebhookError('The body of the webhook is not JSON.', { cause })
  }
}
