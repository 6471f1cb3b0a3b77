import type { Browser, BrowserContext, CDPSession, Disposable, Page } from 'playwright-core'

interface Reader {
  /** Pixels. */
  viewport: { width: number; height: number }
  reducedMotion: 'reduce' | 'no-preference'
}

/** As in Playwright's own contexts. */
const READER: Reader = { viewport: { width: 1_280, height: 720 }, reducedMotion: 'no-preference' }
const MEDIA = { media: null, colorScheme: 'light', forcedColors: 'none', contrast: 'no-preference' } as const

/** What tests listen to. Playwright itself listens to other events of a page, such as its end. */
const HEARD = ['console', 'dialog', 'pageerror', 'request', 'requestfailed', 'requestfinished', 'response']

interface Kept {
  context: BrowserContext
  page: Page
  tools: CDPSession
  /** Scripts that run in every document, and functions of the test: until they are taken away. */
  added: Disposable[]
  /** It has a clock of the test, which no page loses. */
  hasClock: boolean
}

/**
 * A page that the tests of a file use one after the other. One in a new context starts a process, which compiles the widget again: twice the
 * processor time.
 *
 * @returns what gives the page to a test, as if it were in a new context: blank, with nothing stored, cached, granted or routed. What the test
 *   before opened besides is closed.
 */
export function keepPage(browser: Browser, given: Partial<Reader> = {}): () => Promise<Page> {
  const reader = { ...READER, ...given }
  let kept: Kept | undefined

  async function open(): Promise<Kept> {
    const context = await browser.newContext(reader)
    const page = await context.newPage()
    const one: Kept = {
      context,
      page,
      tools: await context.newCDPSession(page),
      added: [],
      hasClock: false,
    }
    watch(one)
    return one
  }

  return async () => {
    if (kept !== undefined && !kept.hasClock && !kept.page.isClosed()) await wipe(kept, reader)
    else {
      await kept?.context.close()
      kept = await open()
    }
    return kept.page
  }
}

/** Writes down what a test adds to the page. */
function watch(one: Kept): void {
  const { page } = one
  const { addInitScript, exposeFunction } = page
  const { install } = page.clock
  page.addInitScript = async (script, given, options) => {
    const added = await addInitScript.call(page, script as string, given, options)
    one.added.push(added)
    return added
  }
  page.exposeFunction = async (...given) => {
    const exposed = await exposeFunction.apply(page, given)
    one.added.push(exposed)
    return exposed
  }
  page.clock.install = async (...given) => {
    one.hasClock = true
    await install.apply(page.clock, given)
  }
}

async function wipe({ context, page, tools, added }: Kept, reader: Reader): Promise<void> {
  for (const event of HEARD) page.removeAllListeners(event)
  await Promise.all([
    ...context
      .pages()
      .filter((other) => other !== page)
      .map((other) => other.close()),
    ...added.splice(0).map((each) => each.dispose()),
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    context.setOffline(false),
    context.clearPermissions(),
  ])
  // What it was doing ends before what it stored goes.
  await page.goto('about:blank')
  await Promise.all([
    context.clearCookies(),
    tools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' }),
    tools.send('Network.clearBrowserCache'),
    tools.send('Page.resetNavigationHistory'),
    page.emulateMedia({ ...MEDIA, reducedMotion: reader.reducedMotion }),
    page.setViewportSize(reader.viewport),
    page.mouse.move(0, 0),
  ])
}
