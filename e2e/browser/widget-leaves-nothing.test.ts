import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { keepPage } from './kept-page.ts'
import { listenToPage, openPage, openPanel } from './open-browser.ts'
import { answerFrames, playChat, startWidgetWorld, type WidgetWorld } from './widget-world.ts'

let world: WidgetWorld
let browser: Browser
let cleanPage: () => Promise<Page>
let page: Page

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startWidgetWorld(), openChromium()])
  cleanPage = keepPage(browser, { viewport: { width: 1_280, height: 800 } })
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

const tag = (more: Record<string, string> = {}) => ({
  'knowledge-base-id': world.base.id,
  'client-key': world.base.client_key.key,
  ...more,
})

/** Writes down what runs on: timers, observers, requests. */
const COUNT = `{
  const live = globalThis.live = new Map()
  const from = () => (new Error().stack ?? '').split('\\n').slice(2, 5).join(' < ')
  const { setTimeout: start, clearTimeout: stop, setInterval: repeat, clearInterval: end, fetch: send } = globalThis
  globalThis.setTimeout = (run, wait, ...given) => {
    const id = start(() => { live.delete('timer ' + id); run(...given) }, wait)
    live.set('timer ' + id, from())
    return id
  }
  globalThis.clearTimeout = (id) => { live.delete('timer ' + id); stop(id) }
  globalThis.setInterval = (...given) => { const id = repeat(...given); live.set('interval ' + id, from()); return id }
  globalThis.clearInterval = (id) => { live.delete('interval ' + id); end(id) }
  for (const name of ['IntersectionObserver', 'MutationObserver', 'ResizeObserver', 'PerformanceObserver'])
    globalThis[name] = class extends globalThis[name] {
      observe(...given) { live.set(this, name); super.observe(...given) }
      disconnect() { live.delete(this); super.disconnect() }
    }
  globalThis.fetch = (address, options = {}) => {
    const key = {}
    live.set(key, 'request ' + new URL(address).pathname.split('/').at(-1) + (options.signal ? '' : ' without end'))
    options.signal?.addEventListener('abort', () => live.delete(key))
    return send(address, options).then((answer) => {
      if (!answer.headers.get('content-type')?.includes('event-stream')) live.delete(key)
      return answer
    }, (fault) => { live.delete(key); throw fault })
  }
}`
const live = async () => await page.evaluate<string[]>('[...live.values()]')

/** Opens the panel, and waits for the scripts that come behind it: what is on its way cannot be called back. */
async function openWhole(address: string): Promise<void> {
  const behind = ['**/answers-*', '**/markdown-*'].map(async (path) => await page.waitForResponse(path))
  await openPanel(page, address)
  for (const script of behind) await (await script).finished()
}

/** Lets nothing of an address be answered. */
const holdBack = async (part: string) => await page.route(`**/*${part}*`, () => {})

/** A script that is on its way cannot be called back: of the panel's, the wait for it is left, for 16 seconds. */
const STATES: readonly [state: string, bring: () => Promise<unknown>, left?: number][] = [
  [
    'the settings are asked for',
    async () => {
      await holdBack('/widget-config')
      const asked = page.waitForRequest('**/widget-config')
      await page.goto(world.page(tag()))
      await asked
    },
  ],
  [
    'it waits for a service that is down',
    async () => {
      await page.route('**/widget-config', (route) => route.fulfill({ status: 503 }))
      const answered = page.waitForResponse('**/widget-config')
      await page.goto(world.page(tag()))
      await answered
    },
  ],
  ['the launcher is there', async () => await openPage(page, world.page(tag()))],
  [
    'the panel is fetched',
    async () => {
      await openPage(page, world.page(tag()))
      await holdBack('/panel-')
      await page.locator('button[part=launcher]').click()
      await page.locator('button[data-wait=busy]').waitFor()
    },
    1,
  ],
  [
    'suggested questions are asked for',
    async () => {
      await holdBack('/suggested-questions')
      await openWhole(world.page(tag()))
    },
  ],
  [
    'an answer is written, and read out',
    async () => {
      world.service.play(playChat(answerFrames('Keys are rotated every day. '.repeat(300), {}, 20)))
      await openWhole(world.page(tag()))
      await page.locator('.composer textarea').fill('When?')
      await page.keyboard.press('Enter')
      await page.locator('.turn .answer').waitFor()
    },
  ],
  [
    'pages are searched, and text of the page is selected',
    async () => {
      await holdBack('/search')
      await openWhole(world.page(tag({ selection: 'true', mode: 'sidebar' })))
      await page.locator('[data-tab=search]').click()
      const asked = page.waitForRequest('**/search')
      await page.locator('.search-field input').fill('keys')
      await asked
      await page.locator('h1').first().click({ clickCount: 3 })
    },
  ],
  [
    'too many questions were asked, and the wait is counted down',
    async () => {
      await page.route('**/chat', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '60', 'access-control-expose-headers': 'Retry-After' },
          json: { error: 'x', code: 'RATE_LIMITED', retryable: true },
        }),
      )
      await openWhole(world.page(tag()))
      await page.locator('.composer textarea').fill('When?')
      await page.keyboard.press('Enter')
      await page.locator('.failure').waitFor()
    },
  ],
]

test.each(STATES)('destroyed while %s: no timer, observer or request is left', async (_, bring, left = 0) => {
  await page.addInitScript(COUNT)
  await bring()
  expect((await live()).filter((what) => what.endsWith('without end'))).toEqual([])
  await page.evaluate(`globalThis.heard = []
    for (const type of ['error', 'stop', 'answer', 'search', 'close']) document.addEventListener('citewell:' + type, () => heard.push(type))
    globalThis.kept = { ...Citewell }; Citewell.destroy()`)
  // The event that a script has come follows its last byte.
  await expect.poll(live, { timeout: 1_000 }).toHaveLength(left)
  // What a page asks of it afterwards is nothing.
  world.service.seen.length = 0
  await page.evaluate(
    "kept.open(); kept.ask('When?'); kept.update({ theme: 'dark' }); document.body.append(document.createElement('citewell-ask'))",
  )
  await page.evaluate('new Promise((wake) => requestIdleCallback(wake))')
  expect(await live()).toHaveLength(left)
  expect(world.service.seen.map(({ path }) => path)).toEqual([])
  expect(await page.locator('citewell-widget').count()).toBe(0)
  expect(await page.evaluate('heard')).toEqual([])
})

test('settings that never come are asked for again after a while, and the widget comes', async () => {
  await page.clock.install()
  // The clock of the test moves timers, and not those of signals.
  await page.addInitScript(`AbortSignal.timeout = (wait) => {
    const controller = new AbortController(); setTimeout(() => controller.abort(), wait); return controller.signal }`)
  const said = listenToPage(page)
  let count = 0
  await page.route('**/widget-config', async (route) => await (count++ > 0 ? route.continue() : undefined))
  await page.goto(world.page(tag()))
  await expect.poll(() => count).toBe(1)
  await page.clock.runFor(15_000)
  expect(count).toBe(1)
  await page.clock.runFor(12_000)
  await page.locator('button[part=launcher]').waitFor()
  expect(count).toBe(2)
  expect(said).toEqual([])
})

test('text that was selected before the settings came can be asked about', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/widget-config', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(world.page(tag({ selection: 'true' })))
  await page.locator('h1').first().click({ clickCount: 3 })
  release()
  await page.locator('button[part=launcher]').waitFor()
  await page.locator('p').first().click({ clickCount: 3 })
  await expect.poll(async () => await page.locator('.ask-about').isVisible()).toBe(true)
})
