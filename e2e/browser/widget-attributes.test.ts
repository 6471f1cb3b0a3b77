import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { keepPage } from './kept-page.ts'
import { ask, listenToPage, openPage, openPanel } from './open-browser.ts'
import { answerFrames, playChat, startWidgetWorld, type WidgetWorld } from './widget-world.ts'

let world: WidgetWorld
let browser: Browser
let cleanPage: () => Promise<Page>
let context: BrowserContext
let page: Page
let said: string[]

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
  context = page.context()
  said = listenToPage(page)
  world.service.seen.length = 0
})
afterEach(async () => {
  world.service.play(undefined)
})

const tag = (more: Record<string, string> = {}) => ({
  'knowledge-base-id': world.base.id,
  'client-key': world.base.client_key.key,
  ...more,
})
const launcher = () => page.locator('button[part=launcher]')
const dialog = () => page.locator('dialog[open]')
/** Where an element is, in whole pixels, when it has come to rest. */
const boxOf = async (selector: string) =>
  await page.locator(selector).evaluate(async (element) => {
    await Promise.all(element.getAnimations().map(async ({ finished }) => await finished))
    const { x, y, width, height, top, bottom } = element.getBoundingClientRect()
    const [left, above, wide, high, start, end] = [x, y, width, height, top, bottom].map(Math.round)
    return { x: left, y: above, width: wide, height: high, top: start ?? 0, bottom: end ?? 0 }
  })
/** A style that the browser computed for an element inside the widget, when it does not change any more. */
const styleOf = async (selector: string, name: string) =>
  await page.locator(selector).evaluate(async (element, property) => {
    await Promise.all(element.getAnimations().map(async ({ finished }) => await finished))
    return getComputedStyle(element).getPropertyValue(property)
  }, name)

/** What the page does by itself at once is done. */
const settle = async () => await page.evaluate('new Promise((wake) => requestIdleCallback(wake))')

test('sidebar: beside the page, which stays usable and may make room; wider by buttons and by dragging, within bounds', async () => {
  await openPanel(page, world.page(tag({ mode: 'sidebar' })))
  expect(await boxOf('dialog')).toMatchObject({ x: 860, y: 0, width: 420, height: 800 })
  const push = async () =>
    await page.evaluate("document.documentElement.style.getPropertyValue('--citewell-push')")
  expect(await push()).toBe('420px')
  await page.locator('h1').click()
  expect(await dialog().count()).toBe(1)
  await page.getByRole('button', { name: 'Wider' }).click()
  expect(await boxOf('dialog')).toMatchObject({ width: 480 })
  await page.mouse.move(802, 400)
  await page.mouse.down()
  await page.mouse.move(750, 400)
  expect(await boxOf('dialog')).toMatchObject({ x: 750, width: 530 })
  await page.mouse.move(200, 400)
  expect(await boxOf('dialog')).toMatchObject({ width: 580 })
  await page.mouse.move(1_270, 400)
  await page.mouse.up()
  expect(await boxOf('dialog')).toMatchObject({ width: 360 })
  expect(await push()).toBe('360px')
  await page.getByRole('button', { name: 'Close' }).click()
  expect(await push()).toBe('')
})

test('sidebar at the start: at the other edge, and dragged from there', async () => {
  await openPanel(page, world.page(tag({ mode: 'sidebar', position: 'start' })))
  expect(await boxOf('dialog')).toMatchObject({ x: 0, width: 420 })
  await page.mouse.move(417, 400)
  await page.mouse.down()
  await page.mouse.move(500, 400)
  await page.mouse.up()
  expect(await boxOf('dialog')).toMatchObject({ x: 0, width: 500 })
})

test('bubble: above the launcher, at its side and distance, and no higher than the page', async () => {
  await openPanel(page, world.page(tag({ mode: 'bubble', position: 'start', offset: '32px' })))
  expect(await boxOf('dialog')).toMatchObject({ x: 32, width: 420 })
  const [panel, button] = [await boxOf('dialog'), await boxOf('button[part=launcher]')]
  expect(button).toMatchObject({ x: 32, height: 48 })
  expect(800 - button.bottom).toBe(32)
  expect(panel.bottom).toBeLessThanOrEqual(button.top)
  await page.setViewportSize({ width: 1_280, height: 420 })
  expect((await boxOf('dialog')).top).toBeGreaterThanOrEqual(0)
})

test(
  'on a narrow screen every mode is a sheet over all of it; search opens over the page in every mode',
  { tags: ['long'] },
  async () => {
    for (const mode of ['modal', 'sidebar', 'bubble']) {
      await page.setViewportSize({ width: 360, height: 640 })
      await openPanel(page, world.page(tag({ mode })))
      expect([mode, await boxOf('dialog')]).toMatchObject([mode, { x: 0, y: 0, width: 360, height: 640 }])
      await page.setViewportSize({ width: 1_280, height: 800 })
      await openPanel(page, world.page(tag({ mode })))
      // A screen that is turned, or a window that is made small, with the panel open.
      await page.setViewportSize({ width: 360, height: 640 })
      const { x = -1, width = 0 } = await boxOf('dialog')
      expect([mode, x >= 0, x + width <= 360]).toEqual([mode, true, true])
      await page.setViewportSize({ width: 1_280, height: 800 })
      await openPage(page, world.page(tag({ mode })))
      await page.keyboard.press('/')
      await dialog().waitFor()
      expect([mode, await page.locator('dialog').evaluate((element) => element.matches(':modal'))]).toEqual([
        mode,
        true,
      ])
    }
  },
)

test.each([
  ['<citewell-ask style="display:block;height:600px"></citewell-ask>', {}],
  ['<div id="here" style="height:600px"></div>', { container: '#here' }],
])(
  'embedded in %s: the panel stands in the page, answers there, and follows no focus of the page',
  async (markup, more) => {
    await openPage(page, world.page(tag({ mode: 'embedded', launcher: 'none', ...more }), { markup }))
    await page.locator('.panel.embedded').waitFor()
    expect(await boxOf('.panel.embedded')).toMatchObject({ height: 600 })
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY')
    expect(await launcher().isVisible()).toBe(false)
    world.service.play(playChat(answerFrames('Keys are rotated every day [1].\n\n'.repeat(30))))
    await page.locator('.embedded textarea').fill('When?')
    await page.keyboard.press('Enter')
    await page.locator('.embedded .actions').waitFor()
    expect(await dialog().count()).toBe(0)
    // The answer is longer than the box, and scrolls within it.
    expect(await boxOf('.panel.embedded')).toMatchObject({ height: 600 })
    expect(
      await page
        .locator('.embedded .thread')
        .evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight),
    ).toBe(true)
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0)
    expect(said).toEqual([])
  },
)

test.each([
  ['<citewell-ask style="display:block;height:600px"></citewell-ask>', {}],
  ['<div id="here" style="height:600px"></div>', { container: '#here' }],
])(
  'embedded in %s: what the page asks or opens is answered there, in sight, with the focus',
  async (markup, more) => {
    world.service.play(playChat(answerFrames('Keys are rotated every day [1].')))
    const far = `<div style="height:3000px"></div>${markup}`
    await openPage(page, world.page(tag({ mode: 'embedded', launcher: 'none', ...more }), { markup: far }))
    // Before anything but the script has come.
    await page.evaluate("Citewell.ask('When are keys rotated?')")
    await page.locator('.embedded .actions').waitFor()
    expect(await page.locator('.embedded .turn').count()).toBe(1)
    expect(await dialog().count()).toBe(0)
    const { top, bottom } = await boxOf('.panel.embedded')
    expect([top >= 0, bottom <= 800]).toEqual([true, true])
    expect(await page.locator('.embedded textarea').evaluate((area) => area.matches(':focus'))).toBe(true)
    await page.evaluate(
      'scrollTo(0, 0), document.querySelector("citewell-widget[data-embedded]").shadowRoot.activeElement.blur()',
    )
    await page.evaluate("Citewell.open({ query: 'And then?' })")
    await expect.poll(async () => await page.locator('.embedded textarea').inputValue()).toBe('And then?')
    expect((await boxOf('.panel.embedded')).bottom).toBeLessThanOrEqual(800)
    expect(await dialog().count()).toBe(0)
    // Search is over the page, and so is what the page wants there.
    await page.evaluate("Citewell.search('keys')")
    await dialog().waitFor()
    await page.keyboard.press('Escape')
    await page.evaluate("Citewell.open({ mode: 'modal', tab: 'ask' })")
    await dialog().waitFor()
    // Asked again by the page, it is answered where the page has its panel.
    await page.evaluate("Citewell.ask('When?')")
    await page.locator('.embedded .turn').nth(1).locator('.actions').waitFor()
    expect(await dialog().count()).toBe(0)
  },
)

test('<citewell-ask> after a failure, moved, taken away, and of another widget: one panel, of the widget that is there', async () => {
  const markup = '<citewell-ask></citewell-ask>'
  world.service.play((request, response) => {
    if (request.url?.includes('/panel-') !== true) return false
    response.destroy()
    return true
  })
  await page.addInitScript(
    "globalThis.failed = new Promise((wake) => document.addEventListener('citewell:error', wake, { once: true }))",
  )
  await openPage(page, world.page(tag({ mode: 'embedded', placeholder: 'First' }), { markup }))
  await page.evaluate('failed')
  world.service.play(undefined)
  await page.evaluate('Citewell.open()')
  const places = page.locator('citewell-ask .panel.embedded')
  await places.getByPlaceholder('First').waitFor()
  await page.evaluate("document.body.append(document.querySelector('citewell-ask'))")
  await settle()
  expect(await places.count()).toBe(1)
  await page.evaluate(`document.querySelector('citewell-ask').remove()
    document.body.append(document.createElement('citewell-ask'))`)
  await places.getByPlaceholder('First').waitFor()
  await page.evaluate('Citewell.destroy()')
  expect(await places.count()).toBe(0)
  await page.evaluate("document.body.append(document.createElement('citewell-ask'))")
  await page.evaluate(
    ([src, base, key]) => {
      const script = Object.assign(document.createElement('script'), { src })
      Object.assign(script.dataset, { knowledgeBaseId: base, clientKey: key, mode: 'embedded' })
      script.dataset['placeholder'] = 'Second'
      document.head.append(script)
    },
    [`${world.service.origin}/widget.js`, world.base.id, world.base.client_key.key] as const,
  )
  await expect.poll(async () => await places.getByPlaceholder('Second').count()).toBe(2)
  expect(await places.count()).toBe(2)
})

test('none: no launcher and no keys; the API opens it', async () => {
  await openPage(page, world.page(tag({ mode: 'none' })))
  expect(await launcher().isVisible()).toBe(false)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('/')
  expect(await dialog().count()).toBe(0)
  await page.evaluate("Citewell.open({ tab: 'search' })")
  await page.locator('dialog[open] .search-field').waitFor()
})

test('launcher, launcher-label, launcher-icon, z-index: how the button looks, and whether it is there', async () => {
  const icon = `${world.pages.origin}/icon.svg`
  await openPage(
    page,
    world.page(tag({ 'launcher-label': 'Help <b>', 'launcher-icon': icon, 'z-index': '7' })),
  )
  expect(await launcher().innerText()).toBe('Help <b>')
  expect(await page.locator('button[part=launcher] img').getAttribute('src')).toBe(icon)
  expect(await styleOf('button[part=launcher]', 'z-index')).toBe('7')
  await launcher().click()
  await dialog().waitFor()
  expect(await styleOf('dialog', 'z-index')).toBe('7')
  await openPage(page, world.page(tag({ launcher: 'none' })))
  expect(await launcher().isVisible()).toBe(false)
  await page.keyboard.press('Control+k')
  await dialog().waitFor()
})

test.each([
  ['light', 'dark', '', 'light'],
  ['dark', 'light', '', 'dark'],
  ['auto', 'dark', '', 'dark'],
  ['page', 'light', "document.documentElement.dataset.theme = 'dark'", 'dark'],
  ['page', 'light', "document.documentElement.className = 'dark'", 'dark'],
  ['page', 'dark', "document.documentElement.style.colorScheme = 'light'", 'light'],
] as const)('theme %s in a %s system, after "%s", is %s', async (theme, colorScheme, script, expected) => {
  await page.emulateMedia({ colorScheme })
  await openPanel(page, world.page(tag({ theme })))
  if (script !== '') await page.evaluate(script)
  const light = 'rgb(255, 255, 255)'
  await expect
    .poll(async () => ((await styleOf('dialog', 'background-color')) === light ? 'light' : 'dark'))
    .toBe(expected)
})

test('radius, font, logo, placeholder, disclaimer, privacy-url: what the page says is shown, as text', async () => {
  const logo = `${world.pages.origin}/logo.svg`
  const words = {
    placeholder: 'Ask <i>us</i>',
    disclaimer: 'May be <b>wrong</b>.',
    'privacy-url': '/privacy',
  }
  await openPanel(page, world.page(tag({ radius: '3px', font: 'inherit', logo, ...words })))
  expect(await styleOf('dialog', 'border-top-left-radius')).toBe('3px')
  expect(await styleOf('.frame', 'font-family')).toBe(
    await page.evaluate('getComputedStyle(document.body).fontFamily'),
  )
  expect(await page.locator('.logo').getAttribute('src')).toBe(logo)
  expect(await page.locator('.composer textarea').getAttribute('placeholder')).toBe('Ask <i>us</i>')
  expect(await page.locator('.disclaimer').innerText()).toBe('May be <b>wrong</b>.')
  expect(await page.getByRole('link', { name: 'Privacy' }).getAttribute('href')).toBe('/privacy')
  await openPanel(page, world.page(tag({ 'privacy-url': 'javascript:alert(1)' })))
  expect(await page.getByRole('link', { name: 'Privacy' }).count()).toBe(0)
})

test('default-tab and search: which tab opens, and whether there is a search', async () => {
  await openPanel(page, world.page(tag({ 'default-tab': 'search' })))
  await page.locator('.search-field').waitFor()
  await openPanel(page, world.page(tag({ search: 'false', 'default-tab': 'search' })))
  await page.locator('.composer').waitFor()
  expect(await page.getByRole('tab').count()).toBe(0)
})

test('query-param: the question comes from there', async () => {
  await page.goto(`${world.page(tag({ 'deep-link': 'true', 'query-param': 'q' }))}?ask=No&q=Yes`)
  await dialog().waitFor()
  await expect.poll(async () => await page.locator('.composer textarea').inputValue()).toBe('Yes')
})

test('remember: local keeps the conversation for other tabs, none keeps nothing over a reload', async () => {
  world.service.play(playChat(answerFrames('Daily [1].')))
  for (const [remember, turns, stored] of [
    ['local', 1, 1],
    ['none', 0, 0],
  ] as const) {
    await page.goto(world.page({}))
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
    const address = world.page(tag({ remember }))
    await openPanel(page, address)
    await ask(page, 'When?')
    expect(await page.evaluate('localStorage.length')).toBe(stored)
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    const other = await context.newPage()
    await openPanel(other, address)
    await other.locator('.composer').waitFor()
    expect([remember, await other.locator('.turn').count()]).toEqual([remember, turns])
    await other.close()
  }
})

test('open-links: in another tab, or in the same', async () => {
  world.service.play(playChat(answerFrames('Daily [1], see [this](https://docs.example.com/a).')))
  for (const [said, target] of [
    ['new', '_blank'],
    ['same', null],
  ] as const) {
    await openPanel(page, world.page(tag({ 'open-links': said, remember: 'none' })))
    await ask(page, 'When?')
    for (const selector of ['.chip', '.answer a:not(.chip)', 'a.page-link'])
      expect([said, selector, await page.locator(selector).first().getAttribute('target')]).toEqual([
        said,
        selector,
        target,
      ])
  }
})

test('consent: nothing is fetched before the launcher, a trigger or the shortcut is pressed', async () => {
  for (const press of [
    async () => await page.getByRole('button', { name: 'Search…' }).click(),
    async () => await page.keyboard.press('Control+k'),
  ]) {
    await page.goto(world.page(tag({ consent: 'required' })))
    await launcher().waitFor()
    expect(await dialog().count()).toBe(0)
    await press()
    await dialog().waitFor()
  }
  // What the panel still asks for ends with its page.
  await page.goto('about:blank')
  await page.waitForTimeout(500)
  world.service.seen.length = 0
  await page.goto(world.page(tag({ consent: 'required' })))
  await launcher().waitFor()
  await page.waitForTimeout(1_000)
  // The script itself is in the browser's cache by now.
  expect(world.service.seen.map(({ path }) => path).filter((path) => path !== '/widget.js')).toEqual([])
  await launcher().click()
  await dialog().waitFor()
  await ask(page, 'When are keys rotated?')
})

test('endpoint: another address of the service than that of the script', async () => {
  const path = '/from-elsewhere'
  world.pages.set(
    path,
    `<!doctype html><title>t</title><body><script src="${world.citewell.address}/widget.js" data-endpoint="${world.service.origin}" data-knowledge-base-id="${world.base.id}" async></script>`,
  )
  await openPanel(page, world.pages.origin + path)
  await ask(page, 'When are keys rotated?')
  expect(world.service.seen.some(({ path: asked }) => asked.endsWith('/chat'))).toBe(true)
})

test('user-id goes with the question; events="none" tells the page nothing', async () => {
  await openPage(page, world.page(tag({ 'user-id': 'ada', events: 'none' })))
  await page.evaluate(
    "globalThis.heard = 0; document.addEventListener('citewell:ask', () => heard++); Citewell.ask('When are keys rotated?')",
  )
  await page.locator('.turn .actions').waitFor()
  const sent = world.service.seen.find(({ method, path }) => method === 'POST' && path.endsWith('/chat'))
  expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({ user: { id: 'ada' } })
  expect(await page.evaluate('heard')).toBe(0)
})

test.each(['de', 'ar', 'ja'])(
  'language %s: the words, the direction, and the language of requests',
  async (language) => {
    await openPanel(page, world.page(tag({ language })))
    await expect.poll(async () => await page.locator('.frame').getAttribute('lang')).toBe(language)
    expect(await page.locator('.frame').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
    expect(await page.locator('.composer textarea').getAttribute('placeholder')).not.toBe('Ask a question')
    await ask(page, 'xyzzy')
    const sent = world.service.seen.find(({ method, path }) => method === 'POST' && path.endsWith('/chat'))
    expect(sent?.headers['accept-language']).toBe(language)
  },
)

test(
  'remember: local: several tabs have one conversation, none loses what another asked, and a new one begins in all of them',
  { tags: ['long'] },
  async () => {
    world.service.play(playChat(answerFrames('Daily [1].')))
    await page.goto(world.page({}))
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
    const address = world.page(tag({ remember: 'local' }))
    const questionsOf = async (of: Page) => await of.locator('.question').allInnerTexts()
    // Both are opened before anything is asked: each would store only what it knows.
    await openPanel(page, address)
    const other = await context.newPage()
    await openPanel(other, address)
    await ask(page, 'First?')
    await ask(other, 'Second?')
    await ask(page, 'Third?')
    for (const of of [page, other])
      await expect.poll(async () => await questionsOf(of)).toEqual(['First?', 'Second?', 'Third?'])
    const later = await context.newPage()
    await openPanel(later, address)
    expect(await questionsOf(later)).toEqual(['First?', 'Second?', 'Third?'])
    await later.close()

    await other.getByRole('button', { name: 'New conversation' }).click()
    await expect.poll(async () => await questionsOf(page)).toEqual([])
    expect(await page.evaluate('localStorage.length')).toBe(0)
    await ask(page, 'Fourth?')
    await expect.poll(async () => await questionsOf(other)).toEqual(['Fourth?'])
    await other.close()
  },
)
