import { openScriptedBrowser } from '../../service/test/scripted-browser.ts'

/**
 * What a reader does in a browser when a tool opens this address: allows the tool, and signs in at the provider.
 *
 * @returns where the browser is sent back to, with the code in it; nothing has gone there yet
 */
export async function signInAsReader(address: string | URL): Promise<URL> {
  const redirect = new URL(address).searchParams.get('redirect_uri') ?? ''
  const browser = openScriptedBrowser()
  const consent = await browser.go(address, [redirect])
  const back = await browser.press(consent, 'Connect', [redirect])
  return back.url
}
