import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { longUnless } from '@citewell/spec/long-unless'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { listenToPage, openPanel } from './open-browser.ts'
import { differenceOf } from './picture-difference.ts'
import { startWidgetWorld, type WidgetWorld } from './widget-world.ts'

/** Pages as five generators make them, with the parts of their styles and scripts that could meet the widget. */
const SITES = ['docusaurus', 'vitepress', 'mkdocs-material', 'sphinx', 'plain'] as const

const read = (file: string) => readFileSync(join(import.meta.dirname, 'fixtures', file), 'utf8')

let world: WidgetWorld
let browser: Browser

beforeAll(async () => {
  world = await startWidgetWorld()
  browser = await openChromium()
  const { origin } = world.service
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    `connect-src ${origin}`,
    "style-src 'self'",
    'img-src data:',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const tag = `<script async src="${origin}/widget.js" data-knowledge-base-id="${world.base.id}" data-theme="page"></script>`
  for (const site of SITES) {
    world.pages.set(`/${site}`, read(`${site}.html`).replace('{{tag}}', tag), {
      'content-security-policy': policy,
    })
    world.pages.set(`/${site}.js`, read(`${site}.js`), { 'content-type': 'text/javascript' })
    if (site !== 'plain') world.pages.set(`/${site}.css`, read(`${site}.css`), { 'content-type': 'text/css' })
  }
}, 120_000)
afterAll(async () => {
  await browser.close()
  await world.stop()
})

/** What a reader sees of the launcher and the panel, as the browser has computed it. */
const looksOf = (page: Page) =>
  page.evaluate(() => {
    const roots: ShadowRoot[] = []
    const collect = (of: ParentNode) => {
      for (const element of of.querySelectorAll('*')) {
        if (element.shadowRoot === null) continue
        roots.push(element.shadowRoot)
        collect(element.shadowRoot)
      }
    }
    collect(document)
    const told = (element: Element) => {
      const { font, letterSpacing, textTransform, padding, borderRadius, width, height } =
        getComputedStyle(element)
      return {
        tag: element.tagName,
        font,
        letterSpacing,
        textTransform,
        padding,
        borderRadius,
        width,
        height,
      }
    }
    return roots.flatMap((root) =>
      [...root.querySelectorAll('button, textarea, dialog, h1, h2, ul')]
        .filter((element) => element.getClientRects().length > 0)
        .map(told),
    )
  })

/** A picture of the panel, in the theme that all pages can have. */
async function pictureOf(page: Page): Promise<string> {
  await page.evaluate("Citewell.update({ theme: 'light' })")
  await page.locator('citewell-widget[data-theme=light]').waitFor({ state: 'attached' })
  const picture = await page.locator('dialog').screenshot({ animations: 'disabled', caret: 'hide' })
  return picture.toString('base64')
}

/** The widget on a page without any style, which the others are compared with. */
async function openOn(site: (typeof SITES)[number]): Promise<{ page: Page; said: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const said = listenToPage(page)
  await openPanel(page, `${world.pages.origin}/${site}`)
  await page.locator('.suggested button').nth(1).waitFor()
  return { page, said }
}

for (const [at, site] of SITES.entries())
  test(
    `on a page of ${site} the widget looks and works as on a page without styles`,
    longUnless(at === 0),
    async () => {
      const plain = await openOn('plain')
      const expected = await looksOf(plain.page)
      const expectedPicture = await pictureOf(plain.page)
      const { page, said } = await openOn(site)

      expect(expected.length).toBeGreaterThan(4)
      expect(await looksOf(page)).toEqual(expected)
      // Behind the corners is the page.
      expect(await differenceOf(plain.page, expectedPicture, await pictureOf(page))).toBeLessThanOrEqual(
        0.001,
      )
      await plain.page.close()
      // The page's own shortcuts hear nothing of what is typed into the widget.
      const composer = page.locator('.composer textarea')
      await composer.pressSequentially('f s n p /keys')
      expect(await composer.inputValue()).toBe('f s n p /keys')
      expect(await page.evaluate(() => (window as unknown as { heardKeys: string[] }).heardKeys)).toEqual([])
      await composer.fill('How often are keys rotated?')
      await composer.press('Enter')
      await page.locator('.turn').getByText('every day at midnight').first().waitFor()
      expect(said).toEqual([])
      await page.close()
    },
  )

test('the page keeps its own keys while the widget is closed', async () => {
  const page = await browser.newPage()
  await page.goto(`${world.pages.origin}/docusaurus`)
  await page.locator('citewell-widget button[part=launcher]').first().waitFor()
  await page.locator('label input').press('/')

  expect(await page.locator('label input').inputValue()).toBe('/')
  expect(await page.locator('dialog[open]').count()).toBe(0)
  await page.close()
})

test('the theme follows the page, also where its class changes later', async () => {
  const page = await browser.newPage({ colorScheme: 'light' })
  const isDark = () =>
    page.locator('dialog[open]').evaluate((dialog) => {
      const [red = 255] = (getComputedStyle(dialog).backgroundColor.match(/[\d.]+/g) ?? []).map(Number)
      return red < 100
    })
  await openPanel(page, `${world.pages.origin}/vitepress`)
  expect(await isDark()).toBe(true)
  await page.evaluate(() => document.documentElement.classList.remove('dark'))
  await expect.poll(isDark).toBe(false)
  await page.close()
})
