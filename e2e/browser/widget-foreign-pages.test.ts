import { longUnless } from '@citewell/spec/long-unless'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { keepPage } from './kept-page.ts'
import { ask, listenToPage, openPage, openPanel } from './open-browser.ts'
import { differenceOf } from './picture-difference.ts'
import { answerFrames, playChat, startWidgetWorld, type WidgetWorld } from './widget-world.ts'

let world: WidgetWorld
let browser: Browser
let cleanPage: () => Promise<Page>
let context: BrowserContext
let page: Page

const READER = { viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' } as const

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startWidgetWorld(), openChromium()])
  cleanPage = keepPage(browser, READER)
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})
beforeEach(async () => {
  page = await cleanPage()
  context = page.context()
  world.service.seen.length = 0
  world.service.play(
    playChat(answerFrames('Keys are **rotated** [1].\n\n- one\n- two\n\n`acme keys rotate`')),
  )
})
afterEach(async () => {
  world.service.play(undefined)
})

const tag = (more: Record<string, string> = {}) => ({
  'knowledge-base-id': world.base.id,
  'client-key': world.base.client_key.key,
  theme: 'light',
  ...more,
})

/** Pictures of the launcher and of the panel with an answer. */
async function picturesOf(markup: string, mode: string): Promise<string[]> {
  await openPage(page, world.page(tag({ mode, remember: 'none' }), { markup }))
  const launcher = await page.locator('button[part=launcher]').screenshot({ animations: 'disabled' })
  await page.locator('button[part=launcher]').click()
  await page.locator('dialog[open]').waitFor()
  await ask(page, 'When are keys rotated?')
  await page.mouse.move(2, 2)
  const panel = await page.locator('dialog').screenshot({ animations: 'disabled', caret: 'hide' })
  return [launcher, panel].map((bytes) => bytes.toString('base64'))
}

const HOSTILE_STYLES = {
  'everything unset and inherited': `* { all: unset !important } body { font: 31px/3 serif !important; color: red !important; letter-spacing: 4px !important;
    text-transform: uppercase !important; text-align: center !important; word-spacing: 9px !important; text-indent: 40px !important; white-space: pre !important }`,
  'everything said with !important': `* { color: red !important; font: 29px/2 fantasy !important; letter-spacing: 3px !important; text-transform: uppercase !important; visibility: hidden !important; transition: all 9s !important }
    citewell-widget { opacity: .2 !important; filter: blur(2px) !important; transform: rotate(3deg) !important; zoom: 2 !important }`,
  'elements by name': `button, dialog, textarea, form, input, a, p, div, span, svg, citewell-widget { display: none !important; position: static !important; width: 11px !important }
    dialog::backdrop { background: lime !important } :focus { outline: 9px solid lime !important }`,
  'a small root':
    'html { font-size: 4px } body { font-size: 2px; line-height: 1; direction: ltr; user-select: none; pointer-events: none }',
}

for (const [place, [what, css]] of Object.entries(HOSTILE_STYLES).entries())
  test(
    `style of the page, ${what}: the widget looks the same to a thousandth`,
    longUnless(place === 0),
    async () => {
      for (const mode of ['modal', 'sidebar']) {
        const usual = await picturesOf('', mode)
        const hostile = await picturesOf(`<style>${css}</style>`, mode)
        for (const [at, picture] of usual.entries())
          expect([mode, at, await differenceOf(page, picture, hostile[at] ?? '')]).toEqual([
            mode,
            at,
            expect.toSatisfy((part: number) => part <= 0.001),
          ])
      }
    },
  )

test('a page whose body is transformed: the modal panel stands where it does elsewhere', async () => {
  const place = async (markup: string) => {
    await openPage(page, world.page(tag(), { markup }))
    await page.keyboard.press('Control+k')
    await page.locator('dialog[open]').waitFor()
    return await page
      .locator('dialog')
      .evaluate((element) => element.getBoundingClientRect().toJSON() as object)
  }
  expect(
    await place(
      '<style>body { transform: translate(30px, 40px) scale(.8); overflow: hidden; height: 200px }</style>',
    ),
  ).toEqual(await place(''))
})

test('a site that replaces the body of its page and brings its tag again keeps the widget, its open panel and its scroll bar', async () => {
  const said = listenToPage(page)
  await openPanel(page, world.page(tag()))
  await ask(page, 'When are keys rotated?')
  await page.evaluate(`const tag = document.querySelector('script[data-client-key]'); tag.remove()
    const again = Object.assign(document.createElement('script'), { src: tag.src }); Object.assign(again.dataset, tag.dataset)
    const body = document.createElement('body'); body.innerHTML = '<h1>Another page</h1>'
    document.body.replaceWith(body); body.append(again)`)
  await expect.poll(() => said.filter((line) => line.includes('second tag')).length).toBe(1)
  expect(await page.locator('dialog[open] .turn').count()).toBe(1)
  await page.getByRole('button', { name: 'Close' }).click()
  expect(await page.evaluate('document.documentElement.style.overflow')).toBe('')
  await page.evaluate("document.body.innerHTML = ''")
  await page.locator('button[part=launcher]').click()
  await page.locator('dialog[open] .turn').waitFor()
})

test.each(['', ' sandbox="allow-scripts"', ' srcdoc'])(
  'in a frame%s of another site the widget answers, and its links are those of the page',
  async (more) => {
    const attributes = tag({ 'privacy-url': '/privacy', 'support-url': 'https://[' })
    const address = world.page(attributes)
    const script = Object.entries(attributes).map(([name, value]) => ` data-${name}='${value}'`)
    const markup = `<body><script src='${world.service.origin}/widget.js'${script.join('')} async></script>`
    const source = more === ' srcdoc' ? `srcdoc="${markup}"` : `src="${address}"${more}`
    world.pages.set(
      '/frames',
      `<!doctype html><title>t</title><iframe width="900" height="700" ${source}></iframe>`,
    )
    await page.goto(`${world.pages.origin.replace('127.0.0.1', 'localhost')}/frames`)
    const frame = page.frameLocator('iframe')
    await frame.locator('button[part=launcher]').click()
    await frame.locator('.composer textarea').fill('When?')
    await frame.locator('.composer textarea').press('Enter')
    await frame.locator('.turn .actions').waitFor()
    expect(
      await frame
        .locator('.footer a:not(.branding)')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual(['/privacy'])
  },
)

test('a page whose text cannot be selected, in front of everything: what the widget says can be selected, and is in front', async () => {
  const markup = `<style>* { user-select: none !important; -webkit-user-select: none !important } body { transform: scale(.9) }
    .cover { position: fixed; inset: 0; z-index: 2147483647; background: pink }</style><div class="cover"></div>`
  for (const mode of ['sidebar', 'bubble']) {
    await openPanel(page, world.page(tag({ mode, remember: 'none' }), { markup }))
    await ask(page, 'When?')
    await page.locator('.answer p').first().click({ clickCount: 3 })
    expect(await page.evaluate('getSelection().toString()')).toContain('Keys are rotated')
  }
})

test('the launcher makes room for the footer and for what the page marks, also where its script comes before them', async () => {
  const script = Object.entries(tag()).map(([name, value]) => ` data-${name}="${value}"`)
  for (const place of ['<footer>end</footer>', '<p data-citewell-avoid>end</p>']) {
    world.pages.set(
      '/long',
      `<!doctype html><html><head><script src="${world.service.origin}/widget.js"${script.join('')}></script></head>
      <body><div style="height:3000px"></div>${place}</body></html>`,
    )
    await openPage(page, `${world.pages.origin}/long`)
    const launcher = page.locator('button[part=launcher]')
    await launcher.waitFor()
    await page.evaluate('scrollTo(0, 9999)')
    await expect.poll(() => launcher.isVisible()).toBe(false)
    await page.evaluate('scrollTo(0, 0)')
    await expect.poll(() => launcher.isVisible()).toBe(true)
  }
})

test('a key that the page uses itself is its own, whenever it began to listen', async () => {
  await openPage(page, world.page(tag()))
  await page.evaluate(
    "addEventListener('keydown', (event) => event.key === 'k' && (event.preventDefault(), (globalThis.own = true)))",
  )
  await page.keyboard.press('Control+k')
  expect(await page.evaluate('own')).toBe(true)
  await page.keyboard.press('/')
  await page.locator('dialog[open] .search-field').waitFor()
  expect(await page.locator('dialog[open]').count()).toBe(1)
})

test(
  'back from the history cache: the page is as it was left, and answers; an answer that was being written can be asked again',
  { tags: ['long'] },
  async () => {
    // A whole Chromium, which takes four times as much of the processor: the other has no such cache. Playwright switches it off unless asked.
    await using whole = await openChromium({
      isWhole: true,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
    const kept = await whole.newPage(READER)
    const said = listenToPage(kept)
    await kept.addInitScript(
      "addEventListener('pageshow', ({ persisted }) => (globalThis.wasKept = persisted))",
    )
    const address = world.page(tag())
    await openPanel(kept, address)
    await ask(kept, 'When are keys rotated?')
    await kept.goto(world.page({}))
    await kept.goBack({ waitUntil: 'commit' })
    expect(await kept.evaluate('wasKept')).toBe(true)
    expect(await kept.locator('dialog[open] .turn').count()).toBe(1)
    await ask(kept, 'And then?')
    world.service.play(playChat(answerFrames('Word. '.repeat(400), {}, 20)))
    await kept.locator('.composer textarea').fill('A long one?')
    await kept.keyboard.press('Enter')
    await kept.locator('.turn').nth(2).locator('.answer').waitFor()
    await kept.goto(world.page({}))
    await kept.goBack({ waitUntil: 'commit' })
    await kept.locator('button[part=launcher]').waitFor({ state: 'attached' })
    if ((await kept.locator('dialog[open]').count()) === 0)
      await kept.locator('button[part=launcher]').click()
    // Kept or loaded anew: nothing waits for an answer that does not come.
    await expect
      .poll(async () => await kept.getByRole('log').getAttribute('aria-busy'), { timeout: 20_000 })
      .toBe('false')
    world.service.play(playChat(answerFrames('Keys are rotated [1].')))
    await ask(kept, 'Again?')
    expect(said.filter((line) => line.includes('pageerror') || line.includes('TypeError'))).toEqual([])
  },
)

test('a reload in the middle of an answer brings the question back, to be asked again', async () => {
  world.service.play(playChat(answerFrames('Word. '.repeat(300), {}, 30)))
  await openPanel(page, world.page(tag()))
  await page.locator('.composer textarea').fill('When are keys rotated?')
  await page.keyboard.press('Enter')
  await page.locator('.turn').locator('.answer').waitFor()
  await page.reload()
  await page.locator('button[part=launcher]').click()
  await page.locator('.turn').locator('.stopped').waitFor()
  world.service.play(undefined)
  await page.getByRole('button', { name: 'Ask again' }).click()
  await page.locator('.turn').locator('.actions').waitFor()
  expect(await page.locator('.question').allInnerTexts()).toEqual(['When are keys rotated?'])
})

test('two tabs have a conversation each', { tags: ['long'] }, async () => {
  const address = world.page(tag())
  const other = await context.newPage()
  await openPanel(page, address)
  await openPanel(other, address)
  await ask(page, 'First tab?')
  await ask(other, 'Second tab?')
  await page.reload()
  await page.locator('button[part=launcher]').click()
  await page.locator('.turn').waitFor()
  expect(await page.locator('.question').allInnerTexts()).toEqual(['First tab?'])
  expect(await other.locator('.question').allInnerTexts()).toEqual(['Second tab?'])
})

/** How many listeners an object of the page has, by type. */
async function listenersOf(session: CDPSession, object: string): Promise<string[]> {
  const { result } = await session.send('Runtime.evaluate', { expression: object })
  const { listeners } = await session.send('DOMDebugger.getEventListeners', {
    objectId: result.objectId ?? '',
  })
  return listeners.map(({ type }) => type).toSorted()
}

test('destroy() leaves no listener on the page, and none is added twice by a widget that comes again', async () => {
  const session = await context.newCDPSession(page)
  const listeners = async () => [await listenersOf(session, 'document'), await listenersOf(session, 'window')]
  const address = world.page(tag({ selection: 'true', mode: 'sidebar' }))
  await openPanel(page, address)
  await ask(page, 'When are keys rotated?')
  const used = await listeners()
  await page.evaluate('Citewell.destroy()')
  const [ofDocument, ofWindow] = await listeners()
  expect(ofDocument).toEqual([])
  // The wait for the page's load is over; it keeps its one listener.
  expect(ofWindow?.filter((type) => type !== 'load')).toEqual([])
  expect(used.flat().length).toBeGreaterThan(5)
})

test(
  'a service that is down when the page loads: nothing is to be seen, and the widget comes by itself when it is back',
  { tags: ['long'] },
  async () => {
    const said = listenToPage(page)
    let isDown = true
    await page.route(
      '**/api/v1/public/**',
      async (route) => await (isDown ? route.abort('connectionrefused') : route.continue()),
    )
    await page.goto(world.page(tag()))
    await page.waitForTimeout(2_000)
    expect(await page.locator('citewell-widget').count()).toBe(0)
    isDown = false
    await page.locator('button[part=launcher]').waitFor({ timeout: 30_000 })
    expect(said.filter((line) => /citewell/i.test(line))).toEqual([])
  },
)
