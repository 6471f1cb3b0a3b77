/** A client's document, or its keys, as JSON of some kind. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

/** Longer than any document here takes; the whole fetch, its body included. */
const TIMEOUT_MS = 5_000

/**
 * Fetches what strangers name: the metadata document of a client, or its keys. Anything but JSON, a redirect also, is no document.
 *
 * @param fetch - the guarded way out for strangers
 */
export function createDocumentFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (address, init) => {
    const limit = AbortSignal.timeout(TIMEOUT_MS)
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit
    const answer = await fetch(address, { ...init, method: 'GET', signal })
    const isJson = JSON_TYPE.test(answer.headers.get('content-type') ?? '')
    if (answer.status === 200 && isJson) return answer
    await answer.body?.cancel()
    throw new Error(`A client's document came as ${answer.status}, which is not JSON.`)
  }
}
