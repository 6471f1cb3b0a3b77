import type { Sealer } from '../../platform/secrets/sealed.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts'
import type { OutboundResponse } from '../../platform/outbound/outbound-response.ts'
import type { AttemptOutcome, ClaimedDelivery } from './send-queue-store.ts'
import { secretPlace } from './secret-place.ts'
import { webhookHeaders } from './webhook-signature.ts'

export interface PostDeps {
  outbound: Pick<Outbound, 'fetchOutbound'>
  sealer: Pick<Sealer, 'open'>
  /** For connecting, answering and the body together. */
  timeoutMs: number
  now: () => Date
  /** Monotonic. */
  milliseconds: () => number
  /** Tells whoever runs the service of a fault that is its own. */
  report: (fault: unknown, doing: string) => void
}

/** Of a receiver's answer, what is read and kept. */
const KEPT_BYTES = 4_096

/**
 * Sends a delivery, once. Whatever happens is an outcome. Only a 2xx status in time is a success; a redirect is not followed, since its
 * target is not the address that was registered.
 *
 * @param signal - ends the attempt when the service stops: whether it arrived is unknown then
 */
export async function postDelivery(
  delivery: ClaimedDelivery,
  deps: PostDeps,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { event, body, message_id: messageId, url, sealed_secret: sealed } = delivery
  const startedAt = deps.milliseconds()
  const elapsed = () => Math.round(deps.milliseconds() - startedAt)
  const nothing = { response_status: null, response_body: null }
  try {
    const secret = sealed === null ? undefined : deps.sealer.open(sealed, secretPlace(delivery.trigger_id))
    const response = await deps.outbound.fetchOutbound(url, {
      chosenBy: 'customer',
      method: 'POST',
      headers: {
        ...webhookHeaders({ secret, event, messageId, body, at: deps.now() }),
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Citewell-Webhooks/0.1',
        'accept-encoding': 'identity',
        // A kept connection that the receiver is just closing would lose a delivery, which is never repeated.
        connection: 'close',
      },
      body,
      signal,
      timeoutMs: deps.timeoutMs,
      followRedirects: false,
    })
    const duration_ms = elapsed()
    const response_body = await readBeginning(response)
    const error = faultOf(response.status)
    const status = error === null ? 'delivered' : 'failed'
    return { status, response_status: response.status, response_body, error, duration_ms }
  } catch (fault) {
    const duration_ms = elapsed()
    if (signal.aborted) {
      const error = 'The service was stopped while this was being sent: it may have arrived.'
      return { ...nothing, status: 'unknown', error, duration_ms }
    }
    if (fault instanceof OutboundFailure)
      return { ...nothing, status: 'failed', error: fault.message, duration_ms }
    deps.report(fault, 'sending a webhook delivery')
    return { ...nothing, status: 'failed', error: 'It could not be sent.', duration_ms }
  }
}

function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The receiver redirects (${status}), which is not followed.`
  return `The receiver answered ${status}.`
}

/** The beginning of a body as text. The status has decided already: a body that breaks off or drips only ends here. */
async function readBeginning(response: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.stream()) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= KEPT_BYTES) break
    }
  } catch {
    // What came until then is kept.
  }
  const kept = Buffer.concat(chunks).subarray(0, KEPT_BYTES)
  return new TextDecoder().decode(kept).replaceAll('\0', '')
}
