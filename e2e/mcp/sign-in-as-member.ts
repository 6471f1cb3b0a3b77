import { openScriptedBrowser } from '../../service/test/scripted-browser.ts'
import type { SharedCitewell } from '../shared-citewell.ts'

const PASSWORD = 'staircase lemon orbit 42'

/** Creates a member who accepted an invitation and set a password. */
export async function joinAsMember(citewell: SharedCitewell, email: string): Promise<{ email: string }> {
  const me = await citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')
  const { invitation } = await citewell.json<{ invitation: { url: string } }>(
    'POST',
    `/api/v1/workspaces/${me.workspaces[0]?.id}/members`,
    { email, role: 'member' },
  )
  const browser = openScriptedBrowser()
  const account = await browser.press(await browser.go(invitation.url, []), 'Join', [], {
    password: PASSWORD,
  })
  if (account.url.pathname !== '/account') throw new Error(`Joining ended at ${account.url.href}`)
  return { email }
}

/**
 * Acts as a member's browser at the authorization URL of a tool: signs in with e-mail and password, and lets the tool read; at the
 * portal it also selects bases.
 *
 * @param bases ids of the bases to select, if there is a choice
 * @returns the redirect URL with the authorization code; it has not been requested yet
 */
export async function signInAsMember(
  address: string | URL,
  { email }: { email: string },
  bases: readonly string[],
): Promise<URL> {
  const redirect = new URL(address).searchParams.get('redirect_uri') ?? ''
  const browser = openScriptedBrowser()
  const asked = await browser.go(address, [redirect])
  if (asked.url.pathname !== '/sign-in') throw new Error(`Expected /sign-in, got ${asked.url.href}`)
  const consent = await browser.press(asked, 'Sign in', [redirect], { email, password: PASSWORD })
  const back = await browser.press(consent, 'Connect', [redirect], bases.length === 0 ? {} : { base: bases })
  return back.url
}
