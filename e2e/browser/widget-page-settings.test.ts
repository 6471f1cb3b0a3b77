import { longUnless } from '@citewell/spec/long-unless'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { keepPage } from './kept-page.ts'
import { ask, listenToPage, openPage, openPanel } from './open-browser.ts'
import { answerFrames, CITATION, playChat, startWidgetWorld, type WidgetWorld } from './widget-world.ts'

/** What pages, readers and their systems set: direction, zoom, media, `<base>`, service workers, and tags that come and go. */

const ANSWER = playChat(answerFrames('Keys are **rotated** [1].\n\n```sh\nacme keys rotate\n```'))

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
  world.service.play(ANSWER)
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
const boxOf = async (selector: string) => (await page.locator(selector).boundingBox()) ?? { x: -1, width: 0 }

for (const [direction, language, reads] of [
  ['rtl', 'en', 'ltr'],
  ['rtl', 'ar', 'rtl'],
  ['ltr', 'he', 'rtl'],
] as const) {
  test(
    `on a page from ${direction}, a widget in ${language} stands at the end of the page, and reads from ${reads}`,
    longUnless(language === 'ar'),
    async () => {
      const markup = `<script>document.documentElement.dir = '${direction}'</script>`
      for (const mode of ['sidebar', 'bubble']) {
        await openPanel(page, world.page(tag({ language, mode, remember: 'none' }), { markup }))
        const atEnd = ({ x, width }: { x: number; width: number }) =>
          direction === 'rtl' ? x < 640 : x + width > 640
        expect([mode, atEnd(await boxOf('button[part=launcher]')), atEnd(await boxOf('dialog'))]).toEqual([
          mode,
          true,
          true,
        ])
        // The panel may be drawn before its language has come.
        await expect
          .poll(() => page.locator('.frame').evaluate((frame) => getComputedStyle(frame).direction))
          .toBe(reads)
      }
      await ask(page, 'When?')
      // Code is written from left to right everywhere.
      expect(await page.locator('.code').evaluate((code) => getComputedStyle(code).direction)).toBe('ltr')
    },
  )
}

test('a finger that chooses a question calls no keyboard over its answer', async () => {
  await context.close()
  context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true })
  page = await context.newPage()
  await openPage(page, world.page(tag()))
  await launcher().tap()
  await page.locator('.suggested button').first().tap()
  await page.locator('.turn .actions').waitFor()
  // A field that has the focus brings the keyboard.
  expect(await page.locator('.composer textarea').evaluate((field) => field.matches(':focus'))).toBe(false)
  expect(await page.locator('.thread').evaluate((thread) => thread.matches(':focus'))).toBe(true)
})

for (const [zoom, width, height] of [
  ['200 %', 640, 400],
  ['400 %', 320, 256],
] as const)
  test(
    `at a zoom of ${zoom} one may read and write, and nothing needs to be moved sideways`,
    longUnless(zoom === '400 %'),
    async () => {
      await page.setViewportSize({ width, height })
      for (const mode of ['modal', 'bubble']) {
        await openPanel(page, world.page(tag({ mode, remember: 'none' })))
        world.service.play(ANSWER)
        await ask(page, 'When are keys rotated?')
        const composer = await page.locator('.composer textarea').boundingBox()
        const thread = await page.locator('.thread').boundingBox()
        expect([mode, (composer?.y ?? 999) + (composer?.height ?? 999)]).toEqual([
          mode,
          expect.toSatisfy((bottom: number) => bottom <= height),
        ])
        // At least two lines of the answer.
        expect([mode, thread?.height]).toEqual([mode, expect.toSatisfy((free: number) => free >= 48)])
        // Words that are longer than a line are broken, also in passages that are shown for want of an answer.
        const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
        const found = { ...CITATION, title: long, excerpt: long, heading_path: [long] }
        world.service.play(
          playChat([
            { citations: [found], done: false },
            { done: true, citations: [], covered: false, confidence: 0.1 },
          ]),
        )
        await ask(page, long)
        expect([
          mode,
          await page.evaluate(`[...document.querySelectorAll('citewell-widget')].flatMap(({ shadowRoot }) =>
        [...shadowRoot.querySelectorAll('dialog[open], dialog[open] :is(.frame, .thread, .question, .page-title, .passages blockquote)')])
        .filter((element) => element.scrollWidth > element.clientWidth).map(({ className }) => className)`),
        ]).toEqual([mode, []])
      }
    },
  )

test('who wants less motion sees none', { tags: ['long'] }, async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  world.service.play(playChat([{ citations: [], done: false }, 30_000]))
  await openPanel(page, world.page(tag({ mode: 'sidebar' })))
  await page.locator('.composer textarea').fill('When?')
  await page.keyboard.press('Enter')
  await page.locator('.status[data-shown=true]').waitFor()
  const animations =
    await page.evaluate(`[...document.querySelectorAll('citewell-widget')].flatMap(({ shadowRoot }) =>
    [...shadowRoot.querySelectorAll('*')].map((element) => getComputedStyle(element).animationName))`)
  expect(new Set(animations as string[])).toEqual(new Set(['none']))
})

test('in forced colours, buttons have edges, and what is chosen or focused can be told apart', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page, world.page(tag()))
  const looks = async (selector: string) =>
    await page.locator(selector).evaluate((element) => {
      const { borderTopColor, borderTopWidth, borderTopStyle, backgroundColor, outlineStyle, outlineWidth } =
        getComputedStyle(element)
      return {
        edge: borderTopStyle !== 'none' && borderTopWidth !== '0px' && borderTopColor !== backgroundColor,
        ring: outlineStyle !== 'none' && outlineWidth !== '0px',
        ground: backgroundColor,
      }
    })
  expect((await looks('button[part=launcher]')).edge).toBe(true)
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open]').waitFor()
  expect((await looks('dialog')).edge).toBe(true)
  await page.keyboard.press('Shift+Tab')
  expect((await looks(':focus-visible')).ring).toBe(true)
  const [chosen, other] = [await looks('[role=tab][aria-selected=true]'), await looks('[data-tab=search]')]
  expect(chosen).not.toEqual(other)
  await page.locator('[data-tab=search]').click()
  await page.locator('.search-field input').fill('keys')
  await page.locator('.result').nth(1).waitFor()
  await page.locator('.search-field input').press('ArrowDown')
  expect(await looks('.result[aria-selected=true]')).not.toEqual(
    await looks('.result[aria-selected=false] >> nth=0'),
  )
})

test('on paper there is no widget, open or closed', { tags: ['long'] }, async () => {
  for (const mode of ['modal', 'sidebar', 'embedded']) {
    await openPanel(page, world.page(tag({ mode, selection: 'true' })))
    await page.emulateMedia({ media: 'print' })
    expect([
      mode,
      await page.evaluate(`[...document.querySelectorAll('citewell-widget')].flatMap(({ shadowRoot }) =>
        [...shadowRoot.querySelectorAll('*')].filter((element) => element.checkVisibility() && element.getClientRects().length > 0)
          .map(({ localName, className }) => localName + '.' + className))`),
    ]).toEqual([mode, []])
    await page.emulateMedia({ media: 'screen' })
  }
})

test('on a page with <base href>, one that extends what every object has, and a tag that comes late, it answers', async () => {
  world.pages.set(
    '/base',
    `<!doctype html><html lang="en"><head><base href="https://elsewhere.example/deep/"><title>t</title>
     <script>Object.prototype.ours = function () {}; Array.prototype.ours = function () {}</script></head><body><h1>Page</h1></body></html>`,
  )
  await page.goto(`${world.pages.origin}/base`, { waitUntil: 'load' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).origin))
  await page.evaluate(
    ([src = '', knowledgeBaseId = '', clientKey = '']) => {
      const script = Object.assign(document.createElement('script'), { src })
      Object.assign(script.dataset, { knowledgeBaseId, clientKey, accent: '#804000', language: 'de' })
      document.head.append(script)
    },
    [`${world.service.origin}/widget.js`, world.base.id, world.base.client_key.key],
  )
  await launcher().click()
  await ask(page, 'When?')
  expect(new Set(asked)).toEqual(new Set([world.service.origin]))
  expect(said).toEqual([])
})

test(
  'where a service worker of the page answers every request, the widget loads, checks its files, and streams',
  { tags: ['long'] },
  async () => {
    world.pages.set(
      '/worker.js',
      `addEventListener('install', () => skipWaiting())
     addEventListener('activate', (event) => event.waitUntil(clients.claim()))
     addEventListener('fetch', (event) => event.respondWith(caches.open('all').then(async (cache) => {
       const kept = await cache.match(event.request)
       if (kept) return kept
       const answer = await fetch(event.request)
       if (event.request.method === 'GET') await cache.put(event.request, answer.clone())
       return answer
     })))`,
      { 'content-type': 'text/javascript' },
    )
    const address = world.page(tag())
    await page.goto(address)
    await page.evaluate(
      "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)",
    )
    for (const _ of ['from the network', 'from its cache']) {
      await openPanel(page, address)
      expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
      world.service.play(playChat(answerFrames('Keys are rotated. '.repeat(30), {}, 15)))
      await page.locator('.composer textarea').fill('When?')
      await page.keyboard.press('Enter')
      // It is written while it comes.
      await page.getByRole('button', { name: 'Stop' }).waitFor()
      await page.locator('.turn').last().locator('.answer').waitFor()
      expect(await page.getByRole('log').getAttribute('aria-busy')).toBe('true')
      await page.locator('.turn').last().locator('.actions').waitFor()
      await page.evaluate('Citewell.reset()')
    }
    expect(said).toEqual([])
  },
)

test(
  'a tag that is taken off with its widget and put back, again and again, leaves one widget that works',
  { tags: ['long'] },
  async () => {
    await openPanel(page, world.page(tag({ mode: 'sidebar', remember: 'none' })))
    for (let round = 0; round < 3; round++) {
      await page.evaluate(
        `Citewell.destroy(); { const tag = document.querySelector('script[data-client-key]'); tag.remove()
      const again = Object.assign(document.createElement('script'), { src: tag.src }); Object.assign(again.dataset, tag.dataset); document.body.append(again) }`,
      )
      await launcher().click()
      await page.locator('dialog[open] .composer').waitFor()
    }
    expect(await launcher().count()).toBe(1)
    expect(await page.locator('citewell-widget').count()).toBe(2)
    await ask(page, 'When?')
    await page.keyboard.press('Escape')
    expect(await page.locator('dialog[open]').count()).toBe(0)
    expect(said).toEqual([])
  },
)

test(
  'a view transition to another page of the site keeps the open panel and what it says',
  { tags: ['long'] },
  async () => {
    await openPanel(page, world.page(tag({ mode: 'sidebar' })))
    await ask(page, 'When?')
    await page.evaluate(`(async () => {
    const transition = document.startViewTransition(() => {
      const body = document.createElement('body'); body.append('Another page'); document.body.replaceWith(body)
      // What a router does: the attributes of the new page, and no others.
      for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name)
      history.pushState({}, '', '/another')
    })
    await transition.finished
  })()`)
    expect(await page.locator('dialog[open] .turn').count()).toBe(1)
    await ask(page, 'And then?')
    expect(await page.locator('.turn').count()).toBe(2)
    await page.getByRole('button', { name: 'Close' }).click()
    await launcher().click()
    await page.locator('dialog[open] .turn').first().waitFor()
    expect(said).toEqual([])
  },
)
