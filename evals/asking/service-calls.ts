/** A service reached over HTTP, and the credentials of its callers. */
export interface ServiceCalls {
  /** A management request; returns the JSON of the response and throws on a refusal. */
  manage<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** The same without throwing on a refusal. */
  tryManage(method: string, path: string, body?: unknown): Promise<Response>
  /** A public request with a client key; throws on a refusal. */
  ask(key: string, path: string, body: unknown): Promise<Response>
}

export class RequestRefused extends Error {}

export function createServiceCalls(given: {
  address: string
  token: string
  signal: AbortSignal
}): ServiceCalls {
  const { address, token, signal } = given
  const send = async (method: string, path: string, headers: Record<string, string>, body: unknown) =>
    await fetch(new URL(path, address), {
      method,
      signal,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  async function accepted(method: string, path: string, sent: Promise<Response>): Promise<Response> {
    const response = await sent
    if (response.ok) return response
    throw new RequestRefused(`${method} ${path}: ${response.status} ${await response.text()}`)
  }
  const tryManage = (method: string, path: string, body?: unknown) =>
    send(method, path, { authorization: `Bearer ${token}` }, body)
  return {
    tryManage,
    manage: async <Answer>(method: string, path: string, body?: unknown) =>
      (await (await accepted(method, path, tryManage(method, path, body))).json()) as Answer,
    ask: (key, path, body) => accepted('POST', path, send('POST', path, { 'x-client-key': key }, body)),
  }
}
