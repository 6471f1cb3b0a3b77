import { createHash, randomBytes } from 'node:crypto'
import type { OAuth2Server } from 'oauth2-mock-server'
import { openScriptedBrowser } from '../service/test/scripted-browser.ts'
import { OWNER_TOKEN, until, type RunningCitewell } from './run-citewell.ts'

const REDIRECT = 'http://127.0.0.1:43118/callback'

/** Of the identity provider that the service has. */
export const PROVIDER_SECRET = 'outside-secret-word'

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

/**
 * A tool's sign-in with failures of the provider on its way, and requests with keys and tokens in headers and addresses.
 *
 * @returns every secret that was sent or received, and the answers, when the log has them all
 */
export async function signInWithSecrets(citewell: RunningCitewell, outside: OAuth2Server) {
  const { address } = citewell
  const base = await citewell.json<{ id: string; client_key: { key: string } }>(
    'POST',
    '/api/v1/knowledge-bases',
    { name: 'Logged' },
  )
  await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/mcp-servers`, {
    server_name: 'logged-server',
    sign_in_type: 'public',
  })
  const server = `${address}/mcp/logged-server`
  const secrets = new Set([base.client_key.key, PROVIDER_SECRET])
  const ask = async (at: string, token?: string) =>
    await fetch(at, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    })
  const clientId = (
    (await (
      await fetch(`${address}/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [REDIRECT], client_name: 'Line\nbreak \u001B[31m' }),
      })
    ).json()) as { client_id: string }
  ).client_id
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL(`${address}/authorize`)
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'mcp',
    state: 'state-of-the-tool-in-the-log',
    resource: server,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()

  // The provider fails first: errors are logged in most detail.
  const unlucky = openScriptedBrowser()
  const away = await unlucky.press(await unlucky.go(url, [REDIRECT]), 'Connect with', [
    String(outside.issuer.url),
  ])
  const back = (await unlucky.go(away.url, [`${address}/connect/back`])).url
  back.searchParams.set('iss', 'https://evil.example')
  await unlucky.request(back)
  const secretOf = (at: URL, name: string) => secrets.add(at.searchParams.get(name) ?? '')
  secretOf(back, 'code')
  secretOf(back, 'state')
  outside.service.once('beforeResponse', (answer: { statusCode: number; body: object }) => {
    answer.statusCode = 400
    answer.body = { error: 'invalid_grant', secret_of_provider: 'provider-secret-word' }
  })
  const again = openScriptedBrowser()
  await again.press(await again.go(url, [REDIRECT]), 'Connect with', [REDIRECT])
  secrets.add('provider-secret-word')

  const browser = openScriptedBrowser()
  const end = await browser.press(await browser.go(url, [REDIRECT]), 'Connect', [REDIRECT])
  secretOf(end.url, 'code')
  const exchange = form({
    grant_type: 'authorization_code',
    code: end.url.searchParams.get('code') ?? '',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    resource: server,
  })
  const tokens = (await (await fetch(`${address}/token`, exchange)).json()) as Record<string, string>
  for (const name of ['access_token', 'refresh_token']) secrets.add(tokens[name] ?? '')
  secrets.add(verifier)
  for (const { name, value } of browser.cookies) if (!name.endsWith('.sig')) secrets.add(value)
  const answers = [
    await ask(server, tokens['access_token']),
    await ask(`${address}/mcp?client_key=${base.client_key.key}`),
    await ask(`${address}/mcp?client_key=${base.client_key.key}x`),
    await ask(`${address}/mcp/not-there?client_key=${base.client_key.key}`),
    await ask(`${address}/nowhere?client_key=${base.client_key.key}`),
    await ask(`${server}?access_token=${tokens['access_token']}`),
    await fetch(`${address}/token`, exchange),
  ]
  const bodies = await Promise.all(answers.map((answer) => answer.text()))
  // What is logged after all of it.
  const headers = { authorization: `Bearer ${OWNER_TOKEN}` }
  const last = (await fetch(`${address}/api/v1/me`, { headers })).headers.get('x-request-id') ?? 'none'
  await until(
    () => Promise.resolve(citewell.log()),
    (log) => log.includes(last),
    10,
  )
  return { secrets: [...secrets], answers, bodies }
}
