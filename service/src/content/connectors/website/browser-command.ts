import { access, chmod, chown, constants, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './find-chromium.ts'

/** `off` has to be set by the operator: for systems where the browser's sandbox does not work, such as many containers. */
export type SandboxSetting = 'on' | 'off'

/** How the browser is started. */
export interface BrowserCommand extends AsyncDisposable {
  executable: string
  /** The browser's own environment, without the service's variables, which include keys. */
  environment: Record<string, string>
  hasSandbox: boolean
  /** A description of the user that it runs as. */
  runsAs: string
}

/** No page can be rendered on this machine; the message, which follows "because", says why and what to do. */
export class BrowserUnusable extends Error {}

/** The numeric id of the user `nobody`. */
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

/** A command prefix that starts the browser as nobody if this process is root: a page that breaks out of the browser must not be root. */
async function setprivPrefix(sandbox: SandboxSetting): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const setpriv = await findSetpriv()
  if (setpriv !== undefined)
    return `${setpriv} --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --inh-caps=-all`
  if (sandbox === 'off') return undefined
  throw new BrowserUnusable(
    'this service runs as root, and setpriv (of the package util-linux) was not found; it is needed to start the browser as another user. Run Citewell as a non-root user, or set CITEWELL_CHROMIUM_SANDBOX=off to run the browser as root without a sandbox.',
  )
}

interface BrowserSettings {
  chromiumPath: string | undefined
  sandbox: SandboxSetting
}

/** Finds the browser, and the user to run it as. Throws `BrowserUnusable`. */
export async function findBrowser(
  given: BrowserSettings,
): Promise<{ chromium: string; dropping: string | undefined }> {
  const chromium = await findChromium(given.chromiumPath)
  if (chromium === undefined)
    throw new BrowserUnusable(
      'Chromium was not found. Install Chromium on the machine that runs this service, or set render_js to false.',
    )
  return { chromium, dropping: await setprivPrefix(given.sandbox) }
}

/** Writes a start script for the browser into a temporary folder. Throws `BrowserUnusable`. */
export async function prepareBrowser(given: BrowserSettings): Promise<BrowserCommand> {
  const { chromium, dropping } = await findBrowser(given)
  const folder = await mkdtemp(join(tmpdir(), 'citewell-browser-'))
  const executable = join(folder, 'start')
  // The last of two equal options counts: the profile folder that playwright creates belongs to another user.
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
