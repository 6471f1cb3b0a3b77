import { longUnless } from '@citewell/spec/long-unless'
import { type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { until } from '../run-citewell.ts'
import { openSharedCitewell, type SharedCitewell } from '../shared-citewell.ts'
import { watchFigures, type Figures } from './deflection-figures.ts'
import { openTicketDesk, type TicketDesk } from './ticket-desk.ts'
import { openChromium } from '../open-chromium.ts'
import { keepPage } from './kept-page.ts'

const QUESTION = 'How often are the signing keys rotated?'
/** Words of the answer that are not in the question. */
const ANSWER = 'every day at midnight'

let api: SharedCitewell
let base: { id: string }
let desk: TicketDesk
let figures: ReturnType<typeof watchFigures>
let browser: Browser
let cleanPage: () => Promise<Page>
let context: BrowserContext
/** A form deflector that holds every answer back. */
let strictForm: string
const reports: string[] = []

beforeAll(async () => {
  api = await openSharedCitewell()
  base = await api.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  const of = `/api/v1/knowledge-bases/${base.id}`
  const source = await api.json<{ id: string }>('POST', `${of}/sources`, { type: 'push', name: 'docs' })
  const page = (title: string, markdown: string) => ({
    external_id: title,
    title,
    url: `https://docs.example.com/${encodeURIComponent(title)}`,
    markdown,
  })
  await api.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      page(
        'Signing keys',
        'Signing keys are rotated every day at midnight. Old keys are accepted for two days.',
      ),
      page('Invoices', 'Invoices are sent to customers on the first day of a month.'),
    ],
  })
  await until(
    () => api.json<{ data: unknown[] }>('GET', `${of}/documents`),
    ({ data }) => data.length === 2,
    30,
  )
  const strict = { name: 'Strict', min_characters: 0, min_confidence: 1 }
  figures = watchFigures(api, base.id)
  strictForm = (await api.json<{ id: string }>('POST', `${of}/form-deflectors`, strict)).id
  desk = await openTicketDesk(api.address)
  browser = await openChromium()
  cleanPage = keepPage(browser, { viewport: { width: 800, height: 700 } })
  // Builds the widget, if that was not done yet.
  await (await fetch(`${api.address}/widget/form.js`)).text()
})
afterAll(async () => {
  await browser.close()
  await desk[Symbol.asyncDispose]()
  await api.stop()
})

const FIELDS = `<input name="subject" aria-label="Subject">
  <textarea name="description" required aria-label="Description"></textarea>
  <input name="transcript" type="hidden"><button name="action" value="open">Send</button>`

const formPage = (
  attributes = '',
  form = `<form id="ticket" method="post" action="/tickets">${FIELDS}</form>`,
) =>
  `<!doctype html><html lang="en"><title>Support</title><link rel="icon" href="data:,">
  <script type="module" src="${api.address}/widget/form.js"></script>${form}
  <citewell-form for="#ticket" subject="[name=subject]" body="[name=description]" transcript="[name=transcript]"
    knowledge-base-id="${base.id}" ${attributes}></citewell-form></html>`

/** A page that sends its form itself, as applications do. */
const OWN_SENDING = `<script>
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    fetch('/tickets', { method: 'POST', body: new URLSearchParams(new FormData(event.target)) })
  })
</script>`

/** Opens the desk's page, and keeps everything that was ever visible of the element. */
async function open(page: string, path = '/'): Promise<{ page: Page; seen: () => Promise<string> }> {
  desk.page = page
  desk.tickets.length = 0
  await figures.note()
  const tab = await cleanPage()
  context = tab.context()
  tab.on('pageerror', (error) => reports.push(error.message))
  tab.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML/.test(message.text())) reports.push(message.text())
  })
  await tab.addInitScript(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const attach = Element.prototype.attachShadow
    Element.prototype.attachShadow = function attachSeen(options) {
      const root = attach.call(this, options)
      new MutationObserver(() => seen.push(root.textContent ?? '')).observe(root, {
        childList: true,
        characterData: true,
        subtree: true,
      })
      return root
    }
  })
  await tab.goto(desk.origin + path)
  await tab.waitForFunction(() => customElements.get('citewell-form') !== undefined)
  const seen = () => tab.evaluate(() => (globalThis as unknown as { seen: string[] }).seen.join('\n'))
  return { page: tab, seen }
}

const write = (page: Page, text: string) => page.locator('[name=description]').fill(text)
const send = (page: Page) => page.locator('form button').first().click()
const button = (page: Page, name: string) => page.getByRole('button', { name })

/** Waits for the first ticket, gives a second one time to come, and counts. */
async function ticketsOf(page: Page): Promise<number> {
  await vi.waitFor(() => expect(desk.tickets.length).toBeGreaterThan(0), { timeout: 20_000 })
  await page.waitForTimeout(400)
  return desk.tickets.length
}

/** How the team's figures of support forms have changed since the page was opened. */
const expectFigures = (change: Figures) =>
  vi.waitFor(async () => expect(await figures.change()).toEqual(change), { timeout: 10_000, interval: 200 })

test('an answer is shown with its source; if it is enough no ticket is sent, and the request may be sent all the same', async () => {
  const { page, seen } = await open(formPage())
  await write(page, QUESTION)
  await send(page)
  const card = page.getByRole('region', { name: 'Does this answer your question?' })
  await card.waitFor()

  expect(await card.textContent()).toContain(ANSWER)
  expect(await seen()).toContain('Looking for an answer')
  const source = card.getByRole('list').getByRole('link', { name: /^Signing keys/ })
  expect(await source.getAttribute('href')).toMatch(/^https:\/\/docs\.example\.com\/Signing%20keys/)
  expect(await source.getAttribute('target')).toBe('_blank')
  await button(page, 'This solved it').click()
  await page.getByRole('paragraph').getByText('Your request was not sent').waitFor()
  await expectFigures({ answered: 1, deflected: 1, submitted: 0 })
  expect(desk.tickets).toHaveLength(0)

  await send(page)
  expect(await ticketsOf(page)).toBe(1)
  await expectFigures({ answered: 1, deflected: 0, submitted: 1 })
})

test('after an answer the request is sent once, with the button that was pressed, and with the answer for the people who get it', async () => {
  const { page } = await open(formPage())
  const heard = page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener('citewell:deflect', (event) => resolve((event as CustomEvent).detail), {
          once: true,
        })
      }),
  )
  await page.locator('[name=subject]').fill('Keys')
  await write(page, QUESTION)
  await send(page)
  await button(page, 'Send my request').click()

  expect(await ticketsOf(page)).toBe(1)
  const [ticket] = desk.tickets
  expect(Object.fromEntries(ticket ?? [])).toMatchObject({
    subject: 'Keys',
    description: QUESTION,
    action: 'open',
  })
  const transcript = ticket?.get('transcript')?.replaceAll('\r\n', '\n') ?? ''
  expect(transcript).toContain(`**Question**\n\nKeys\n\n${QUESTION}\n\n**Answer**\n\n`)
  expect(transcript).toContain(ANSWER)
  expect(transcript).toMatch(/\n\[1\] \[Signing keys\]\(https:\/\/docs\.example\.com\//)
  await expectFigures({ answered: 1, deflected: 0, submitted: 1 })
  const detail = (await heard) as Record<string, unknown>
  expect(detail).toMatchObject({ answered: true, skipped_reason: null })
  expect(JSON.stringify(detail)).not.toContain('rotated')
})

test('an answer that is held back is never visible, not for a moment, and the ticket is sent', async () => {
  const { page, seen } = await open(OWN_SENDING + formPage(`form-id="${strictForm}"`))
  await write(page, QUESTION)
  await send(page)

  expect(await ticketsOf(page)).toBe(1)
  const shown = await seen()
  // The pages that were found may be named; words of an answer may not.
  expect(shown).toContain('Looking for an answer')
  expect(shown).toContain('Signing keys')
  expect(shown).not.toContain('midnight')
  expect(desk.tickets[0]?.get('transcript')).toBe('')
  await expectFigures({ answered: 0, deflected: 0, submitted: 1 })
})

/** What may go wrong, or leave nothing to show: in each the ticket is sent once, with its text. */
const FAULTS: readonly [name: string, text: string, prepare: (page: Page) => Promise<unknown>][] = [
  ['the text is too short', 'Keys?', async () => undefined],
  [
    'the service answers 500',
    QUESTION,
    (page) => page.route('**/form-deflect', (route) => route.fulfill({ status: 500 })),
  ],
  [
    'the service does not answer in 8 seconds',
    QUESTION,
    (page) => page.route('**/form-deflect', () => undefined),
  ],
  [
    'the service cannot be reached',
    QUESTION,
    (page) => page.route(`${api.address}/api/**`, (route) => route.abort()),
  ],
  [
    'the key is refused',
    QUESTION,
    (page) =>
      page.route('**/widget-key', (route) =>
        route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED' } }),
      ),
  ],
  [
    'the stream is cut',
    QUESTION,
    (page) =>
      page.route('**/form-deflect', (route) =>
        route.fulfill({
          contentType: 'text/event-stream',
          body: 'data: {"done":false}\n\ndata: {"delta":"Keys ',
        }),
      ),
  ],
  [
    'the answer is nonsense',
    QUESTION,
    (page) =>
      page.route('**/form-deflect', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: 'data: {"done":true,"citations":7}\n\n' }),
      ),
  ],
]

for (const [fault, text, prepare] of FAULTS) {
  test(`if ${fault}, the ticket is sent once`, longUnless(!fault.includes('8 seconds')), async () => {
    const { page } = await open(formPage())
    await prepare(page)
    await write(page, text)
    await send(page)

    expect(await ticketsOf(page)).toBe(1)
    expect(desk.tickets[0]?.get('description')).toBe(text)
  })
}

test(
  'if the element is taken away, or the form is made again while it waits, the ticket is sent once',
  { tags: ['long'] },
  async () => {
    for (const change of ['element', 'form'] as const) {
      const { page } = await open(formPage())
      await page.route('**/form-deflect', () => undefined)
      await write(page, QUESTION)
      await send(page)
      await page.getByText('Looking for an answer …').waitFor()
      await page.evaluate((changed) => {
        const form = document.querySelector('form')
        if (changed === 'element') document.querySelector('citewell-form')?.remove()
        else form?.replaceWith(form.cloneNode(true))
      }, change)
      // A copy of a form has the text of its fields only where it was typed.
      if (change === 'form') await write(page, QUESTION)

      expect([change, await ticketsOf(page)]).toEqual([change, 1])
      await context.close()
    }
  },
)

test('what the browser finds invalid is neither asked nor sent, and is sent once when it is right', async () => {
  const { page } = await open(formPage())
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await send(page)
  await page.waitForTimeout(300)

  expect(asked.filter((url) => url.includes('form-deflect'))).toEqual([])
  expect(desk.tickets).toHaveLength(0)
  await write(page, 'Hello?')
  await send(page)
  expect(await ticketsOf(page)).toBe(1)
})

test('without a network the form goes its own way at once', async () => {
  const { page } = await open(formPage())
  await write(page, QUESTION)
  const failed: string[] = []
  page.on('requestfailed', (request) => failed.push(request.url()))
  await context.setOffline(true)
  await send(page)
  await vi.waitFor(() => expect(failed).toContain(`${desk.origin}/tickets`))

  expect(failed.filter((url) => url === `${desk.origin}/tickets`)).toHaveLength(1)
  expect(failed.filter((url) => url.includes('form-deflect'))).toEqual([])
})

test('a double press, and one more while an answer is looked for, send one ticket', async () => {
  const { page } = await open(formPage(`form-id="${strictForm}"`))
  await page.route('**/form-deflect', async (route) => {
    await new Promise((resolve) => {
      setTimeout(resolve, 700)
    })
    await route.continue()
  })
  await write(page, QUESTION)
  await page.locator('form button').dblclick()
  await page.locator('[name=subject]').press('Enter')

  expect(await ticketsOf(page)).toBe(1)
})

test('nobody has to wait: the request can be sent while an answer is looked for', async () => {
  const { page } = await open(formPage())
  await page.route('**/form-deflect', () => undefined)
  await write(page, QUESTION)
  await send(page)
  await button(page, 'Send without waiting').click()

  expect(await ticketsOf(page)).toBe(1)
})

test('a page that sends its form itself hears of it once, when it is to be sent; the same text is not asked again, another is', async () => {
  const { page } = await open(OWN_SENDING + formPage())
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/form-deflect') && request.method() === 'POST') asked += 1
  })
  await write(page, QUESTION)
  await send(page)
  await button(page, 'Send my request').click()
  expect(await ticketsOf(page)).toBe(1)
  expect(asked).toBe(1)

  await send(page)
  await vi.waitFor(() => expect(desk.tickets).toHaveLength(2))
  expect(asked).toBe(1)

  await write(page, 'When are invoices sent to customers?')
  await send(page)
  await page.getByRole('region').getByText('first day of a month').waitFor()
  expect(asked).toBe(2)
  expect(desk.tickets).toHaveLength(2)
  await send(page)
  await vi.waitFor(() => expect(desk.tickets).toHaveLength(3))
})

test('a form of several steps is held at its step, and its outcome is told when it is sent', async () => {
  const steps = `<form id="ticket" method="post" action="/tickets">${FIELDS.replace('<button name="action" value="open">Send</button>', '')}
    <button type="button" id="next">Next</button><button id="send" hidden>Send</button></form>
    <script>document.querySelector('#next').addEventListener('click', () => { document.querySelector('#send').hidden = false })</script>`
  const { page } = await open(formPage('ask-on="#next" submitted-on="#send"', steps))
  await write(page, QUESTION)
  await page.locator('#next').click()
  await page.getByRole('region').getByText(ANSWER).waitFor()
  expect(await page.locator('#send').isVisible()).toBe(false)
  await button(page, 'Continue').click()
  await page.locator('#send').waitFor()
  expect(await figures.change()).toEqual({ answered: 1, deflected: 0, submitted: 0 })
  await page.locator('#send').click()

  expect(await ticketsOf(page)).toBe(1)
  await expectFigures({ answered: 1, deflected: 0, submitted: 1 })
})

test('a form that opens another tab is never held: the tab could be blocked', async () => {
  const form = `<form id="ticket" method="post" action="/tickets" target="_blank">${FIELDS}</form>`
  const { page } = await open(formPage('', form))
  await write(page, QUESTION)
  const [tab] = await Promise.all([context.waitForEvent('page'), send(page)])
  await tab.waitForLoadState()

  expect(desk.tickets).toHaveLength(1)
})

test('hostile pages and answers stay texts', async () => {
  const { page } = await open(formPage())
  const hostile = '<img src=x onerror=alert(1)> **bold** [link](javascript:alert(1)) [1]'
  const citation = {
    index: 1,
    title: '<b>Title</b>',
    url: 'javascript:alert(1)',
    document_id: 'd',
    chunk_id: 'c',
    heading_path: [],
    excerpt: '',
  }
  const frames = [
    { citations: [citation], done: false },
    { delta: hostile, done: false },
    { done: true, citations: [citation], covered: true, confidence: 1, answered: true, skipped_reason: null },
  ]
  await page.route('**/form-deflect', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      headers: { 'access-control-allow-origin': desk.origin },
      body: frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''),
    }),
  )
  await write(page, QUESTION)
  await send(page)
  const card = page.getByRole('region')
  await card.waitFor()

  expect(await card.textContent()).toContain('<img src=x onerror=alert(1)> bold link 1')
  expect(await card.locator('img, script, b').count()).toBe(0)
  expect(await card.locator('strong').textContent()).toBe('bold')
  expect(await card.locator('a').count()).toBe(0)
})

test('the words follow the page, from right to left where its language is written so', async () => {
  const { page } = await open(formPage().replace('lang="en"', 'lang="ar-EG"'))
  await write(page, QUESTION)
  const asking = page.waitForRequest(
    (request) => request.url().endsWith('/form-deflect') && request.method() === 'POST',
  )
  await send(page)
  const asked = await asking
  expect(await asked.headerValue('accept-language')).toBe('ar')
  const card = page.getByRole('region', { name: 'هل يجيب هذا عن سؤالك؟' })
  await card.waitFor()

  expect(await card.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
  await button(page, 'إرسال طلبي').click()
  expect(await ticketsOf(page)).toBe(1)
})

test('in all of this the policy of the page was kept, and no script failed', () => {
  expect(reports).toEqual([])
})
