import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { ask, listenToPage, openPanel } from './open-browser.ts'
import { answerFrames, CITATION, playChat, startWidgetWorld, type WidgetWorld } from './widget-world.ts'

let world: WidgetWorld
let browser: Browser
let page: Page
let said: string[]

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startWidgetWorld(), openChromium()])
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})
beforeEach(async () => {
  page = await browser.newPage()
  said = listenToPage(page)
  world.service.seen.length = 0
})
afterEach(async () => {
  world.service.play(undefined)
  await page.close()
})

const tag = () => ({ 'knowledge-base-id': world.base.id, 'client-key': world.base.client_key.key })
const asked = (path: RegExp, method = 'POST') =>
  world.service.seen.filter((seen) => seen.method === method && path.test(seen.path))
const bodyOf = (seen: { body: string } | undefined) =>
  JSON.parse(seen?.body ?? '{}') as Record<string, unknown>
const turn = () => page.locator('.turn').last()

test('while an answer is written, the reader sees what is read, then whole markup, and the question stays in sight', async () => {
  const text = 'A **bold** word and a [link](https://docs.example.com/a) [1].\n\n'.repeat(40)
  const frames = answerFrames(text, {}, 4).slice(1)
  // The last words come when all was looked at.
  const looked = Promise.withResolvers<void>()
  world.service.play(
    playChat([
      { citations: [CITATION], done: false },
      600,
      ...frames.slice(0, -10),
      looked.promise,
      ...frames.slice(-10),
    ]),
  )
  await openPanel(page, world.page(tag()))
  await page.locator('.composer textarea').fill('When are they rotated?')
  await page.keyboard.press('Enter')
  await page.getByText('Reading 1 page').first().waitFor()
  await page.getByRole('button', { name: 'New text below' }).waitFor()
  expect(await turn().locator('.answer').innerText()).not.toMatch(/\*\*|\]\(/)
  expect(await turn().locator('.question').isVisible()).toBe(true)
  expect(await page.getByRole('log').getAttribute('aria-busy')).toBe('true')
  looked.resolve()
  await turn().locator('.actions').waitFor({ timeout: 60_000 })
  expect(await page.getByRole('log').getAttribute('aria-busy')).toBe('false')
})

test('a text that is cut within an emoji is a text all the same: of a question, and of an e-mail to people', async () => {
  const address = world.page({ ...tag(), 'support-email': 'help@example.com' })
  const question = `${'When? '.repeat(19)}12345🔑 are keys rotated`
  const before = `${question}\n\n`.length
  const answer = `${'x'.repeat(1_499 - before)}🔑🔑`
  world.service.play(playChat(answerFrames(answer)))
  await openPanel(page, address)
  await ask(page, question)
  const mail = page.locator('.footer').getByRole('link', { name: 'Write an e-mail' })
  await expect.poll(() => mail.getAttribute('href')).toMatch(/12345&body=When.*x$/)
  await page.reload()
  await page.locator('button[part=launcher]').click()
  await turn().locator('.actions').waitFor()
  expect(await mail.getAttribute('href')).toContain('&body=When')
  world.service.play(undefined)
  await page.evaluate(`Citewell.ask('How are keys rotated? ' + 'a'.repeat(3977) + '🔑')`)
  await page.locator('.turn').nth(1).locator('.actions').waitFor()
  expect(String(bodyOf(asked(/\/chat$/)[1])['query'])).toHaveLength(3_999)
  expect(said).toEqual([])
})

test('a conversation that another script has written is not shown, and breaks nothing', async () => {
  await openPanel(page, world.page(tag()))
  await ask(page, 'When are keys rotated?')
  await turn().getByRole('button', { name: 'Good answer' }).click()
  await expect.poll(() => page.evaluate('JSON.stringify({ ...sessionStorage })')).toContain('rating')
  await page.evaluate(`for (const key of Object.keys(sessionStorage)) {
    const kept = JSON.parse(sessionStorage[key])
    for (const turn of kept.conversation.turns) delete turn.comment
    sessionStorage[key] = JSON.stringify(kept)
  }`)
  await page.reload()
  await page.locator('button[part=launcher]').click()
  await ask(page, 'And by hand?')
  expect(await page.locator('.turn').count()).toBe(1)
  expect(said).toEqual([])
})
