import { openScriptedBrowser } from '../../service/test/scripted-browser.ts'
import type { RunningCitewell } from '../run-citewell.ts'

const PASSWORD = 'staircase lemon orbit 42'

/** Somebody who joined by an invitation, with a password of theirs. */
export async function joinAsMember(citewell: RunningCitewell, email: string): Promise<{ email: string }> {
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
 * What a member does in a browser when a tool opens this address: signs in with e-mail and password, and lets the tool read; at the portal
 * they choose what.
 *
 * @param bases ids that are ticked, where there is something to tick
 * @returns where the browser is sent back to, with the code in it; nothing has gone there yet
 */
export async function signInAsMember(
  address: string | URL,
  { email }: { email: string },
  bases: readonly string[],
): Promise<URL> {
  const redirect = new URL(address).searchParams.get('redirect_uri') ?? ''
  const browser = openScriptedBrowser()
  const asked = await browser.go(address, [redirect])
  if (asked.url.pathname !== '/sign-in') throw new Error(`The tool was let to ${asked.url.href}`)
  const consent = await browser.press(asked, 'Sign in', [redirect], { email, password: PASSWORD })
  const back = await browser.press(consent, 'Connect', [redirect], bases.length === 0 ? {} : { base: bases })
  return back.url
}
