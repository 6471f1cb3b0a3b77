import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { newId } from '../src/kernel/ids.ts'
import { beginSession } from './begin-session.ts'
import { askForTokens, authorizationAddress, clientIdIn, registerTool, sayHello } from './oauth-requests.ts'
import { openScriptedBrowser } from './scripted-browser.ts'
import type { TestService } from './start-service.ts'

/** The redirect address of the test's tool; no server listens there. */
export const TOOL_REDIRECT = 'http://127.0.0.1:43118/callback'

const now = () => new Date()

/** Adds a member with only the permissions of the role to a workspace. Returns their id. */
export async function makeMember(
  { storage: { db } }: TestService,
  workspaceId: string,
  role: 'admin' | 'member' = 'member',
): Promise<string> {
  const id = newId()
  const times = { created_at: now(), updated_at: now() }
  await db
    .insertInto('users')
    .values({ id, email: `${id}@example.com`, name: 'Mia', ...times })
    .execute()
  await db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: id, role, ...times })
    .execute()
  return id
}

/** A browser in which a member is already signed in: signing in itself is tested elsewhere. */
export async function openMemberBrowser(citewell: TestService, userId: string) {
  const browser = openScriptedBrowser()
  const value = await beginSession(citewell, userId)
  browser.cookies.push({ name: 'citewell_session', value, path: '/', origin: citewell.address })
  return browser
}

export type MemberBrowser = Awaited<ReturnType<typeof openMemberBrowser>>

/** Registers a tool and starts a connection: its authorization address, and what it needs afterwards. */
export async function beginConnecting(
  citewell: TestService,
  resource: string,
  { redirect = TOOL_REDIRECT, scope = 'mcp', ...metadata }: Record<string, string> = {},
) {
  const clientId = await clientIdIn(
    await registerTool(citewell.address, { redirect_uris: [redirect], ...metadata }),
  )
  const asked = { client_id: clientId, redirect_uri: redirect, resource }
  const { url, verifier } = authorizationAddress(citewell.address, { ...asked, scope })
  const tokensFor = async (code: string) =>
    (await (
      await askForTokens(citewell.address, {
        ...asked,
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
      })
    ).json()) as { access_token: string; refresh_token: string }
  const refresh = async (token: string) =>
    await askForTokens(citewell.address, {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: clientId,
    })
  return { url, redirect, tokensFor, refresh }
}

/** Connects a member's tool completely, from its registration to its tokens. */
export async function connectAsMember(
  citewell: TestService,
  browser: MemberBrowser,
  resource: string,
  ticked: Record<string, readonly string[]> = {},
) {
  const begun = await beginConnecting(citewell, resource)
  const consent = await browser.go(begun.url, [begun.redirect])
  const back = await browser.press(consent, 'Connect', [begun.redirect], ticked)
  const code = back.url.searchParams.get('code')
  if (code === null) throw new Error(`no code came back to ${back.url.href}:\n${back.html}`)
  return { ...begun, consent, tokens: await begun.tokensFor(code) }
}

/** A client of the current protocol that sends a token. */
export async function openMcpClient(address: string, token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }))
  return client
}

/** The result of a tool: its text, its data, and whether it is an error. */
export async function callTool(client: Client, name: string, input: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: input })
  const [content] = result.content as { text: string }[]
  return {
    text: content?.text ?? '',
    data: (result.structuredContent ?? {}) as Record<string, unknown>,
    isError: result.isError === true,
  }
}

/** Sends one raw request of the protocol. Returns its status. */
export const knock = async (address: string, token: string): Promise<Response> =>
  await sayHello(address, token)
