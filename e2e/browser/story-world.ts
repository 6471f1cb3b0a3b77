import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import AxeBuilderSource from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { htmlPage, startFakeSite, type FakeSite } from '../../service/test/fake-site.ts'
import { emptyDataDirectory, startCitewell, type RunningCitewell } from '../run-citewell.ts'
import { listenToPage, openChromium } from './open-browser.ts'

const PARTS = 30

/** A service without data, a site to read, and a browser: whatever is done is done in the browser. */
export interface StoryWorld extends AsyncDisposable {
  citewell: RunningCitewell
  site: FakeSite
  browser: Browser
  context: BrowserContext
  /** Of the person who set the service up. */
  page: Page
  /** What their pages complained of. */
  complaints: string[]
  /** Opens an address of the service. */
  open(path: string, page?: Page): Promise<void>
  /** Deletes what an earlier attempt of a test has made: whoever runs the service may. */
  forget(name: string): Promise<void>
  /** A page of another browser, in which nobody is signed in. */
  openStranger(): Promise<Page>
  /** Shows this markup on a page of another origin. Its host. */
  publish(markup: string): Promise<string>
}

async function startSite(): Promise<FakeSite> {
  const paths = Array.from({ length: PARTS }, (_, at) => `/guide/part-${at}`)
  return await startFakeSite({
    '/guide/': htmlPage('Acme docs', 'Welcome to the documentation of Acme.', {
      links: [...paths, '/guide/keys', '/blog/news'],
      head: '<meta name="generator" content="Docusaurus v3.9.2">',
    }),
    '/guide/keys': htmlPage(
      'Rotating keys',
      'Keys are rotated every day at midnight, UTC. The old key stops working within a minute.',
    ),
    '/blog/news': htmlPage('News', 'Acme has a new logo.'),
    ...Object.fromEntries(
      paths.map((path, at) => [
        path,
        htmlPage(`Part ${at}`, `Part number ${at} is fastened with ${at} screws.`),
      ]),
    ),
  })
}

export async function openStoryWorld(): Promise<StoryWorld> {
  const data = emptyDataDirectory()
  const citewell = await startCitewell({ CITEWELL_DATA_DIR: data, CITEWELL_BOOTSTRAP_TOKEN: '' })
  const [site, browser] = await Promise.all([startSite(), openChromium()])
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const servers: Server[] = []
  return {
    citewell,
    site,
    browser,
    context,
    page,
    complaints: listenToPage(page),
    open: async (path, at = page) => void (await at.goto(new URL(path, citewell.address).href)),
    forget: async (name) => {
      const token = readFileSync(join(data, 'operator-token'), 'utf8').trim()
      const send = async (method: string, path: string, body?: object) =>
        await fetch(new URL(`/api/v1/knowledge-bases${path}`, citewell.address), {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
      const { data: bases } = (await (await send('GET', '')).json()) as {
        data: { id: string; name: string }[]
      }
      for (const base of bases) if (base.name === name) await send('DELETE', `/${base.id}`, { confirm: name })
    },
    openStranger: async () => {
      const theirs = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
      theirs.setDefaultTimeout(60_000)
      return theirs
    },
    publish: async (markup) => {
      const server = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Acme</title>${markup}`),
      )
      servers.push(server)
      await new Promise<void>((listening) => {
        server.listen(0, '127.0.0.1', listening)
      })
      return `127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      for (const server of servers) server.close()
      await site[Symbol.asyncDispose]()
      await citewell.stop()
    },
  }
}

/** What axe finds wrong with a page as it is, and whether it is too wide: on a wide screen in light, on a phone in dark. */
export async function faultsOf(page: Page, screen: string): Promise<string[]> {
  const faults: string[] = []
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(AxeBuilderSource.source)
    const { violations } = (await page.evaluate('axe.run(document)')) as {
      violations: { id: string; nodes: { html: string }[] }[]
    }
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    )
    const wider = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
    faults.push(
      ...found,
      ...(wider > 0 ? [`${wider} pixels too wide`] : []).map((fault) => `${width}: ${fault}`),
    )
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
  return faults.map((fault) => `${screen}: ${fault}`)
}

/** Asks on the screen that is open, and waits for the end of the answer. */
export async function askOnScreen(page: Page, question: string): Promise<void> {
  const answered = page.getByText(/[✓▲] (?:Not covered|Covered)/)
  const before = await answered.count()
  await page.locator('textarea:not([disabled])').fill(question)
  await page.keyboard.press('Enter')
  await answered.nth(before).waitFor()
}
