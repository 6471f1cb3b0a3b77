/**
 * Takes the pictures of README and guide again, on a new service with Citewell's own guide: `npm run pictures`. Look at each before you
 * commit it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'
import { OWNER_TOKEN, until } from '../run-citewell.ts'
import { openSharedCitewell } from '../shared-citewell.ts'

const FOLDER = join(import.meta.dirname, '../../docs/pictures')
const QUESTION = 'How do I make a backup?'
const QUESTIONS = [
  QUESTION,
  'How do I put the widget on my site?',
  'Which languages are supported?',
  'How do I read a site again every day?',
  'Is there a plugin for WordPress?',
  'Do you have a WordPress plugin?',
  'wordpress plugin',
]

interface Source {
  id: string
  last_sync: { finished_at: string | null } | null
}

/** A base with the guide, about which some questions were asked. Its id, and the message of the first one. */
async function openGuide({ citewell }: SignedInDashboard): Promise<{ base: string; message: string }> {
  const { id: base } = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
    name: 'Citewell',
    sample: true,
  })
  const of = `/api/v1/knowledge-bases/${base}`
  await until(
    async () => await citewell.json<{ data: Source[] }>('GET', `${of}/sources`),
    ({ data }) =>
      data.some(({ last_sync: last }) => last?.finished_at !== undefined && last.finished_at !== null),
    300,
  )
  const messages: string[] = []
  for (const query of QUESTIONS) {
    const response = await fetch(new URL(`${of}/chat`, citewell.address), {
      method: 'POST',
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const frames = [...(await response.text()).matchAll(/^data: (.*)$/gm)]
    messages.push((JSON.parse(frames.at(-1)?.[1] ?? '{}') as { message_id: string }).message_id)
  }
  return { base, message: messages[0] ?? '' }
}

/** When what it shows has come, and nothing moves. A name without an ending is that of a PNG file. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate('document.fonts.ready')
  const isWebp = name.endsWith('.webp')
  const path = join(FOLDER, isWebp ? name : `${name}.png`)
  if (isWebp) {
    const devTools = await page.context().newCDPSession(page)
    const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
    writeFileSync(path, Buffer.from(data, 'base64'))
    await devTools.detach()
  } else await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  console.error(path)
}

async function takeInsight(at: SignedInDashboard, base: string, message: string): Promise<void> {
  const { page } = at
  await at.open(`/kb/${base}`)
  await page.getByRole('heading', { name: 'Questions by day' }).waitFor()
  await take(page, 'dashboard-overview.webp')
  await at.open(`/kb/${base}/gaps`)
  await page
    .getByRole('link', { name: /wordpress/i })
    .first()
    .waitFor()
  await take(page, 'dashboard-gaps.webp')
  await at.open(`/kb/${base}/traces/${message}`)
  await page.getByRole('heading', { name: 'Found' }).waitFor()
  await take(page, 'dashboard-trace.webp')
}

async function takeDashboard(at: SignedInDashboard, base: string): Promise<void> {
  const { page } = at
  await at.open(`/kb/${base}/ask`)
  await page.locator('textarea:not([disabled])').fill(QUESTION)
  await page.keyboard.press('Enter')
  await page.getByText('✓ Covered').waitFor()
  await take(page, 'dashboard')

  await at.open('/ask')
  await page.locator('textarea:not([disabled])').fill(QUESTION)
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Sources' }).getByRole('button').first().click()
  await page.getByRole('complementary', { name: 'Source' }).locator('mark').first().waitFor()
  await take(page, 'dashboard-ask.webp')

  await at.open(`/kb/${base}/sources`)
  await page.getByRole('region', { name: 'Sources' }).getByRole('link').first().click()
  await page.getByRole('region', { name: 'Syncs' }).waitFor()
  await take(page, 'dashboard-source.webp')

  await at.open(`/kb/${base}/settings/access`)
  await page.getByRole('button', { name: 'Change the type to internal' }).click()
  await page.getByRole('dialog').getByRole('list', { name: 'What stops' }).waitFor()
  await take(page, 'dashboard-internal.webp')
}

async function openDemo(
  at: SignedInDashboard,
  query: string,
  given: { width: number; height: number; colorScheme?: 'light' | 'dark' },
): Promise<Page> {
  const { width, height, colorScheme = 'light' } = given
  const page = await at.browser.newPage({ viewport: { width, height }, colorScheme })
  await page.goto(new URL(`/widget/demo${query}`, at.citewell.address).href)
  await page.locator('citewell-widget button[part=launcher]').first().waitFor({ state: 'attached' })
  return page
}

async function takeWidget(at: SignedInDashboard): Promise<void> {
  for (const [name, size] of [
    ['widget', { width: 1280, height: 800 }],
    ['widget-on-a-phone', { width: 360, height: 740 }],
  ] as const) {
    const page = await openDemo(at, '?mode=sidebar', size)
    await page.getByRole('button', { name: QUESTION }).first().click()
    await page.locator('.turn blockquote').first().waitFor()
    await page.locator('[role=log][aria-busy=false]').waitFor()
    await take(page, name)
    await page.close()
  }
  const page = await openDemo(at, '', { width: 960, height: 620, colorScheme: 'dark' })
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('widget')
  // Beside the last one, which asks.
  await page.getByRole('option').nth(1).waitFor()
  await page.keyboard.press('ArrowDown')
  await take(page, 'widget-search')
  await page.close()
}

mkdirSync(FOLDER, { recursive: true })
await using at = await openDashboard(await openSharedCitewell())
const { base, message } = await openGuide(at)
await takeInsight(at, base, message)
await takeDashboard(at, base)
await takeWidget(at)
