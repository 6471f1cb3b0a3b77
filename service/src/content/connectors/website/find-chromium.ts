import { access, constants } from 'node:fs/promises'

/**
 * Where the usual packages install Chromium and browsers based on it. The shell without windows comes first: it renders the same with a
 * quarter of the processor time, since it starts no process for graphics.
 */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/microsoft-edge',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The browser to render pages with: the one that the operator configured, or the first found in the usual places. */
export async function findChromium(chromiumPath: string | undefined): Promise<string | undefined> {
  for (const path of chromiumPath === undefined ? PLACES : [chromiumPath]) {
    try {
      await access(path, constants.X_OK)
      return path
    } catch {
      // Not there: try the next one.
    }
  }
  return undefined
}
