import { access, chmod, chown, constants, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './find-chromium.ts'

/** `off` is for the operator to say: where the browser's own sandbox does not work, as in many containers. */
export type SandboxSetting = 'on' | 'off'

/** How the browser is started. */
export interface BrowserCommand extends AsyncDisposable {
  executable: string
  /** For itself alone: none of the service's own, which holds its keys. */
  environment: Record<string, string>
  hasSandbox: boolean
  /** Who it runs as, in words. */
  runsAs: string
}

/** No page can be rendered on this machine; the message says why, and what to do, behind "because". */
export class BrowserUnusable extends Error {}

/** The user that owns nothing, by the number that it has everywhere. */
const NOBODY = 65_534

const SETPRIV_PLACES = ['/usr/bin/setpriv', '/bin/setpriv', '/usr/sbin/setpriv']

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

async function findSetpriv(): Promise<string | undefined> {
  for (const path of SETPRIV_PLACES) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}

/** What starts the browser as nobody, where this process is root: a page that breaks out of it must not be root. */
async function droppingRoot(sandbox: SandboxSetting): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const setpriv = await findSetpriv()
  if (setpriv !== undefined)
    return `${setpriv} --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --inh-caps=-all`
  if (sandbox === 'off') return undefined
  throw new BrowserUnusable(
    'this service runs as root, and setpriv (of the package util-linux) was not found to start the browser as another user. Run Citewell as a user of its own, or set CITEWELL_CHROMIUM_SANDBOX=off to run the browser as root without a sandbox.',
  )
}

interface BrowserSettings {
  chromiumPath: string | undefined
  sandbox: SandboxSetting
}

/** Finds the browser, and who it is to run as. Throws `BrowserUnusable`. */
export async function findBrowser(
  given: BrowserSettings,
): Promise<{ chromium: string; dropping: string | undefined }> {
  const chromium = await findChromium(given.chromiumPath)
  if (chromium === undefined) {
    throw new BrowserUnusable(
      'no Chromium was found to run them. Install Chromium on the machine of this service, or set render_js to false.',
    )
  }
  return { chromium, dropping: await droppingRoot(given.sandbox) }
}

/** Writes what starts the browser into a folder of its own. Throws `BrowserUnusable`. */
export async function prepareBrowser(given: BrowserSettings): Promise<BrowserCommand> {
  const { chromium, dropping } = await findBrowser(given)
  const folder = await mkdtemp(join(tmpdir(), 'citewell-browser-'))
  const executable = join(folder, 'start')
  // The last of two equal options counts: the folder that playwright makes belongs to another user.
  const command = `exec ${dropping ?? ''} ${quoted(chromium)} "$@" --user-data-dir=${quoted(join(folder, 'profile'))}`
  await writeFile(executable, `#!/bin/sh\ncd ${quoted(folder)}\n${command}\n`)
  await chmod(executable, 0o755)
  if (dropping !== undefined) await chown(folder, NOBODY, NOBODY)
  return {
    executable,
    environment: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
    },
    hasSandbox: given.sandbox === 'on',
    runsAs: dropping === undefined ? 'the same user as this service' : 'user nobody',
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
    },
  }
}
