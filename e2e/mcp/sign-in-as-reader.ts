import { openScriptedBrowser } from '../../service/test/scripted-browser.ts'

/**
 * Acts as a reader's browser at the authorization URL of a tool: allows the tool, and signs in at the identity provider.
 *
 * @returns the redirect URL with the authorization code; it has not been requested yet
 */
export async function signInAsReader(address: string | URL): Promise<URL> {
  const redirect = new URL(address).searchParams.get('redirect_uri') ?? ''
  const browser = openScriptedBrowser()
  const consent = await browser.go(address, [redirect])
  const back = await browser.press(consent, 'Connect', [redirect])
  return back.url
}
