import { type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { until } from '../run-citewell.ts'
import { openSharedCitewell, type SharedCitewell } from '../shared-citewell.ts'
import { openTicketDesk, type TicketDesk } from './ticket-desk.ts'
import { openChromium } from '../open-chromium.ts'

let citewell: SharedCitewell
let base: { id: string }
let site: TicketDesk
let browser: Browser

beforeAll(async () => {
  citewell = await openSharedCitewell()
  base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  const of = `/api/v1/knowledge-bases/${base.id}`
  const source = await citewell.json<{ id: string }>('POST', `${of}/sources`, { type: 'push', name: 'docs' })
  const markdown = 'Signing keys are rotated every day at midnight.'
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      { external_id: 'keys', title: 'Signing keys', url: 'https://docs.example.com/keys', markdown },
    ],
  })
  await until(
    () => citewell.json<{ data: unknown[] }>('GET', `${of}/documents`),
    ({ data }) => data.length === 1,
    30,
  )
  site = await openTicketDesk(citewell.address)
  browser = await openChromium()
  await (await fetch(`${citewell.address}/widget.js`)).text()
})
afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
  await citewell.stop()
})

/** Opens a page of another site, whose policy allows nothing but the service. */
async function open(body: string): Promise<{ page: Page; said: string[] }> {
  site.page = `<!doctype html><html lang="en"><title>Docs</title><link rel="icon" href="data:,"><body>${body}</body></html>`
  const page = await browser.newPage()
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(`error: ${error.message}`))
  await page.goto(site.origin)
  return { page, said }
}

const address = (file: string) => `${citewell.address}/widget/${file}?knowledge-base-id=${base.id}`

const KAPA_STUB =
  '<script>(function(){let k=window.Kapa;if(!k){let i=function(){i.c(arguments)};i.q=[];i.c=function(args){i.q.push(args)};window.Kapa=i}})();</script>'

test('a kapa tag with another address drives our widget: looks, triggers, functions and events', async () => {
  const { page, said } = await open(`${KAPA_STUB}
    <script>
      window.heard = []
      for (const type of ['onModalOpen', 'onModalClose', 'onAskAIQuerySubmit', 'onAskAIAnswerCompleted'])
        Kapa(type, (detail) => window.heard.push([type, detail]))
    </script>
    <button class="ask-ai">Ask AI</button>
    <script async src="${address('kapa.js')}" data-website-id="08910249-851f-465b-b60f-238d84e1afc1"
      data-project-name="Acme AI" data-project-color="#8c0081" data-project-logo="data:,"
      data-modal-disclaimer="Check [the docs](https://docs.example.com) too." data-button-hide="true"
      data-modal-override-open-class="ask-ai" data-modal-ask-ai-input-placeholder="Ask me anything"
      data-modal-example-questions="One?,Two?" data-user-analytics-fingerprint-enabled="true"></script>`)
  await page.waitForFunction(() => 'open' in ((window as unknown as { Kapa: object }).Kapa ?? {}))
  const dialog = page.getByRole('dialog')
  // The widget opens once the service has answered.
  await vi.waitFor(
    async () => {
      await page.getByRole('button', { name: 'Ask AI' }).click({ timeout: 1_000 })
      await dialog.waitFor({ timeout: 2_000 })
    },
    { timeout: 20_000 },
  )
  expect(await dialog.textContent()).toContain('Acme AI')
  expect(await dialog.textContent()).toContain('Check the docs too.')
  expect(await dialog.getByRole('textbox').getAttribute('placeholder')).toBe('Ask me anything')
  await page.evaluate(() => (window as unknown as { Kapa: { close(): void } }).Kapa.close())
  await dialog.waitFor({ state: 'hidden' })
  await page.evaluate(() => {
    const { Kapa } = window as unknown as { Kapa: (name: string, options: object) => void }
    Kapa('open', { mode: 'ai', query: 'How often are signing keys rotated?', submit: true })
  })
  await dialog.getByText('every day at midnight').first().waitFor()
  const heard = () => page.evaluate(() => (window as unknown as { heard: [string, object][] }).heard)
  await vi.waitFor(async () =>
    expect((await heard()).map(([type]) => type)).toEqual([
      'onModalOpen',
      'onModalClose',
      'onModalOpen',
      'onAskAIQuerySubmit',
      'onAskAIAnswerCompleted',
    ]),
  )
  expect(JSON.stringify(await heard())).not.toContain('rotated')
  expect(said).toEqual([
    'Citewell: of the kapa tag, these have no counterpart and are ignored: data-modal-example-questions, data-user-analytics-fingerprint-enabled.',
  ])
  await page.evaluate(() => (window as unknown as { Kapa: { unmount(): void } }).Kapa.unmount())
  expect(await page.locator('citewell-widget').count()).toBe(0)
  await page.close()
})

test('docsearch() of another address puts its button in the same place, which opens our search', async () => {
  const { page, said } = await open(`<div id="docsearch"></div>
    <script src="${address('docsearch.js')}"></script>
    <script>
      window.heard = []
      const hear = (name) => () => heard.push([name, instance.isReady, instance.isOpen])
      window.instance = docsearch({ container: '#docsearch', appId: 'A', apiKey: 'B', indexName: 'acme',
        onReady: hear('ready'), onOpen: hear('open'), onClose: hear('close'),
        placeholder: 'Search Acme', transformItems: (items) => items, translations: { button: { buttonText: 'Find' } } })
    </script>`)
  const button = page.locator('#docsearch button.DocSearch-Button')
  expect(await button.textContent()).toContain('Find')
  const dialog = page.getByRole('dialog')
  await vi.waitFor(
    async () => {
      await button.click({ timeout: 1_000 })
      await dialog.waitFor({ timeout: 2_000 })
    },
    { timeout: 20_000 },
  )
  await dialog.getByRole('combobox').fill('signing')
  await dialog
    .getByRole('option', { name: /Signing keys/ })
    .first()
    .waitFor()
  await page.evaluate(() => (window as unknown as { instance: { close(): void } }).instance.close())
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.evaluate('heard')).toEqual([
    ['ready', true, false],
    ['open', true, true],
    ['close', true, false],
  ])
  expect(said).toEqual([
    'Citewell: of docsearch(), these have no counterpart and are ignored: transformItems.',
  ])
  await page.evaluate(() => (window as unknown as { instance: { destroy(): void } }).instance.destroy())
  expect(await page.locator('citewell-widget, #docsearch button').count()).toBe(0)
  await page.close()
})

test('an address without a knowledge base changes nothing but says what is missing', async () => {
  const { page, said } = await open(
    `<script src="${citewell.address}/widget/kapa.js" data-project-name="Acme"></script>`,
  )
  await vi.waitFor(() => expect(said).toHaveLength(1))

  expect(said[0]).toBe('Citewell: add ?knowledge-base-id=… to the address of /widget/kapa.js.')
  expect(await page.locator('citewell-widget').count()).toBe(0)
  await page.close()
})
