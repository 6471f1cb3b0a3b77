import { existsSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTicketDesk, type TicketDesk } from './ticket-desk.ts'
import { startWidgetWorld, type WidgetWorld } from './widget-world.ts'

const FIREFOX = '/usr/bin/firefox-esr'

let world: WidgetWorld
let desk: TicketDesk
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
  desk = await openTicketDesk(world.service.origin)
})
afterAll(async () => {
  await browser?.close()
  await desk?.[Symbol.asyncDispose]()
  await world?.stop()
})

const form = () => `<!doctype html><html lang="en"><title>Support</title><link rel="icon" href="data:,">
  <script type="module" src="${world.service.origin}/widget/form.js"></script>
  <form id="ticket" method="post" action="/tickets"><textarea name="description"></textarea><input name="transcript" type="hidden"><button name="action" value="open">Send</button></form>
  <citewell-form for="#ticket" body="[name=description]" transcript="[name=transcript]" knowledge-base-id="${world.base.id}"></citewell-form></html>`

test.skipIf(!existsSync(FIREFOX))(
  'in Firefox, under the strictest policy: an answer is offered; what is sent all the same is sent once, with its button and transcript',
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
