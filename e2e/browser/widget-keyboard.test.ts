import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { keepPage } from './kept-page.ts'
import { ask, openPage, openPanel } from './open-browser.ts'
import { answerFrames, playChat, startWidgetWorld, type WidgetWorld } from './widget-world.ts'

let world: WidgetWorld
let browser: Browser
let cleanPage: () => Promise<Page>
let page: Page

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startWidgetWorld(), openChromium()])
  cleanPage = keepPage(browser)
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})
beforeEach(async () => {
  page = await cleanPage()
})
afterEach(async () => {
  world.service.play(undefined)
})

const tag = () => ({ 'knowledge-base-id': world.base.id, 'client-key': world.base.client_key.key })
const dialog = () => page.locator('dialog[open]')
const focused = async () =>
  await page.evaluate(
    `(() => { let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return at?.getAttribute('aria-label') ?? at?.id ?? at?.tagName })()`,
  )

test('Ctrl+K opens with the focus in the composer, and closes with the focus where it was', async () => {
  await openPage(page, world.page(tag(), { markup: '<input id="field">' }))
  await page.locator('#field').focus()
  await page.keyboard.press('Control+k')
  await dialog().waitFor()
  await expect.poll(focused).toBe('Ask a question')
  await page.keyboard.press('Control+k')
  await dialog().waitFor({ state: 'detached' })
  expect(await focused()).toBe('field')
})

test('Escape closes the card, then the panel; the launcher has the focus again', async () => {
  world.service.play(playChat(answerFrames('Daily [1].')))
  await openPanel(page, world.page(tag()))
  await ask(page, 'When?')
  await page.locator('.chip').first().focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await page.locator('.card').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.card').waitFor({ state: 'detached' })
  expect(await dialog().count()).toBe(1)
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.shadowRoot?.activeElement?.part.value')).toBe('launcher')
})

test('a slash opens the search, but not from a field, and not if the page turned it off', async () => {
  const markup = '<input id="field"><div id="free" contenteditable>x</div>'
  await openPage(page, world.page(tag(), { markup }))
  for (const field of ['#field', '#free']) {
    await page.locator(field).focus()
    await page.keyboard.press('/')
    expect(await dialog().count()).toBe(0)
  }
  await page.locator('h1').click()
  await page.keyboard.press('/')
  await page.locator('.search-field input').waitFor()
  await openPage(page, world.page({ ...tag(), slash: 'false' }))
  await page.keyboard.press('/')
  await page.waitForTimeout(300)
  expect(await dialog().count()).toBe(0)
})

test('a shortcut that the page uses itself stays its own; another one may be set', async () => {
  const markup = `<script>document.addEventListener('keydown', (event) => event.key === 'k' && event.preventDefault())</script>`
  await openPage(page, world.page({ ...tag(), shortcut: 'mod+i' }, { markup }))
  await page.keyboard.press('Control+k')
  await page.waitForTimeout(300)
  expect(await dialog().count()).toBe(0)
  await page.keyboard.press('Control+i')
  await dialog().waitFor()
  // On a keyboard of another script the key has another sign, and the same place.
  const letter = { key: 'ן', code: 'KeyI', ctrlKey: true, bubbles: true, cancelable: true }
  const press = async (selector: string) =>
    await page
      .locator(selector)
      .evaluate((element, init) => element.dispatchEvent(new KeyboardEvent('keydown', init)), letter)
  await press('.composer textarea')
  await dialog().waitFor({ state: 'detached' })
  await press('body')
  await dialog().waitFor()
  // Browsers that fill in forms send events without a key.
  const faults: Error[] = []
  page.on('pageerror', (fault) => faults.push(fault))
  await page
    .locator('body')
    .evaluate((element) => element.dispatchEvent(new Event('keydown', { bubbles: true })))
  await page.evaluate('0')
  expect(faults).toEqual([])
})

test('what is typed in the panel reaches no listener of the page, also none that looks at the element first', async () => {
  const markup = `<script>globalThis.heard = [];
    document.addEventListener('keydown', (event) => heard.push(event.key));
    document.addEventListener('keydown', (event) => event.target.isContentEditable || heard.push('capture ' + event.key), true)</script>`
  await openPanel(page, world.page(tag(), { markup }))
  await page.evaluate('heard.length = 0')
  await page.locator('.composer textarea').pressSequentially('a/s?k')
  expect(await page.evaluate('heard')).toEqual([])
  expect(await page.locator('.composer textarea').inputValue()).toBe('a/s?k')
})

test('Enter sends, Shift+Enter begins a line, neither while an input method composes; the arrow up brings the question back', async () => {
  world.service.play(playChat(answerFrames('Daily [1].')))
  await openPanel(page, world.page(tag()))
  const field = page.locator('.composer textarea')
  await field.fill('one')
  await field.press('Shift+Enter')
  await field.pressSequentially('two')
  expect(await field.inputValue()).toBe('one\ntwo')
  await field.evaluate(
    `(element) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))`,
  )
  expect(await page.locator('.turn').count()).toBe(0)
  await field.press('Enter')
  await page.locator('.actions').waitFor()
  expect(await field.inputValue()).toBe('')
  await field.press('ArrowUp')
  expect(await field.inputValue()).toBe('one\ntwo')
})

test('the focus stays in the panel when what was pressed goes by it: Stop, ask again, send a comment', async () => {
  world.service.play(playChat(answerFrames('Word. '.repeat(300), {}, 30)))
  await page.route('**/feedback', async (route) => await route.fulfill({ json: { rating: 'up' } }))
  await openPage(page, world.page({ ...tag(), mode: 'sidebar' }))
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open] .suggested').waitFor()
  await page.keyboard.type('When?')
  await page.keyboard.press('Enter')
  await page.locator('.turn .answer').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('.stopped').waitFor()
  await expect.poll(focused).toBe('Conversation')
  world.service.play(playChat(answerFrames('Daily [1].')))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('.actions').waitFor()
  expect(await focused()).toBe('Conversation')
  await page.getByRole('button', { name: 'Good answer' }).press('Enter')
  await page.locator('.comment textarea').fill('Clear.')
  await page.getByRole('button', { name: 'Send comment' }).press('Enter')
  await page.locator('.comment-done').waitFor()
  await expect.poll(focused).toBe('Conversation')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('a question that is asked again while another is answered waits in the field', async () => {
  world.service.play(playChat(answerFrames('Daily [1].')))
  await openPanel(page, world.page(tag()))
  await ask(page, 'First?')
  world.service.play(playChat(answerFrames('Word. '.repeat(300), {}, 30)))
  await page.locator('.composer textarea').fill('Second?')
  await page.keyboard.press('Enter')
  await page.locator('.turn').nth(1).locator('.answer').waitFor()
  await page.locator('.turn').first().getByRole('button', { name: 'Ask again' }).click()
  const field = page.locator('.composer textarea')
  await expect.poll(() => field.inputValue()).toBe('First?')
  expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true)
  expect(await page.locator('.question').allInnerTexts()).toEqual(['First?', 'Second?'])
})

test('in the search no row is chosen before the first arrow; rows go around; the last one asks', async () => {
  await openPage(page, world.page(tag()))
  await page.keyboard.press('/')
  const field = page.locator('.search-field input')
  await field.fill('keys')
  await page.locator('.result').nth(1).waitFor()
  expect(await field.getAttribute('aria-activedescendant')).toBe(null)
  await field.press('ArrowDown')
  expect(await page.locator('[aria-selected=true].result').getAttribute('id')).toBe(
    await field.getAttribute('aria-activedescendant'),
  )
  expect(await field.getAttribute('aria-activedescendant')).toBe('citewell-option-0')
  await field.press('ArrowUp')
  await expect.poll(async () => await page.locator('.ask-row').getAttribute('aria-selected')).toBe('true')
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    (async () => {
      await field.press('ArrowDown')
      await field.press('Control+Enter')
    })(),
  ])
  expect(opened.url()).toMatch(/docs\.example\.com|about:blank|chrome-error/)
  await opened.close()
  await field.press('End')
  await field.press('Enter')
  await page.locator('.turn .actions, .turn .notice').first().waitFor()
  expect(await page.locator('.question').innerText()).toBe('keys')
})

test('Enter before the results waits for them; the results are always those of what is in the field', async () => {
  await openPage(page, world.page(tag()))
  await page.keyboard.press('/')
  const field = page.locator('.search-field input')
  const titles = () => page.locator('.result .page-title').allInnerTexts()
  await field.fill('webhooks')
  await page.locator('.result .page-title', { hasText: 'Webhooks' }).first().waitFor()
  const shown = await titles()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/search', async (route) => {
    await held
    await route.continue()
  })
  // Another search is under way, and is given up.
  await Promise.all([page.waitForRequest('**/search'), field.fill('limits of rotation')])
  await field.fill('webhooks')
  await field.fill('limits of rotation')
  await field.fill('webhooks')
  release()
  expect(await titles()).toEqual(shown)
  await page.unroute('**/search')
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    (async () => {
      await field.fill('ten times an hour')
      await field.press('Enter')
    })(),
  ])
  expect(opened.url()).toMatch(/limits|about:blank|chrome-error/)
  expect(await page.locator('.page-title').first().innerText()).toBe('Limits')
  await opened.close()
})

test('a search that takes long says so; one that fails says so to the reader, the page and the owner', async () => {
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.route('**/search', async (route) => {
    if (route.request().method() !== 'POST') return await route.continue()
    await page.getByText('Searching the documentation').first().waitFor()
    await route.fulfill({
      status: 403,
      headers: { 'access-control-allow-origin': '*' },
      json: { error: 'x', code: 'GROUP_NOT_ALLOWED', retryable: false, request_id: 'r' },
    })
  })
  await page.addInitScript(
    "globalThis.heard = []; document.addEventListener('citewell:error', ({ detail }) => heard.push(detail.code))",
  )
  await openPage(page, world.page(tag()))
  await page.keyboard.press('/')
  await page.locator('.search-field input').fill('keys')
  await page.locator('.results').getByText('This question cannot be answered here.').waitFor()
  // Those who hear the page are told as well.
  await expect
    .poll(() => page.locator('dialog .unseen[role=status]').innerText())
    .toBe('This question cannot be answered here.')
  expect(await page.evaluate('heard')).toEqual(['GROUP_NOT_ALLOWED'])
  expect(said.filter((line) => line.startsWith('Citewell: GROUP_NOT_ALLOWED'))).toHaveLength(1)
})

test(
  'a search that is refused for being one too many says when to try again, asks nothing before, and then finds',
  { tags: ['long'] },
  async () => {
    let isRefused = true
    let asked = 0
    await page.route('**/search', async (route) => {
      if (route.request().method() !== 'POST') return await route.continue()
      asked += 1
      if (!isRefused) return await route.continue()
      await route.fulfill({
        status: 429,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'retry-after',
          'retry-after': '4',
        },
        json: { error: 'x', code: 'RATE_LIMITED', retryable: true, request_id: 'r' },
      })
    })
    await openPage(page, world.page(tag()))
    await page.keyboard.press('/')
    const field = page.locator('.search-field input')
    await field.fill('ten')
    await page
      .locator('.results')
      .getByText(/Too many questions at once\. Try again in \d seconds?\./)
      .waitFor()
    const again = page.locator('.results').getByRole('button', { name: 'Try again' })
    expect(await again.isDisabled()).toBe(true)
    // The client of the service has tried it again itself before it told of it.
    const askedBefore = asked
    await field.fill('ten times an hour')
    isRefused = false
    await expect.poll(async () => await again.isDisabled(), { timeout: 15_000 }).toBe(false)
    expect(asked).toBe(askedBefore)
    await again.click()
    await page.locator('.page-title').first().waitFor()
    expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true)
  },
)

test('the arrow keys move between the tabs', async () => {
  await openPanel(page, world.page(tag()))
  await page.getByRole('tab', { name: 'Ask' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.getByRole('tab', { name: 'Search' }).getAttribute('aria-selected')).toBe('true')
  expect(await focused()).toBe('citewell-tab-search')
})

test('an element with data-citewell-open asks its question, and opens the search', async () => {
  await openPage(page, world.page(tag()))
  await page.getByRole('button', { name: 'Search…' }).click()
  await page.locator('.search-field').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'How do I run this?' }).click()
  await page.locator('.question').waitFor()
  expect(await page.locator('.question').innerText()).toBe('How do I run Citewell?')
})

test('a link may fill in a question, and asks it only where the page allows that', async () => {
  const address = world.page({ ...tag(), 'deep-link': 'true' })
  await page.goto(`${address}?ask=When%3F`)
  await dialog().waitFor()
  await expect.poll(async () => await page.locator('.composer textarea').inputValue()).toBe('When?')
  expect(await page.locator('.turn').count()).toBe(0)
  await page.goto(`${world.page({ ...tag(), 'deep-link': 'true', 'allow-autosend': 'true' })}?ask=When%3F`)
  await page.locator('.question').waitFor()
})

test('selected text can be asked about, where the page allows it', async () => {
  world.service.play(playChat(answerFrames('Daily [1].')))
  await openPage(page, world.page({ ...tag(), selection: 'true' }))
  await page.locator('main p').first().click({ clickCount: 3 })
  await page.getByRole('button', { name: 'Ask about this' }).click()
  await ask(page, 'Why?')
  expect(await page.locator('.turn .quote').innerText()).toContain('Every client has two keys')
  const sent = world.service.seen.filter(({ path }) => path.endsWith('/chat')).at(-1)?.body ?? ''
  expect(JSON.parse(sent)).toMatchObject({ query: expect.stringContaining('> Every client has two keys') })
})
