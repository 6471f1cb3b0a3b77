import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { FakeSite } from '../../../service/test/fake-site.ts'
import { emptyDataDirectory, startCitewell, type RunningCitewell } from '../../run-citewell.ts'
import { openChromium } from '../../open-chromium.ts'
import { listenToPage } from '../open-browser.ts'
import { startStorySite } from './story-site.ts'

const SCREEN = { viewport: { width: 1280, height: 800 } } as const

/** Milliseconds in which something appears on a busy machine. */
const PATIENCE = 40_000

/** A service without data, a site to read, and browsers. Everything is done in the browsers. */
export interface StoryWorld extends AsyncDisposable {
  site: FakeSite
  /** The name of the knowledge base that the site becomes: its host. */
  acme: string
  /** Of the person who set the service up. */
  context: BrowserContext
  page: Page
  /** What that page complained of: its console, errors that nobody caught, reports of its content security policy. */
  complaints: string[]
  /** What is wrong with the screens that were looked at. */
  faults: string[]
  /** The link that the first start printed. */
  setupLink(): string
  /** Opens an address of the service by typing it. */
  open(path: string, page?: Page): Promise<void>
  /** A page of another browser, in which nobody is signed in. */
  openStranger(): Promise<Page>
  /** Shows this markup on a page of another origin. Its host. */
  publish(markup: string): Promise<string>
}

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage(SCREEN)
  page.setDefaultTimeout(PATIENCE)
  return page
}

export async function openStoryWorld(): Promise<StoryWorld> {
  await using opened = new AsyncDisposableStack()
  const citewell: RunningCitewell = await startCitewell({
    CITEWELL_DATA_DIR: emptyDataDirectory(),
    CITEWELL_BOOTSTRAP_TOKEN: '',
  })
  opened.defer(async () => void (await citewell.stop()))
  const site = opened.use(await startStorySite())
  const browser = await openChromium()
  opened.defer(async () => await browser.close())
  const page = await openPage(browser)

  async function publish(markup: string): Promise<string> {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Acme</title>${markup}`),
    )
    world.defer(() => void server.close())
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening)
    })
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const complaints = listenToPage(page)
  const world = opened.move()
  return {
    site,
    acme: new URL(site.origin).host,
    context: page.context(),
    page,
    complaints,
    faults: [],
    setupLink: () => /^Open it .*: (\S+)$/m.exec(citewell.log())?.[1] ?? '',
    open: async (path, at = page) => void (await at.goto(new URL(path, citewell.address).href)),
    openStranger: async () => await openPage(browser),
    publish,
    [Symbol.asyncDispose]: async () => await world.disposeAsync(),
  }
}
