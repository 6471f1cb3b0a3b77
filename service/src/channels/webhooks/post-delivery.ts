import type { Sealer } from '../../platform/secrets/sealed.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts'
import type { OutboundResponse } from '../../platform/outbound/outbound-response.ts'
import type { AttemptOutcome, ClaimedDelivery } from './send-queue-store.ts'
import { sealedSecretContext } from './sealed-secret-context.ts'
import { webhookHeaders } from './webhook-signature.ts'

export interface PostDeps {
  outbound: Pick<Outbound, 'fetchOutbound'>
  sealer: Pick<Sealer, 'open'>
  /** Timeout for connecting, the response and its body in total. */
  timeoutMs: number
  now: () => Date
  /** Monotonic clock. */
  milliseconds: () => number
  /** Reports an internal error to the operator. */
  report: (fault: unknown, doing: string) => void
}

/** Maximum bytes of the response body that are read and stored. */
const MAX_STORED_BYTES = 4_096

/**
 * Sends a delivery, once. Every result is returned as an outcome. Only a 2xx status in time is a success; redirects are not followed,
 * because their target is not the registered address.
 *
 * @param signal - aborts the attempt when the service stops: it is unknown then whether the delivery arrived
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
    const secret =
      sealed === null ? undefined : deps.sealer.open(sealed, sealedSecretContext(delivery.trigger_id))
    const response = await deps.outbound.fetchOutbound(url, {
      chosenBy: 'customer',
      method: 'POST',
      headers: {
        ...webhookHeaders({ secret, event, messageId, body, at: deps.now() }),
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Citewell-Webhooks/0.1',
        'accept-encoding': 'identity',
        // A reused connection that the receiver is closing would lose a delivery, which is never retried.
        connection: 'close',
      },
      body,
      signal,
      timeoutMs: deps.timeoutMs,
      followRedirects: false,
    })
    const duration_ms = elapsed()
    const response_body = await readBeginning(response)
    const error = errorOfStatus(response.status)
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
    return { ...nothing, status: 'failed', error: 'The delivery could not be sent.', duration_ms }
  }
}

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400)
    return `The receiver answered with a redirect (${status}), which is not followed.`
  return `The receiver answered ${status}.`
}

/** The beginning of a body as text. The status has decided the outcome: a body that breaks off or is slow is just truncated. */
async function readBeginning(response: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.stream()) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= MAX_STORED_BYTES) break
    }
  } catch {
    // What was received so far is kept.
  }
  const kept = Buffer.concat(chunks).subarray(0, MAX_STORED_BYTES)
  return new TextDecoder().decode(kept).replaceAll('\0', '')
}
