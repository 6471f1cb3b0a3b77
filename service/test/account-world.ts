import { OAuth2Server } from 'oauth2-mock-server'
import { openScriptedBrowser } from './scripted-browser.ts'
import { startTestService } from './start-service.ts'

export const GOOD_PASSWORD = 'staircase lemon orbit 42'

/** The identity that the identity provider reports. */
interface OutsidePerson {
  sub: string
  email?: string
  email_verified?: boolean
}

/**
 * The whole service with an identity provider, and people who get accounts by the link of an invitation, as in reality.
 *
 * @example
 * await using world = await openAccountWorld()
 * const { browser } = await world.join('grace@example.com')
 */
export async function openAccountWorld(environment: Record<string, string> = {}) {
  const outside = new OAuth2Server()
  await outside.issuer.keys.generate('RS256')
  await outside.start(0, '127.0.0.1')
  const issuer = `http://127.0.0.1:${outside.address().port}`
  outside.issuer.url = issuer
  const citewell = await startTestService({
    CITEWELL_OIDC_ISSUER: issuer,
    CITEWELL_OIDC_CLIENT_ID: 'citewell',
    CITEWELL_OIDC_CLIENT_SECRET: 'outside-secret',
    CITEWELL_OIDC_NAME: 'Example ID',
    ...environment,
  })
  const { workspaces } = await citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')
  const workspaceId = workspaces[0]?.id ?? ''
  const { address } = citewell
  const within = (path: string) => `${address}${path}`

  /** Invites a person. Returns their user id and the link. */
  async function invite(
    email: string,
    role = 'member',
    workspace = workspaceId,
  ): Promise<{ userId: string; link: string }> {
    const invited = await citewell.json<{ user_id: string; invitation: { url: string } }>(
      'POST',
      `/api/v1/workspaces/${workspace}/members`,
      { email, role },
    )
    return { userId: invited.user_id, link: invited.invitation.url }
  }

  /** A person who has joined with a password, in a signed-in browser. */
  async function join(email: string, role = 'member') {
    const { userId, link } = await invite(email, role)
    const browser = openScriptedBrowser()
    const account = await browser.press(await browser.go(link, []), 'Join', [], { password: GOOD_PASSWORD })
    return { userId, browser, account }
  }

  /** Submits an e-mail and a password on the sign-in page. Returns the next page. */
  async function signIn(
    email: string,
    { password = GOOD_PASSWORD, browser = openScriptedBrowser(), to = '', from = '' } = {},
  ) {
    const page = await browser.go(within(`/sign-in${to === '' ? '' : `?to=${encodeURIComponent(to)}`}`), [])
    const shown = await browser.press(page, 'Sign in', [], { email, password }, from)
    return { browser, ...shown }
  }

  /** Another workspace of the owner, which the API cannot create. */
  async function secondWorkspace(): Promise<string> {
    const [made] = await citewell.rows(
      `insert into workspaces (id, name, plan, zero_data_retention, created_at, updated_at)
        values (gen_random_uuid(), 'Second workspace', 'enterprise', false, now(), now()) returning id`,
    )
    const id = String(made?.['id'])
    await citewell.rows(
      `insert into workspace_members (workspace_id, user_id, role, created_at)
        select '${id}', user_id, 'owner', now() from workspace_members where role = 'owner' limit 1`,
    )
    return id
  }

  /** From now on the provider signs everyone in as this person. */
  function arrivesAs(person: OutsidePerson): void {
    outside.service.removeAllListeners('beforeTokenSigning')
    outside.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
      Object.assign(token.payload, person)
    })
  }

  return {
    citewell,
    issuer,
    address,
    workspaceId,
    within,
    invite,
    secondWorkspace,
    join,
    signIn,
    arrivesAs,
    [Symbol.asyncDispose]: async () => {
      await citewell[Symbol.asyncDispose]()
      await outside.stop()
    },
  }
}

export type AccountWorld = Awaited<ReturnType<typeof openAccountWorld>>
