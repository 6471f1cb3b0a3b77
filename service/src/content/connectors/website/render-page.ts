import type { BrowserContext, Page } from 'playwright-core'
import type { Owner } from '../../../platform/fairness/owner.ts'
import type { CrawlOutbound } from '../../../platform/outbound/crawl-outbound.ts'
import type { Browser } from './browser.ts'
import { BrowserUnusable, findBrowser, type SandboxSetting } from './browser-command.ts'
import { createPageRules } from './page-requests.ts'
import { createSharedBrowser } from './shared-browser.ts'

export interface PageToRender {
  address: string
  /** The outgoing connection of the sync that the page is part of. */
  trail: Pick<CrawlOutbound, 'openProxy'>
  owner: Owner
  signal: AbortSignal
}

/** Runs the scripts of pages. */
export interface PageRenderer {
  /** Why no page can be rendered here, worded to follow "because"; undefined if it seems possible. */
  unavailableReason(): Promise<string | undefined>
  /** The HTML of a page after its scripts have run. Throws an error with a readable message if that fails. */
  render(page: PageToRender): Promise<string>
  /** Starts the browser to check that it works. Returns a description of it, or throws an error with a readable message. */
  selfTest(): Promise<string>
  close(): Promise<void>
}

/** Time for everything together, once the page has a slot. */
const PAGE_TIMEOUT_MS = 30_000
const LOAD_TIMEOUT_MS = 20_000
/** Maximum time for scripts to fetch and write; less if the network has been idle. */
const SETTLE_TIMEOUT_MS = 4_000
const READ_TIMEOUT_MS = 5_000
const MAX_HTML_CHARACTERS = 10_485_760

/** Time until a browser that did not start is tried again. */
const UNUSABLE_FOR_MS = 60_000

const OPERATOR: Owner = { workspaceId: '', knowledgeBaseId: '' }

/** Runs in an isolated world, where the page's changes to built-ins have no effect; a DOM that is too large is not transferred. */
const READ_HTML = `(() => {
  const type = document.doctype === null ? '' : '<!doctype html>'
  const html = type + (document.documentElement?.outerHTML ?? '')
  return html.length > ${MAX_HTML_CHARACTERS} ? null : html
})()`

async function readHtml(context: BrowserContext, page: Page, frameId: string): Promise<string> {
  const session = await context.newCDPSession(page)
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId })
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: READ_HTML,
    contextId: executionContextId,
    returnByValue: true,
    timeout: READ_TIMEOUT_MS,
  })
  if (exceptionDetails !== undefined) throw new Error('its rendered HTML could not be read')
  if (typeof result.value !== 'string') throw new Error('its rendered HTML is larger than 10 MiB')
  return result.value
}

async function frameOf(context: BrowserContext, page: Page): Promise<string> {
  const session = await context.newCDPSession(page)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  return targetInfo.targetId
}

async function showPage(browser: Browser, address: string, context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
  context.on('page', (other) => void other.close().catch(() => {}))
  // The frame keeps its id for as long as the page is open, even when it navigates.
  const frameId = await frameOf(context, page)
  browser.requests.open(frameId, createPageRules(address))
  try {
    const response = await page.goto(address, { waitUntil: 'domcontentloaded', timeout: LOAD_TIMEOUT_MS })
    if (response === null || !response.ok())
      throw new Error(`the browser got ${response?.status() ?? 'no answer'}`)
    await page.waitForLoadState('networkidle', { timeout: SETTLE_TIMEOUT_MS }).catch(() => {})
    return await readHtml(context, page, frameId)
  } finally {
    browser.requests.close(frameId)
  }
}

/** Renders a page behind its own proxy, and ends it when it exceeds a limit. */
async function renderIn(
  browser: Browser,
  { address, trail, signal }: PageToRender,
  timeoutMs: number,
): Promise<string> {
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>()
  givenUp.catch(() => {})
  const timer = setTimeout(() => giveUp(new Error('they did not finish in time')), timeoutMs)
  const abort = () => giveUp(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  let killed = false
  const stopWatching = browser.watchMemory(() => {
    killed = true
  })
  await using proxy = await trail.openProxy(address, (words) => giveUp(new Error(words)))
  const context = await browser.newContext(proxy.port)
  try {
    const shown = showPage(browser, address, context)
    shown.catch(() => {})
    return await Promise.race([shown, givenUp])
  } catch (error) {
    signal.throwIfAborted()
    throw killed ? new Error('the page uses too much memory', { cause: error }) : error
  } finally {
    stopWatching()
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    await browser.closeContext(context)
  }
}

const messageOf = (error: unknown) =>
  error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'unknown reason'

export function createPageRenderer(given: {
  chromiumPath: string | undefined
  sandbox: SandboxSetting
  idleMs?: number
  pageTimeoutMs?: number
}): PageRenderer {
  const pageTimeoutMs = given.pageTimeoutMs ?? PAGE_TIMEOUT_MS
  const shared = createSharedBrowser(given)
  let unusable: { words: string; until: number } | undefined

  function note(error: unknown): void {
    if (error instanceof BrowserUnusable)
      unusable = { words: error.message, until: performance.now() + UNUSABLE_FOR_MS }
  }

  return {
    unavailableReason: async () => {
      if (unusable !== undefined && performance.now() < unusable.until) return unusable.words
      try {
        await findBrowser(given)
        return undefined
      } catch (error) {
        return messageOf(error)
      }
    },
    render: async (page) => {
      try {
        return await shared.use(page.owner, page.signal, (browser) => renderIn(browser, page, pageTimeoutMs))
      } catch (error) {
        page.signal.throwIfAborted()
        note(error)
        throw new Error(`Its scripts could not be run: ${messageOf(error)}`, { cause: error })
      }
    },
    selfTest: async () => {
      try {
        return await shared.use(OPERATOR, AbortSignal.timeout(PAGE_TIMEOUT_MS), async (browser) => {
          const sandbox = browser.hasSandbox ? 'with its sandbox' : 'WITHOUT its sandbox'
          return `${browser.version}, as ${browser.runsAs}, ${sandbox}`
        })
      } catch (error) {
        note(error)
        throw error
      }
    },
    close: () => shared.close(),
  }
}
