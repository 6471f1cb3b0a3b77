import type { ChosenBy } from '../outbound/chosen-by.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { ModelFetch } from './openai-compatible-model.ts'

/** Longer than any of our time limits for an answer: those end the call with more precise reasons. */
const OUTBOUND_TIMEOUT_MS = 300_000

function textOf(body: unknown): string | undefined {
  if (body instanceof URLSearchParams) return body.toString()
  return typeof body === 'string' ? body : undefined
}

type Guarded = Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>

async function request(outbound: Outbound, chosenBy: ChosenBy, address: string | URL, init: Guarded) {
  const body = textOf(init.body)
  const answer = await outbound.fetchOutbound(address, {
    chosenBy,
    method: init.method ?? 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    followRedirects: false,
    timeoutMs: OUTBOUND_TIMEOUT_MS,
    ...(body !== undefined && { body }),
    ...(init.signal && { signal: init.signal }),
  })
  const headers = new Headers(answer.headers)
  // Already decompressed.
  headers.delete('content-encoding')
  headers.delete('content-length')
  return { status: answer.status, headers, body: answer.stream() }
}

/** The guarded fetch with the platform’s own signature, for addresses set by the operator or a customer. */
export function createOutboundFetch(outbound: Outbound, chosenBy: ChosenBy): typeof globalThis.fetch {
  return async (address, init = {}) => {
    const target = address instanceof Request ? address.url : address
    const { status, headers, body } = await request(outbound, chosenBy, target, init)
    return new Response(ReadableStream.from(body), { status, headers })
  }
}

/** The same for the answers of models, whose many small pieces are passed on without a web stream around them. */
export function createModelFetch(outbound: Outbound, chosenBy: ChosenBy): ModelFetch {
  return async (address, init) => {
    const answer = await request(outbound, chosenBy, address, init)
    return { ...answer, ok: answer.status >= 200 && answer.status < 300 }
  }
}
