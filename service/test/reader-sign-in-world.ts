import { OAuth2Server } from 'oauth2-mock-server'
import { askForTokens, authorizationAddress, clientIdIn, registerTool, sayHello } from './oauth-requests.ts'
import { openScriptedBrowser } from './scripted-browser.ts'
import { startTestService } from './start-service.ts'

/** The redirect address of a tool. No server listens there: the browser stops when it is redirected to it. */
export const REDIRECT = 'http://127.0.0.1:43117/callback'

export interface Tokens {
  access_token: string
  refresh_token: string
}

/** A service with an identity provider, and the steps of a tool and its user through signing in. */
export async function openReaderWorld(environment: Record<string, string> = {}) {
  const outside = new OAuth2Server()
  await outside.issuer.keys.generate('RS256')
  await outside.start(0, '127.0.0.1')
  outside.issuer.url = `http://127.0.0.1:${outside.address().port}`
  const citewell = await startTestService({
    CITEWELL_OIDC_ISSUER: outside.issuer.url,
    CITEWELL_OIDC_CLIENT_ID: 'citewell',
    CITEWELL_OIDC_CLIENT_SECRET: 'outside-secret',
    CITEWELL_OIDC_NAME: 'Example ID',
    ...environment,
  })
  const { address } = citewell

  /** A base with a server, at which readers sign in by default. */
  async function makeServer(name: string, signIn: 'public' | 'api_key' | 'internal' = 'public') {
    const base = await citewell.json<{ id: string; client_key: { key: string } }>(
      'POST',
      '/api/v1/knowledge-bases',
      { name: `Base of ${name}`, ...(signIn === 'internal' && { type: 'internal' }) },
    )
    const server = await citewell.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/mcp-servers`,
      { server_name: name, sign_in_type: signIn },
    )
    return { address: `${address}/mcp/${name}`, id: server.id, baseId: base.id, key: base.client_key?.key }
  }

  const register = async (fields: Record<string, unknown> = {}) =>
    await registerTool(address, { redirect_uris: [REDIRECT], ...fields })
  const registered = async (fields: Record<string, unknown> = {}) => await clientIdIn(await register(fields))

  /** The address that a tool opens in the browser. Fields that are undefined are omitted. */
  const authorization = (
    clientId: string,
    resource: string,
    fields: Record<string, string | undefined> = {},
  ) => authorizationAddress(address, { client_id: clientId, redirect_uri: REDIRECT, resource, ...fields })

  const token = async (fields: Record<string, string>) => await askForTokens(address, fields)

  /** A reader allows a tool, which then has an unused code. */
  async function codeFor(resource: string, given: { clientId?: string; browser?: Browser } = {}) {
    const clientId = given.clientId ?? (await registered())
    const browser = given.browser ?? openScriptedBrowser()
    const { url, verifier } = authorization(clientId, resource)
    const back = await browser.press(await browser.go(url, [REDIRECT]), 'Connect', [REDIRECT])
    const code = back.url.searchParams.get('code') ?? ''
    const fields = {
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      resource,
    }
    return { clientId, browser, back, code, verifier, fields }
  }

  /** All steps, up to the tokens. */
  async function connect(resource: string, given: { clientId?: string; browser?: Browser } = {}) {
    const way = await codeFor(resource, given)
    const tokens = (await (await token(way.fields)).json()) as Tokens
    return { ...way, tokens }
  }

  const refresh = async (clientId: string, refreshToken: string, more: Record<string, string> = {}) =>
    await token({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, ...more })

  return {
    outside,
    citewell,
    address,
    makeServer,
    register,
    registered,
    authorization,
    codeFor,
    connect,
    token,
    refresh,
    /** The status of a server's response to a token. */
    ask: sayHello,
    /** Whether a server accepts a token. */
    isGood: async (server: string, bearer: string) => (await sayHello(server, bearer)).status === 200,
    [Symbol.asyncDispose]: async () => {
      await citewell[Symbol.asyncDispose]()
      await outside.stop()
    },
  }
}

type Browser = ReturnType<typeof openScriptedBrowser>

export type ReaderWorld = Awaited<ReturnType<typeof openReaderWorld>>
