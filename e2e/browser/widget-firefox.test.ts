import { existsSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWidgetWorld, type WidgetWorld } from './widget-world.ts'

const FIREFOX = '/usr/bin/firefox-esr'

const inPanel = (selector: string) => `citewell-widget >>> ${selector}`

let world: WidgetWorld
let browser: Browser

beforeAll(async () => {
  if (!existsSync(FIREFOX)) return
  ;[world, browser] = await Promise.all([
    startWidgetWorld(),
    puppeteer.launch({
      browser: 'firefox',
      executablePath: FIREFOX,
      headless: true,
      protocol: 'webDriverBiDi',
    }),
  ])
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

// First: afterwards the panel is in the browser's cache.
test.skipIf(!existsSync(FIREFOX))(
  'in Firefox, which asks no second time for a script that failed: a panel that could not be fetched comes at the next press',
  async () => {
    let isDown = true
    world.service.play((request, response) => {
      if (!isDown || request.url?.includes('/panel-') !== true) return false
      response.writeHead(503, { 'access-control-allow-origin': '*' }).end()
      return true
    })
    const page = await browser.newPage()
    await page.goto(
      world.page({ 'knowledge-base-id': world.base.id, 'client-key': world.base.client_key.key }),
    )
    const launcher = inPanel('button[part=launcher]')
    await page.waitForSelector(launcher)
    await (await page.$(launcher))?.click()
    await page.waitForSelector(inPanel('button[data-wait=failed]'))
    isDown = false
    await (await page.$(launcher))?.click()
    expect(await page.waitForSelector(inPanel('dialog[open]'))).not.toBe(null)
  },
)

test.skipIf(!existsSync(FIREFOX))(
  'in Firefox, under the strictest policy: opens by the shortcut, answers with citations, searches, closes',
  async () => {
    const { origin } = world.service
    const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; style-src 'none'; img-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
    const address = world.page(
      { 'knowledge-base-id': world.base.id, language: 'de' },
      { headers: { 'content-security-policy': policy } },
    )
    const page = await browser.newPage()
    const said: string[] = []
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()))
    page.on('pageerror', (fault) => said.push(String(fault)))
    await page.goto(address)
    await page.waitForSelector(inPanel('button[part=launcher]'))
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await page.waitForSelector(inPanel('dialog[open] .suggested li'))
    await page.keyboard.type('When are keys rotated?')
    await page.keyboard.press('Enter')
    await page.waitForSelector(inPanel('.actions'), { timeout: 60_000 })
    const read = async (selector: string) =>
      await page.$eval(inPanel(selector), (element) => (element as { textContent?: string }).textContent)
    expect(await read('.answer')).toContain('Keys are rotated every day at midnight, UTC.')
    expect(await read('.small-head')).toBe('Quellen')
    await (await page.$(inPanel('[data-tab=search]')))?.click()
    await page.keyboard.type('rotate')
    await page.waitForSelector(inPanel('.result + .result'))
    await page.keyboard.press('Escape')
    await page.waitForFunction(
      "![...document.querySelectorAll('citewell-widget')].some((host) => host.shadowRoot.querySelector('dialog[open]'))",
    )
    expect(said.filter((line) => !/documentation-page\.css|favicon/.test(line))).toEqual([])
  },
)
