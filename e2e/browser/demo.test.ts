import { longUnless } from '@citewell/spec/long-unless'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { openSharedCitewell, type SharedCitewell } from '../shared-citewell.ts'
import { listenToPage } from './open-browser.ts'
import { faultsOf } from './page-faults.ts'

let citewell: SharedCitewell
let browser: Browser

beforeAll(async () => {
  citewell = await openSharedCitewell()
  browser = await openChromium()
}, 120_000)
afterAll(async () => {
  await browser.close()
  await citewell.stop()
})

async function open(query: string, width = 1280, colorScheme: 'light' | 'dark' = 'light') {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
  const said = listenToPage(page)
  await page.goto(`${citewell.address}/widget/demo${query}`)
  await page.waitForFunction(
    () => (window as unknown as { Citewell?: { ready?: unknown } }).Citewell?.ready !== undefined,
  )
  await page.evaluate(() => (window as unknown as { Citewell: { ready: Promise<void> } }).Citewell.ready)
  return { page, said }
}

const answer = (page: Page) => page.locator('.turn').getByText('copy the data directory').first()

test('the demo in the page answers there, without a button that opens another panel', async () => {
  const { page, said } = await open('?mode=embedded')
  await page.locator('citewell-ask textarea').fill('How do I make a backup?')
  await page.locator('citewell-ask textarea').press('Enter')
  await answer(page).waitFor()

  expect(await page.locator('dialog[open], button[part=launcher]:visible').count()).toBe(0)
  expect(said).toEqual([])
  await page.close()
})

for (const query of ['', '?mode=sidebar', '?mode=bubble', '?mode=none']) {
  test(
    `the demo ${query} answers from the first knowledge base, below its strict policy`,
    longUnless(query === ''),
    async () => {
      const { page, said } = await open(query)
      await page.getByRole('button', { name: 'How do I make a backup?' }).first().click()
      await answer(page).waitFor()

      expect(said).toEqual([])
      await page.close()
    },
  )
}

test('the support form of the demo offers an answer, and sends what is to be sent', async () => {
  const { page, said } = await open('')
  await page.locator('[name=description]').fill('How do I make a backup?')
  await page.locator('#ticket button').click()
  const card = page.getByRole('region', { name: 'Does this answer your question?' })
  await card.waitFor()

  expect(await card.textContent()).toContain('copy the data directory')
  await page.getByRole('button', { name: 'Send my request' }).click()
  await page.waitForURL(/description=How/)
  expect(said).toEqual([])
  await page.close()
})

test('axe finds nothing on the demo page, nor in an answer on its form', { tags: ['long'] }, async () => {
  // Colours do not depend on the width.
  for (const [width, colorScheme] of [
    [360, 'dark'],
    [1280, 'light'],
  ] as const) {
    const { page } = await open('?language=de', width, colorScheme)
    await page.locator('[name=description]').fill('How do I make a backup?')
    await page.locator('#ticket button').click()
    await page.locator('citewell-form section').waitFor()
    const found = await faultsOf(page)
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect([width, colorScheme, found, isWide]).toEqual([width, colorScheme, [], false])
    await page.close()
  }
})
