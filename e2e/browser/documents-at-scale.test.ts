import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginSession } from '../../service/test/begin-session.ts'
import { openEmbeddedStorage, type Storage } from '../../service/src/platform/storage/storage.ts'
import { startTestService, type TestService } from '../../service/test/start-service.ts'
import { openChromium } from '../open-chromium.ts'
import { newDataDirectory, requestsTo, type RunningCitewell } from '../run-citewell.ts'

/** `npm run test:scale` has 20,000. */
const DOCUMENTS = Number(process.env['LISTED_DOCUMENTS'] ?? 13_000)
const LAST = String(DOCUMENTS)
const SAID = DOCUMENTS.toLocaleString('en')

let directory: string
let storage: Storage
let citewell: TestService
/** As the owner whom the database has already. */
let json: RunningCitewell['json']
let browser: Browser
let page: Page
let base: string

beforeAll(async () => {
  // With the schema in it: creating it takes longer than the documents.
  directory = newDataDirectory()
  storage = await openEmbeddedStorage({ directory: join(directory, 'database'), isDurable: false })
  citewell = await startTestService({ CITEWELL_DATA_DIR: directory }, { storage })
  json = requestsTo(citewell.address)
  base = (await json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Large docs' })).id
  const { id: source } = await json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base}/sources`, {
    type: 'push',
    name: 'pushed',
    config: {},
  })
  // Reading so many pages takes minutes, and is not what is measured.
  await citewell.rows(`insert into documents
    (knowledge_base_id, id, source_id, external_id, url, title, visibility, live_version, latest_version, chunk_count, indexed_at, created_at, updated_at)
    select '${base}', gen_random_uuid(), '${source}', 'page-' || n, 'https://docs.example.com/guide/page-' || n,
      'Page ' || lpad(n::text, 5, '0') || ' about ' || (array['keys', 'alarms', 'budgets', 'tokens'])[1 + n % 4],
      'public', 1, 1, n % 40, now(), now(), now()
    from generate_series(1, ${DOCUMENTS}) as n`)
  const { user } = await json<{ user: { id: string } }>('GET', '/api/v1/me')
  const cookie = await beginSession(citewell, user.id)
  browser = await openChromium()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addCookies([{ name: 'citewell_session', value: cookie, url: citewell.address }])
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
}, 240_000)
afterAll(async () => {
  await browser.close()
  await citewell[Symbol.asyncDispose]()
  await storage.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Scrolls to the end of the documents that are there, ten times. */
const SCROLL_ON = `(async () => {
  const place = document.querySelector('[role=region][aria-label=Documents]')
  for (let time = 0; time < 10; time += 1) {
    place.scrollTop = place.scrollHeight
    await new Promise((wake) => setTimeout(wake, 50))
  }
})()`

test(
  `${SAID} documents scroll to the last one, with few rows on the page, and are found by typing`,
  { timeout: 240_000, tags: ['long'] },
  async () => {
    await page.goto(new URL(`/kb/${base}/documents`, citewell.address).href)
    const table = page.getByRole('region', { name: 'Documents' })
    await page.getByText(`${SAID} documents`).waitFor()
    await table.getByRole('link', { name: 'Page 00001 about' }).waitFor()
    const rowsOnPage = async () => await table.locator('tbody tr').count()
    // Further documents come as the place is scrolled to its end.
    await expect
      .poll(
        async () => {
          await page.evaluate(SCROLL_ON)
          return await table.getByRole('link', { name: `Page ${LAST} about` }).count()
        },
        { timeout: 200_000, interval: 1 },
      )
      .toBe(1)
    expect(await table.evaluate((place) => place.scrollHeight)).toBeGreaterThan(DOCUMENTS * 40)
    expect(await rowsOnPage()).toBeLessThan(80)

    await page.getByRole('searchbox', { name: 'Title or address contains' }).fill(`page-${LAST}`)
    await table.getByRole('link', { name: `Page ${LAST} about` }).waitFor()
    await page.getByText('1 document:').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe(`page-${LAST}`)
    expect(await rowsOnPage()).toBeLessThan(5)
  },
)

test(
  'all documents that a filter finds are restricted at once, after it was said how many',
  { timeout: 120_000, tags: ['long'] },
  async () => {
    await page.goto(new URL(`/kb/${base}/documents?q=page-123`, citewell.address).href)
    await page.getByText('111 documents').waitFor()
    await page.getByRole('button', { name: 'Restrict to members (all found)' }).click()
    await page.getByRole('dialog').getByText('all 111 documents found').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Restrict to members: 111' }).click()
    await page.getByText('111 documents were changed.').waitFor()
    expect(
      await json('GET', `/api/v1/knowledge-bases/${base}/document-counts?visibility=restricted`),
    ).toEqual({
      total: 111,
      public: 0,
      restricted: 111,
    })

    await page.goto(new URL(`/kb/${base}/documents?q=page-777`, citewell.address).href)
    await page.getByRole('checkbox', { name: 'Choose Page 00777' }).check()
    await page.getByRole('button', { name: 'Restrict to members', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Restrict to members: 1', exact: true })
      .click()
    await page.getByText('1 document was changed.').waitFor()
  },
)
