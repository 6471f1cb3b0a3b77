import { existsSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTicketDesk, type TicketDesk } from './ticket-desk.ts'
import { startWidgetWorld, type WidgetWorld } from './widget-world.ts'

/** The widget and the support form: one launch of Firefox takes as long as all they do in it. */

const FIREFOX = '/usr/bin/firefox-esr'

const inPanel = (selector: string) => `citewell-widget >>> ${selector}`

let world: WidgetWorld
let browser: Browser
let desk: TicketDesk

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
  desk = await openTicketDesk(world.service.origin)
})
afterAll(async () => {
  await browser?.close()
  await desk?.[Symbol.asyncDispose]()
  await world?.stop()
})

// First: afterwards the panel is in the browser's cache.
test.skipIf(!existsSync(FIREFOX))(
  'in Firefox, which asks no second time for a script that failed: a panel that could not be fetched comes at the next press',
  { timeout: 120_000, tags: ['long'] },
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
  { timeout: 120_000, tags: ['long'] },
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
    await (await page.waitForSelector(inPanel('.search-field input')))?.type('rotate')
    await page.waitForSelector(inPanel('.result + .result'))
    await page.keyboard.press('Escape')
    await page.waitForFunction(
      "![...document.querySelectorAll('citewell-widget')].some((host) => host.shadowRoot.querySelector('dialog[open]'))",
    )
    expect(said.filter((line) => !/documentation-page\.css|favicon/.test(line))).toEqual([])
  },
)

const form = () => `<!doctype html><html lang="en"><title>Support</title><link rel="icon" href="data:,">
  <script type="module" src="${world.service.origin}/widget/form.js"></script>
  <form id="ticket" method="post" action="/tickets"><textarea name="description"></textarea><input name="transcript" type="hidden"><button name="action" value="open">Send</button></form>
  <citewell-form for="#ticket" body="[name=description]" transcript="[name=transcript]" knowledge-base-id="${world.base.id}"></citewell-form></html>`

test.skipIf(!existsSync(FIREFOX))(
  'in Firefox, under the strictest policy: an answer is offered; what is sent all the same is sent once, with its button and transcript',
  { timeout: 120_000, tags: ['long'] },
  async () => {
    desk.page = form()
    const page = await browser.newPage()
    const said: string[] = []
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()))
    page.on('pageerror', (fault) => said.push(String(fault)))
    await page.goto(desk.origin)
    await page.waitForFunction("customElements.get('citewell-form') !== undefined")
    await page.type('textarea', 'How often are the keys rotated, and at which time?')
    await page.click('#ticket button')
    await page.waitForSelector('citewell-form >>> .card .answer', { timeout: 60_000 })
    const answer = await page.$eval(
      'citewell-form >>> .answer',
      (element) => (element as { textContent?: string }).textContent,
    )
    expect(answer).toContain('Keys are rotated every day at midnight')
    expect(desk.tickets).toEqual([])
    const [, send] = await page.$$('citewell-form >>> .buttons button')
    await send?.click()
    await page.waitForFunction("document.title === 'Thanks'")
    expect(desk.tickets).toHaveLength(1)
    expect(desk.tickets[0]?.get('action')).toBe('open')
    expect(desk.tickets[0]?.get('transcript')).toContain('every day at midnight')
    expect(said.filter((line) => !/favicon/.test(line))).toEqual([])
  },
)

test.skipIf(!existsSync(FIREFOX))(
  'in Firefox, a service that is down: the request is sent once',
  { timeout: 120_000, tags: ['long'] },
  async () => {
    desk.page = form()
    desk.tickets.length = 0
    const page = await browser.newPage()
    await page.goto(desk.origin)
    await page.waitForFunction("customElements.get('citewell-form') !== undefined")
    world.service.setDown(true)
    await page.type('textarea', 'How often are the keys rotated, and at which time?')
    await page.click('#ticket button')
    await page.waitForFunction("document.title === 'Thanks'", { timeout: 60_000 })
    expect(desk.tickets.map((ticket) => ticket.get('description'))).toEqual([
      'How often are the keys rotated, and at which time?',
    ])
    world.service.setDown(false)
  },
)
