import { longUnless } from '@citewell/spec/long-unless'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { ask, openPanel } from './open-browser.ts'
import { faultsOf } from './page-faults.ts'
import {
  answerFrames,
  CITATION,
  playChat,
  playRefusal,
  startWidgetWorld,
  type WidgetWorld,
} from './widget-world.ts'

let world: WidgetWorld
let browser: Browser

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startWidgetWorld(), openChromium()])
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})

const TEXT =
  '## First\n\nKeys are **rotated** every day [1].\n\n#### Deeper\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```sh\nacme keys rotate\n```\n\n> Quoted\n\n1. one\n2. two'

/** Words of the widget that are cut off, and buttons that stand outside of its panel. Where dots stand for the rest, it is meant. */
async function clippedOf(page: Page): Promise<string[]> {
  return await page.evaluate(`[...document.querySelectorAll('citewell-widget')].flatMap(({ shadowRoot }) => {
    const panel = shadowRoot.querySelector('dialog[open]')?.getBoundingClientRect()
    return [...shadowRoot.querySelectorAll('dialog[open] :is(button, a, p, span, h2, h3, h4, summary, li, th, td)')].filter((element) => {
      const { overflow, textOverflow, clipPath, webkitLineClamp, overflowX } = getComputedStyle(element)
      const { left, right, width } = element.getBoundingClientRect()
      const isMeant = textOverflow === 'ellipsis' || clipPath !== 'none' || webkitLineClamp !== 'none' || overflowX === 'auto'
      const isCut = overflow !== 'visible' && !isMeant && element.scrollWidth > element.clientWidth + 1
      const isOutside = element.matches('button') && width > 0 && (left < panel.left - 1 || right > panel.right + 1)
      return isCut || isOutside || (element.matches('h2') && width < 40)
    }).map((element) => 'clipped: ' + element.className + ' ' + element.textContent.slice(0, 40))
  })`)
}

/** Brings a page from state to state, and tells of each. */
async function* walk(page: Page, address: string): AsyncGenerator<string> {
  await openPanel(page, address)
  await page.locator('.suggested li').first().waitFor()
  yield 'empty'
  world.service.play(playChat(answerFrames(TEXT)))
  await ask(page, 'When?')
  await page.locator('.answer .table').waitFor()
  yield 'answered'
  await page.locator('.actions [aria-pressed]').nth(1).click()
  await page.locator('.comment').waitFor()
  yield 'rated'
  await page.locator('.chip').first().hover()
  await page.locator('.card').waitFor()
  yield 'card'
  await page.mouse.move(0, 0)
  world.service.play(playChat([{ citations: [CITATION], done: false }, { delta: TEXT, done: false }, 60_000]))
  await page.locator('.composer textarea').fill('And when else?')
  await page.keyboard.press('Enter')
  await page.locator('.turn').nth(1).locator('.answer .table').waitFor()
  yield 'writing'
  await page.locator('.composer .send').click()
  await page.locator('.stopped').waitFor()
  world.service.play(
    playChat([
      { citations: [CITATION], done: false },
      { done: true, citations: [], covered: false, confidence: 0.1 },
    ]),
  )
  await ask(page, 'Cake?')
  yield 'stopped, not covered'
  world.service.play(playRefusal(403, { error: 'x', code: 'QUOTA_EXCEEDED' }))
  await ask(page, 'More?')
  await page.locator('.failure summary').click()
  await page.context().setOffline(true)
  await page.locator('.offline').waitFor()
  yield 'failed, offline'
  await page.context().setOffline(false)
  await page.locator('.menu-frame button').first().click()
  await page.locator('.menu').waitFor()
  yield 'menu'
  await page.keyboard.press('Escape')
  await page.locator('[data-tab=search]').click()
  await page.locator('.search-field input').fill('keys')
  await page.locator('.result').nth(1).waitFor()
  await page.locator('.search-field input').press('ArrowDown')
  yield 'search'
}

// Every two values meet: each width, theme, language and mode is seen with each of the others. A sidebar is as narrow as a phone.
const LOOKS = [
  { width: 360, theme: 'dark', language: 'ar', mode: 'sidebar' },
  { width: 1_280, theme: 'light', language: 'de', mode: 'modal' },
  { width: 360, theme: 'light', language: 'en', mode: 'modal' },
  { width: 1_280, theme: 'dark', language: 'en', mode: 'sidebar' },
  { width: 360, theme: 'dark', language: 'de', mode: 'modal' },
  { width: 1_280, theme: 'light', language: 'ar', mode: 'sidebar' },
] as const

// The first two are one of each width, theme and mode.
for (const [at, { width, theme, language, mode }] of LOOKS.entries())
  test(
    `axe finds nothing in any state, and no word is cut off: ${width} px, ${theme}, ${language}, ${mode}`,
    longUnless(at < 2),
    async () => {
      const page = await browser.newPage({
        viewport: { width, height: 740 },
        colorScheme: theme,
        reducedMotion: 'reduce',
      })
      await page.route('**/widget-config', async (route) => {
        const answer = await route.fetch()
        const mcp = {
          mcp_available: true,
          mcp_url: 'https://answers.example.com/mcp/acme-docs',
          mcp_oauth: true,
        }
        await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...mcp } })
      })
      // The service does not know the answers that are played, so it would refuse their ratings, sooner or later.
      await page.route('**/feedback', async (route) => await route.fulfill({ json: { rating: 'down' } }))
      const address = world.page({
        'knowledge-base-id': world.base.id,
        'client-key': world.base.client_key.key,
        language,
        mode,
        disclaimer: 'Answers may be wrong.',
        'support-url': 'https://help.example.com/',
      })
      const faults: string[] = []
      for await (const state of walk(page, address))
        faults.push(
          ...[...(await faultsOf(page, 'citewell-widget')), ...(await clippedOf(page))].map(
            (fault) => `${state}: ${fault}`,
          ),
        )
      await page.close()
      world.service.play(undefined)
      expect(faults).toEqual([])
    },
  )

test(
  'a streamed answer is heard in whole sentences, with a pause between them, and its end with the number of sources',
  { tags: ['long'] },
  async () => {
    const page = await browser.newPage()
    const text = 'Keys are rotated every day at midnight [1]. '.repeat(30)
    world.service.play(playChat([...answerFrames(text, {}, 60)]))
    await openPanel(
      page,
      world.page({ 'knowledge-base-id': world.base.id, 'client-key': world.base.client_key.key }),
    )
    await page.evaluate(`globalThis.heard = []; new MutationObserver(() => heard.push([performance.now(), region.textContent]))
    .observe(globalThis.region = document.querySelectorAll('citewell-widget')[1].shadowRoot.querySelector('dialog > [role=status]'), { childList: true, characterData: true, subtree: true })`)
    await ask(page, 'When?')
    const isEnd = "heard.at(-1)[1].includes('The answer is complete, with 1 source.')"
    await page.waitForFunction(isEnd)
    const heard = (await page.evaluate<[number, string][]>('heard')).filter(([, words]) => words !== '')
    const sentences = heard.filter(([, words]) => words.includes('midnight'))
    expect(sentences.length).toBeGreaterThan(1)
    for (const [, words] of sentences)
      expect(words).toMatch(
        /^(Keys are rotated every day at midnight\.? ?)+(The answer is complete, with 1 source\.)?$/,
      )
    for (const [at, [time]] of heard.slice(1).entries())
      expect(time - (heard[at]?.[0] ?? 0)).toBeGreaterThan(1_900)
    await page.close()
  },
)
