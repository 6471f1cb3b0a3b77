/** Media type of a client document or its keys. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

/** Timeout of the whole fetch, including the body. */
const TIMEOUT_MS = 5_000

/**
 * Fetches addresses from untrusted clients: the metadata document of a client, or its keys. Rejects anything but JSON, including redirects.
 *
 * @param fetch - with the SSRF guard for untrusted addresses
 */
export function createDocumentFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (address, init) => {
    const limit = AbortSignal.timeout(TIMEOUT_MS)
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit
    const answer = await fetch(address, { ...init, method: 'GET', signal })
    const isJson = JSON_TYPE.test(answer.headers.get('content-type') ?? '')
    if (answer.status === 200 && isJson) return answer
    await answer.body?.cancel()
    throw new Error(`The document of a client was answered with status ${answer.status}, or is not JSON.`)
  }
}
