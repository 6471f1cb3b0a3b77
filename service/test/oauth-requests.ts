import { createHash, randomBytes } from 'node:crypto'
import { initializeRequest } from './initialize-request.ts'
import { outsideRequest } from './outside-request.ts'

/** Raw requests of a tool whose user signs in. */

/** A form, encoded as browsers and tools do. */
export const formOf = (fields: Record<string, string> | [string, string][]) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

/** @param service the address of the service, as in the requests below */
export const registerTool = async (service: string, metadata: Record<string, unknown>): Promise<Response> =>
  await outsideRequest(`${service}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test tool', ...metadata }),
  })

/** The `client_id` of a registered tool. */
export const clientIdIn = async (registered: Response): Promise<string> =>
  ((await registered.json()) as { client_id: string }).client_id

/** The address that a tool opens in the browser, with the verifier that it keeps. Fields that are undefined are omitted. */
export function authorizationAddress(service: string, fields: Record<string, string | undefined>) {
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL(`${service}/authorize`)
  const asked = {
    response_type: 'code',
    scope: 'mcp',
    state: 'state-of-the-tool',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...fields,
  }
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) url.searchParams.set(name, value)
  return { url, verifier }
}

export const askForTokens = async (service: string, fields: Record<string, string>): Promise<Response> =>
  await outsideRequest(`${service}/token`, formOf(fields))

/** Sends `initialize` to a server. Returns the status. */
export const sayHello = async (
  server: string,
  bearer: string | undefined,
  headers: Record<string, string> = {},
): Promise<Response> =>
  await outsideRequest(
    server,
    initializeRequest({ ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }), ...headers }),
  )
