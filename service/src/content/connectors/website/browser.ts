import type { Browser as PlaywrightBrowser, BrowserContext } from 'playwright-core'
import { BrowserUnusable, prepareBrowser, type SandboxSetting } from './browser-command.ts'
import { gateRequests, type RequestGate } from './page-requests.ts'
import { memoryOfTree } from './process-memory.ts'
import { USER_AGENT } from '../../../platform/outbound/fetch-guarded.ts'

/** A name that maps to this process's own proxies, and that no page can look up. */
const PROXY_HOST = 'proxy.citewell.invalid'

/**
 * The browser must not reach the network directly: no name is resolved except that of the proxies, each page goes through its own proxy,
 * and whatever would bypass it (UDP of WebRTC, telemetry) is off or meets a proxy that does not exist.
 */
const CONFINED = [
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  `--host-resolver-rules=MAP ${PROXY_HOST} 127.0.0.1, MAP * ~NOTFOUND`,
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-gpu',
  '--disable-3d-apis',
  '--disable-dev-shm-usage',
  '--disable-notifications',
  '--disable-print-preview',
  '--block-new-web-contents',
  '--mute-audio',
  '--js-flags=--max-old-space-size=512',
]

/** Limit per process, so per page; pages of documentation take some 100 MB. */
const MAX_PROCESS_BYTES = 700_000_000
const MAX_TREE_BYTES = 2_000_000_000
const WATCH_EVERY_MS = 100
const CLOSE_TIMEOUT_MS = 3_000

/** A running browser. */
export interface Browser {
  version: string
  runsAs: string
  hasSandbox: boolean
  requests: RequestGate
  isRunning(): boolean
  /** A fresh profile, discarded when it is closed, behind a proxy on this machine. */
  newContext(proxyPort: number): Promise<BrowserContext>
  /** Closes a context; a browser that no longer responds is killed. */
  closeContext(context: BrowserContext): Promise<void>
  /** Kills processes that use too much memory, until the returned function is called. Calls back for each. */
  watchMemory(onKilled: () => void): () => void
  close(): Promise<void>
}

const finishesWithin = async (work: Promise<unknown>, milliseconds: number): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), milliseconds)
  const done = work.then(
    () => true,
    () => true,
  )
  return await Promise.race([done, promise]).finally(() => clearTimeout(timer))
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}

/** Same format as other crawlers: the browser's version, so that sites send what it can read, and who is asking. */
const userAgentOf = (version: string) =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version.split('.', 1)[0]}.0.0.0 Safari/537.36 ${USER_AGENT}`

const sandboxAdvice = (runsAs: string) =>
  `it could not be started with its sandbox, as ${runsAs}. Containers often forbid user namespaces, which the sandbox needs: allow them, or set CITEWELL_CHROMIUM_SANDBOX=off to run it without.`

/** Starts a browser. Throws `BrowserUnusable` with a readable message. */
export async function startBrowser(given: {
  chromiumPath: string | undefined
  sandbox: SandboxSetting
}): Promise<Browser> {
  const command = await prepareBrowser(given)
  const { chromium } = await import('playwright-core')
  let started: PlaywrightBrowser
  try {
    started = await chromium.launch({
      executablePath: command.executable,
      chromiumSandbox: command.hasSandbox,
      env: command.environment,
      args: CONFINED,
      timeout: 30_000,
    })
  } catch (cause) {
    await command[Symbol.asyncDispose]()
    const words = command.hasSandbox ? sandboxAdvice(command.runsAs) : 'it could not be started.'
    throw new BrowserUnusable(`Chromium does not run here: ${words}`, { cause })
  }
  const session = await started.newBrowserCDPSession()
  const requests = await gateRequests(session)
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const pid = processInfo.find(({ type }) => type === 'browser')?.id

  async function end(): Promise<void> {
    for (const one of pid === undefined ? [] : await memoryOfTree(pid)) kill(one.pid)
  }

  async function look(onKilled: () => void): Promise<void> {
    const tree = pid === undefined ? [] : await memoryOfTree(pid)
    const bytes = tree.reduce((sum, one) => sum + one.bytes, 0)
    const tooLarge = bytes > MAX_TREE_BYTES ? tree : tree.filter((one) => one.bytes > MAX_PROCESS_BYTES)
    if (tooLarge.length === 0) return
    for (const one of tooLarge) kill(one.pid)
    onKilled()
  }

  return {
    version: started.version(),
    runsAs: command.runsAs,
    hasSandbox: command.hasSandbox,
    requests,
    isRunning: () => started.isConnected(),
    newContext: async (proxyPort) => {
      const context = await started.newContext({
        serviceWorkers: 'block',
        acceptDownloads: false,
        locale: 'en',
        userAgent: userAgentOf(started.version()),
        proxy: { server: `http://${PROXY_HOST}:${proxyPort}` },
      })
      // Grants no permission, which denies every permission without prompting.
      await context.grantPermissions([])
      return context
    },
    closeContext: async (context) => {
      if (!(await finishesWithin(context.close(), CLOSE_TIMEOUT_MS))) await end()
    },
    watchMemory: (onKilled) => {
      let isLooking = false
      const timer = setInterval(() => {
        if (isLooking) return
        isLooking = true
        const done = () => {
          isLooking = false
        }
        look(onKilled).then(done, done)
      }, WATCH_EVERY_MS)
      return () => clearInterval(timer)
    },
    close: async () => {
      if (!(await finishesWithin(started.close(), CLOSE_TIMEOUT_MS))) await end()
      await command[Symbol.asyncDispose]()
    },
  }
}
