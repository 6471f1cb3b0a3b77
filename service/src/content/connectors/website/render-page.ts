import type { Browser, BrowserContext, Route } from 'playwright-core'
import type { Outbound } from '../../../platform/outbound/outbound.ts'

/** The HTML of a page after its scripts have run. Throws in words where that does not work. */
export type RenderPage = (address: string, signal: AbortSignal) => Promise<string>

/** One browser, started when the first page needs it. */
export interface PageRenderer extends AsyncDisposable {
  render: RenderPage
}

/** What a page can do without when only its text is wanted. */
const BLOCKED = new Set([
  'image',
  'media',
  'font',
  'websocket',
  'eventsource',
  'manifest',
  'texttrack',
  'ping',
])

const LOAD_TIMEOUT_MS = 20_000
/** How long scripts get to fetch and write, at most; less when the page has been quiet. */
const SETTLE_TIMEOUT_MS = 4_000
const MAX_REQUESTS_OF_A_PAGE = 200
const MAX_HTML_CHARACTERS = 10_485_760

/**
 * The browser itself must not get out: every request is answered from here, through the guarded way, and whatever would go
 * past that (preconnects, sockets, WebRTC) meets a proxy that does not exist.
 */
const CONFINED = [
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-quic',
  '--disable-gpu',
  '--disable-dev-shm-usage',
]

/** Headers that describe how a body was sent, which is not how it is handed on. */
const OF_THE_TRANSPORT = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
])

export function createPageRenderer(deps: { chromium: string; outbound: Outbound }): PageRenderer {
  let starting: Promise<Browser> | undefined

  async function start(): Promise<Browser> {
    const { chromium } = await import('playwright-core')
    // As root Chromium refuses to start with its sandbox.
    const isRoot = process.getuid?.() === 0
    return await chromium.launch({ executablePath: deps.chromium, chromiumSandbox: !isRoot, args: CONFINED })
  }

  async function answer(route: Route, signal: AbortSignal): Promise<void> {
    const request = route.request()
    if (BLOCKED.has(request.resourceType()) || !/^https?:/.test(request.url()))
      return await route.abort('blockedbyclient')
    const headers = Object.fromEntries(
      Object.entries(request.headers()).filter(([name]) =>
        /^(accept|content-type|authorization|origin|x-)/.test(name),
      ),
    )
    const body = request.postDataBuffer()
    const response = await deps.outbound.fetchOutbound(request.url(), {
      chosenBy: 'web-page',
      method: request.method(),
      headers,
      ...(body !== null && { body }),
      signal,
      timeoutMs: LOAD_TIMEOUT_MS,
      // The browser is not asked about the steps of a redirect, so it must not be given one to follow.
      followRedirects: true,
    })
    const bytes = await response.bytes()
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries([...response.headers].filter(([name]) => !OF_THE_TRANSPORT.has(name))),
      body: Buffer.from(bytes),
    })
  }

  async function readHtml(context: BrowserContext, address: string, signal: AbortSignal): Promise<string> {
    let requests = 0
    await context.routeWebSocket('**', (socket) => socket.close())
    await context.route('**', async (route) => {
      requests += 1
      try {
        if (requests > MAX_REQUESTS_OF_A_PAGE) await route.abort('blockedbyclient')
        else await answer(route, signal)
      } catch {
        await route.abort('failed').catch(() => {})
      }
    })
    const page = await context.newPage()
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
    const response = await page.goto(address, { waitUntil: 'domcontentloaded', timeout: LOAD_TIMEOUT_MS })
    if (response === null || !response.ok())
      throw new Error(`the browser got ${response?.status() ?? 'no answer'}`)
    await page.waitForLoadState('networkidle', { timeout: SETTLE_TIMEOUT_MS }).catch(() => {})
    const html = await page.content()
    if (html.length > MAX_HTML_CHARACTERS) throw new Error('What its scripts wrote is larger than 10 MiB.')
    return html
  }

  return {
    render: async (address, signal) => {
      starting ??= start()
      const browser = await starting.catch((cause: unknown) => {
        throw new Error('Chromium could not be started to run its scripts.', { cause })
      })
      const context = await browser.newContext({
        serviceWorkers: 'block',
        acceptDownloads: false,
        locale: 'en',
      })
      const close = () => void context.close().catch(() => {})
      signal.addEventListener('abort', close, { once: true })
      try {
        return await readHtml(context, address, signal)
      } catch (error) {
        signal.throwIfAborted()
        const words = error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown reason'
        throw new Error(`Its scripts could not be run: ${words}`, { cause: error })
      } finally {
        signal.removeEventListener('abort', close)
        await context.close().catch(() => {})
      }
    },
    [Symbol.asyncDispose]: async () => {
      const browser = await starting?.catch(() => undefined)
      await browser?.close().catch(() => {})
    },
  }
}
