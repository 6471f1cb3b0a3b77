import { longUnless } from '@citewell/spec/long-unless'
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
  cleanPage = keepPage(browser, { viewport: { width: 1_280, height: 800 } })
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})
beforeEach(async () => {
  page = await cleanPage()
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
/** A style that the browser computed for an element inside the widget, when it does not change any more. */
const styleOf = async (selector: string, name: string) =>
  await page.locator(selector).evaluate(async (element, property) => {
    await Promise.all(element.getAnimations().map(async ({ finished }) => await finished))
    return getComputedStyle(element).getPropertyValue(property)
  }, name)

/** Contrast of two colours that the browser computed, by WCAG. */
const contrastOf = async (one: string, other: string) =>
  await page.evaluate(
    ([a, b]) => {
      const luminance = (colour: string) => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d')
        if (canvas === null) throw new Error('no canvas')
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
        const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
          const part = value / 255
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
      return (light + 0.05) / (dark + 0.05)
    },
    [one, other] as const,
  )

/** Hue of a colour that the browser computed, and how far it is from grey (0 to about 0.3), in OKLCH. */
const hueOf = async (colour: string) =>
  await page.evaluate((value) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = `oklch(from ${value} l c h)`
    const [, chroma = 0, hue = 0] = (/\((.+)\)/.exec(getComputedStyle(probe).color)?.[1] ?? '')
      .split(' ')
      .map(Number)
    probe.remove()
    return { chroma, hue }
  }, colour)

for (const accent of ['#ffd500', '#ffe066', '#202020', '#c2185b', 'hsl(280 90% 50%)']) {
  test(
    `accent ${accent} colours the panel, and can be read as text and as a ground, in light and dark`,
    longUnless(['#ffd500', '#202020'].includes(accent)),
    async () => {
      for (const theme of ['light', 'dark']) {
        world.service.play(playChat(answerFrames('Daily [1].')))
        const address = world.page(tag({ accent, theme, remember: 'none' }))
        // Of the launcher, before anything but the script has come.
        await openPage(page, address)
        const part = 'button[part=launcher]'
        expect(
          await contrastOf(await styleOf(part, 'color'), await styleOf(part, 'background-color')),
        ).toBeGreaterThanOrEqual(4.5)
        await openPanel(page, address)
        await ask(page, 'When?')
        await page.locator('.composer textarea').fill('x')
        const [text, ground] = [await styleOf('.chip', 'color'), await styleOf('dialog', 'background-color')]
        const [ink, button] = [await styleOf('.send', 'color'), await styleOf('.send', 'background-color')]
        const ring = await styleOf('.composer', 'border-top-color')
        expect(await contrastOf(text, ground)).toBeGreaterThanOrEqual(4.4)
        expect(await contrastOf(ring, ground)).toBeGreaterThanOrEqual(4.4)
        expect(await contrastOf(ink, button)).toBeGreaterThanOrEqual(4.5)
        // Darker or lighter than the page has said it, and of the same hue; what has none stays grey.
        const wanted = await hueOf(accent)
        for (const colour of [text, button, ring]) {
          const { chroma, hue } = await hueOf(colour)
          const turned = Math.abs(((hue - wanted.hue + 540) % 360) - 180)
          expect([theme, colour, chroma > 0.02, wanted.chroma > 0.02 ? turned < 20 : true]).toEqual([
            theme,
            colour,
            wanted.chroma > 0.02,
            true,
          ])
        }
      }
    },
  )
}

test('accent in a panel of the page: it has the colour, and the default one where it is none', async () => {
  const embedded = { mode: 'embedded', launcher: 'none', theme: 'light' }
  const markup = '<citewell-ask></citewell-ask>'
  for (const [accent, shown] of [
    ['#c2185b', 'rgb(194, 24, 91)'],
    ['bluish', 'rgb(11, 110, 105)'],
  ] as const) {
    await openPage(page, world.page(tag({ ...embedded, accent }), { markup }))
    await page.locator('.embedded textarea').fill('x')
    await expect.poll(async () => await styleOf('.embedded .send', 'background-color')).toBe(shown)
  }
})
