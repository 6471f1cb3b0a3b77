import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import AxeBuilderSource from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlPage, startFakeSite, type FakeSite } from '../../service/test/fake-site.ts'
import { TIME_LIMIT } from '../../service/test/time-limit.ts'
import { emptyDataDirectory, startCitewell, type RunningCitewell } from '../run-citewell.ts'
import { ask, listenToPage, openChromium, openPanel } from './open-browser.ts'

/** Milliseconds from the open dashboard to the first cited answer. */
const WITH_SAMPLE_MS = 60_000
const WITH_SITE_MS = 180_000

const PAGES = 30

let citewell: RunningCitewell
let dataDirectory: string
let site: FakeSite
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => {
  dataDirectory = emptyDataDirectory()
  citewell = await startCitewell({ CITEWELL_DATA_DIR: dataDirectory, CITEWELL_BOOTSTRAP_TOKEN: '' })
  const paths = Array.from({ length: PAGES }, (_, at) => `/guide/part-${at}`)
  site = await startFakeSite({
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
  browser = await openChromium()
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  complaints = listenToPage(page)
})
afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
  await citewell.stop()
})

const open = async (path: string) => await page.goto(new URL(path, citewell.address).href)
const setupLink = () => /^Open it .*: (\S+)$/m.exec(citewell.log())?.[1] ?? ''
const address = () => page.getByLabel('Where is your documentation?')

/** A request of the operator, whose token is in the data directory. */
async function send(method: string, path: string, body?: unknown) {
  const token = readFileSync(join(dataDirectory, 'operator-token'), 'utf8').trim()
  const response = await fetch(new URL(`/api/v1${path}`, citewell.address), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as { data: { id: string; name: string; document_count: number }[] }
}
const baseNamed = async (name: string) =>
  (await send('GET', '/knowledge-bases')).data.find((base) => base.name === name)?.id ?? ''

/** Deletes what an earlier attempt of a test has made. */
async function forget(name: string): Promise<void> {
  const id = await baseNamed(name)
  if (id !== '') await send('DELETE', `/knowledge-bases/${id}`, { confirm: name })
}

/** What axe finds wrong with the page as it is, at both widths and in both themes. */
async function faultsOf(screen: string): Promise<string[]> {
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

async function askHere(question: string): Promise<void> {
  await page.locator('textarea:not([disabled])').fill(question)
  await page.keyboard.press('Enter')
  await page
    .getByText(/[✓▲] (?:Not covered|Covered)/)
    .last()
    .waitFor()
}

test('the link of the first start opens the dashboard signed in, for one browser', async () => {
  await page.goto(setupLink())
  expect(await faultsOf('set-up')).toEqual([])
  await page.getByRole('button', { name: 'Open the dashboard' }).press('Enter')
  await address().waitFor()
  expect(new URL(page.url()).pathname).toBe('/start')

  const stranger = await browser.newContext()
  const theirs = await stranger.newPage()
  expect((await theirs.goto(setupLink()))?.status()).toBe(404)
  await theirs.goto(new URL('/start', citewell.address).href)
  expect(new URL(theirs.url()).pathname).toBe('/sign-in')
  await stranger.close()
})

test(
  'the sample gives a first cited answer within a minute, without a key',
  { ...TIME_LIMIT, timeout: 400_000 },
  async () => {
    await forget('Citewell')
    await open('/start')
    const began = performance.now()
    await page.getByRole('button', { name: 'Try with the sample' }).click()
    await page.getByRole('list', { name: 'Suggested questions' }).getByRole('button').first().click()
    await page.getByRole('list', { name: 'Sources' }).getByRole('button').first().waitFor()
    const took = performance.now() - began
    expect(took).toBeLessThan(WITH_SAMPLE_MS)
    console.info(`first cited answer with the sample: ${Math.round(took)} ms`)
    await page.getByText('documents are ready').waitFor()
    expect(await faultsOf('answered')).toEqual([])
  },
)

test('what is no site, what is not there and a lost connection are told, and what was typed stays', async () => {
  await open('/start')
  for (const typed of ['', 'acme', 'not a site', 'ftp://docs.example.com', 'https://']) {
    await address().fill(typed)
    await address().press('Enter')
    await page.getByText('This is not the address of a site').waitFor()
    expect(await address().inputValue()).toBe(typed)
  }
  expect(await faultsOf('address')).toEqual([])

  const missing = `${site.origin}/nothing-here`
  await address().fill(missing)
  await address().press('Enter')
  await page.getByText(/could not be read: not found \(404\)\. Check the address\./).waitFor()
  expect(await faultsOf('not found')).toEqual([])
  await page.getByRole('button', { name: 'Change the address' }).click()
  expect(await address().inputValue()).toBe(missing)

  await context.setOffline(true)
  await address().press('Enter')
  await page.getByText('The service cannot be reached. What you typed is still here.').waitFor()
  expect(await address().inputValue()).toBe(missing)
  await context.setOffline(false)
  complaints.splice(0)
}, 200_000)

test(
  'an own site is previewed page by page, changed by a press, and answers while it is read, within three minutes',
  { ...TIME_LIMIT, timeout: 500_000 },
  async () => {
    await forget(new URL(site.origin).host)
    await open('/start')
    const began = performance.now()
    await address().fill(`${site.origin}/guide/`)
    await address().press('Enter')
    const read = page.getByRole('region', { name: 'Will be read' })
    const left = page.getByRole('region', { name: 'Left out' })
    await read.getByText('Acme docs').waitFor()
    await page.getByText('Docusaurus v3.9.2').waitFor()
    await left.getByText('outside of /guide/').waitFor()
    await left.getByRole('button', { name: 'Include /blog/news' }).click()
    await read.getByText('Part 0').waitFor()
    await page.getByRole('button', { name: 'Leave out: Part 0' }).click()
    await page.getByRole('button', { name: 'Read it: Part 0' }).waitFor()
    await page.getByLabel('Leave out by a pattern').waitFor()
    expect(await faultsOf('pages')).toEqual([])
    await page.getByRole('button', { name: /^Read (?:about )?\d+ pages|^Read the site/ }).click()
    await page.getByText(/pages so far|documents are ready/).waitFor()
    await askHere('When are keys rotated?')
    await page.getByRole('list', { name: 'Sources' }).getByRole('button').first().waitFor()
    const took = performance.now() - began
    expect(took).toBeLessThan(WITH_SITE_MS)
    console.info(`first cited answer with an own site: ${Math.round(took)} ms`)

    await page.getByText('documents are ready').waitFor()
    await askHere('When are keys rotated?')
    await page.getByText('Keys are rotated every day at midnight').first().waitFor()
    const { data } = await send(
      'GET',
      `/knowledge-bases/${await baseNamed(new URL(site.origin).host)}/documents?limit=100`,
    )
    const titles = (data as unknown as { title: string }[]).map(({ title }) => title)
    expect(titles).toContain('News')
    expect(titles).toContain('Rotating keys')
    expect(titles).not.toContain('Part 0')
  },
)

test('the widget on a page of another origin is seen, and answers there', async () => {
  await page.getByRole('button', { name: 'Put it on your site' }).click()
  await page.getByText('Waiting for the first page that shows it').waitFor()
  expect(await faultsOf('site')).toEqual([])
  const tag = await page.locator('pre code').textContent()
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Acme</title>${tag}`),
  )
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const visitor = await browser.newPage()
  await openPanel(visitor, `http://${host}/`)
  await page.getByText(`Seen on ${host}`).waitFor()
  await ask(visitor, 'When are keys rotated?')
  await visitor.locator('.turn').getByText('Keys are rotated every day at midnight').first().waitFor()
  await visitor.close()
  server.close()

  await page.getByRole('link', { name: 'Open the overview' }).click()
  await page.getByRole('heading', { name: 'Set-up' }).waitFor()
  expect(await page.getByText('✓ The widget was seen on a page').count()).toBe(1)
  expect(await faultsOf('overview')).toEqual([])
}, 200_000)

test('the assistant asks all bases, marks the cited words beside the answer, and keeps its own history', async () => {
  await page.getByRole('link', { name: 'Ask', exact: true }).click()
  await page.getByRole('heading', { name: 'Ask', exact: true }).waitFor()
  await page.getByRole('group', { name: 'Ask' }).getByText('Citewell').waitFor()
  await askHere('When are the keys of Acme rotated?')
  await page.getByText(`from ${new URL(site.origin).host}`).waitFor()
  await page.getByRole('list', { name: 'Sources' }).getByRole('button').first().press('Enter')
  const beside = page.getByRole('complementary', { name: 'Source' })
  expect(await beside.locator('mark').textContent()).toContain('Keys are rotated every day at midnight')
  expect(await faultsOf('cited')).toEqual([])
  await page.getByRole('button', { name: 'Helpful', exact: false }).first().press('Enter')
  await page.getByRole('button', { name: '▲ Helpful' }).waitFor()

  const thread = page.url()
  await page.reload()
  await page.getByRole('heading', { name: 'When are the keys of Acme rotated?' }).waitFor()
  await page.getByRole('button', { name: '▲ Helpful' }).waitFor()
  // A stored conversation is left for a new one by one press, and is come back to by the browser's own button.
  const heading = page.getByRole('heading', { name: 'When are the keys of Acme rotated?' })
  await page.getByRole('button', { name: 'New question' }).click()
  await heading.waitFor({ state: 'detached' })
  await page.waitForURL((url) => url.pathname === '/ask')
  await page.goBack()
  await heading.waitFor()
  await page.goForward()
  await heading.waitFor({ state: 'detached' })

  await page.goto(thread)
  await page.getByRole('button', { name: 'Delete this conversation' }).click()
  await page.getByRole('button', { name: 'Delete the conversation' }).click()
  await page.waitForURL((url) => url.pathname === '/ask')
  await page.goto(thread)
  await page.getByRole('alert').getByText('There is no such conversation').waitFor()
  complaints.splice(0)

  await send('POST', `/knowledge-bases/${await baseNamed('Citewell')}/archive`)
  await open('/ask')
  await page.getByText('Answers come from').waitFor()
  expect(await page.getByText('Answers come from').textContent()).not.toContain('Citewell')
}, 200_000)

test('a password is set from the set-up list, and no page complained', async () => {
  await open('/account')
  await page.getByLabel('Your e-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Zk9-vTq4-mLp2-wRx7')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Your password is set').waitFor()
  expect(await page.getByText('ada@example.com').count()).toBeGreaterThan(0)
  expect(complaints).toEqual([])
})
