import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { keepPage } from './kept-page.ts'
import { ask, listenToPage, openPage, openPanel } from './open-browser.ts'
import { answerFrames, playChat, playRefusal, startWidgetWorld, type WidgetWorld } from './widget-world.ts'

let world: WidgetWorld
let browser: Browser
let cleanPage: () => Promise<Page>
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
  said = listenToPage(page)
  world.service.seen.length = 0
  world.service.play(playChat(answerFrames('Daily [1].\n\n```sh\nacme keys rotate # now\n```')))
})
afterEach(async () => {
  world.service.play(undefined)
})

const tag = (more: Record<string, string> = {}) => ({
  'knowledge-base-id': world.base.id,
  'client-key': world.base.client_key.key,
  'support-url': 'https://help.example.com/',
  ...more,
})
const run = async (script: string) => await page.evaluate(script)
const dialog = () => page.locator('dialog[open]')
const sent = () =>
  world.service.seen
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/chat'))
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>)

test('open with tab, mode, query and submit; close; toggle; search; ask', async () => {
  await openPage(page, world.page(tag()))
  await run("Citewell.open({ tab: 'search', query: 'keys' })")
  await page.locator('.result').nth(1).waitFor()
  await run('Citewell.close()')
  expect(await dialog().count()).toBe(0)
  await run("Citewell.open({ mode: 'sidebar', tab: 'ask', query: 'When?' })")
  await page.locator('dialog.sidebar[open]').waitFor()
  expect(await page.locator('.composer textarea').inputValue()).toBe('When?')
  expect(sent()).toEqual([])
  await run("Citewell.open({ query: 'And then?', submit: true })")
  await page.locator('.turn .actions').waitFor()
  await run('Citewell.toggle()')
  expect(await dialog().count()).toBe(0)
  await run('Citewell.toggle()')
  await dialog().waitFor()
  await run("Citewell.search('limits')")
  await expect.poll(async () => await page.locator('.search-field input').inputValue()).toBe('limits')
  await run("Citewell.ask('Why?', { source: 'api' })")
  await page.locator('.turn').nth(1).locator('.actions').waitFor()
  expect(sent().map(({ query }) => query)).toEqual(['And then?', 'Why?'])
})

test('update changes settings of the page, and null goes back to them; what is asked afterwards has the new groups', async () => {
  await openPanel(page, world.page(tag({ theme: 'light' })))
  const title = () => page.locator('dialog h2').innerText()
  await run("Citewell.update({ productName: 'Ada', theme: 'dark', language: 'de', sourceGroupIds: 'a, b' })")
  await expect.poll(title).toBe('Ada')
  await expect.poll(() => page.locator('.frame').getAttribute('lang')).toBe('de')
  expect(await page.locator('citewell-widget').last().getAttribute('data-theme')).toBe('dark')
  await ask(page, 'Wann?')
  expect(sent()[0]).toMatchObject({ group_ids: ['a', 'b'] })
  await page.locator('[data-tab=search]').click()
  await page.locator('.search-field input').fill('keys')
  const search = () =>
    world.service.seen.findLast(({ method, path }) => method === 'POST' && path.endsWith('/search'))
  await expect
    .poll(() => JSON.parse(search()?.body || '{}') as unknown)
    .toMatchObject({ group_ids: ['a', 'b'] })
  await run('Citewell.update(null)')
  await expect.poll(title).toBe('Acme docs')
  expect(await page.locator('citewell-widget').last().getAttribute('data-theme')).toBe('light')
})

test('identify counts from the next question on; reset forgets the conversation', async () => {
  await openPanel(page, world.page(tag()))
  await ask(page, 'When?')
  await run("Citewell.identify({ id: 'ada', email: 'ada@example.com' })")
  await ask(page, 'Why?')
  expect(sent()[0]).not.toHaveProperty('user')
  expect(sent()[1]).toMatchObject({ user: { id: 'ada', email: 'ada@example.com' } })
  await run('Citewell.reset()')
  expect(await page.locator('.turn').count()).toBe(0)
  await ask(page, 'When?')
  expect(sent()[2]).not.toHaveProperty('thread_id')
})

test('on returns what stops it; a handler that throws stops nothing', async () => {
  await openPage(page, world.page(tag()))
  await run(`globalThis.heard = []; globalThis.stop = Citewell.on('open', () => heard.push(1));
    Citewell.on('open', () => { throw new Error('mine') }); Citewell.on('open', () => heard.push(2))`)
  await run('Citewell.open()')
  await dialog().waitFor()
  await run('stop(); Citewell.close(); Citewell.open()')
  await dialog().waitFor()
  expect(await run('heard')).toEqual([1, 2, 2])
  expect(said.filter((line) => line.includes('mine'))).toHaveLength(2)
})

test('every event is heard with its metadata, and none has a word of what was asked or answered', async () => {
  const names =
    'ready open close tab ask first answer stop copy code_copy citation search search_open rate handoff mcp_copy reset error'.split(
      ' ',
    )
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.route('**/widget-config', async (route) => {
    const answer = await route.fetch()
    const mcp = { mcp_available: true, mcp_url: 'https://answers.example.com/mcp/acme-docs' }
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...mcp } })
  })
  await page.route('https://*.example.com/**', (route) => route.fulfill({ body: 'a page' }))
  await page.addInitScript(`globalThis.heard = []; for (const type of ${JSON.stringify(names)})
    document.addEventListener('citewell:' + type, ({ detail }) => heard.push([type, detail]))`)
  await openPanel(page, world.page(tag()))
  await ask(page, 'Secretword one')
  const turn = page.locator('.turn').first()
  await turn.getByRole('button', { name: 'Copy', exact: true }).click()
  await turn.getByRole('button', { name: 'Copy code' }).click()
  for (const link of ['.chip', '.card-link']) {
    await page.locator(link).first().click()
    // Another tab has come.
    await page.bringToFront()
    await turn.locator('.chip').hover()
  }
  world.service.play((request, response) => {
    if (request.url?.endsWith('/feedback') !== true) return false
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    response.end('{"rated":true}')
    return true
  })
  await turn.getByRole('button', { name: 'Good answer' }).click()
  await page.locator('.footer').getByRole('link', { name: 'Talk to a person' }).click()
  await page.bringToFront()
  await page.getByRole('button', { name: 'Use MCP' }).click()
  await page.getByRole('menuitem', { name: 'Claude Code' }).click()
  await page.keyboard.press('Escape')
  world.service.play(playChat(answerFrames('Longanswer. '.repeat(100), {}, 30)))
  await page.locator('.composer textarea').fill('Secretword two')
  await page.keyboard.press('Enter')
  await page.locator('.turn').nth(1).locator('.answer').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  world.service.play(playRefusal(503, { error: 'x', code: 'UNAVAILABLE' }))
  await ask(page, 'Secretword three')
  world.service.play(undefined)
  await page.getByRole('tab', { name: 'Search' }).click()
  await page.locator('.search-field input').fill('rotating keys')
  await page.locator('.result').nth(1).waitFor()
  await page.locator('.result').first().click()
  await page.bringToFront()
  await page.getByRole('tab', { name: 'Ask' }).click()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.keyboard.press('Escape')
  const heard = (await run('heard')) as [string, Record<string, unknown>][]
  const MESSAGE = 'c1a6e1de-7f7b-4f0e-8b0a-92b6f6a6f5b3'
  const of = (type: string) => heard.find(([name]) => name === type)?.[1]
  expect(names.filter((type) => of(type) === undefined)).toEqual([])
  expect(of('ready')).toEqual({ knowledge_base_id: world.base.id })
  expect(of('open')).toEqual({ tab: 'ask', source: 'launcher' })
  expect(of('ask')).toEqual({ source: 'composer' })
  expect(of('answer')).toEqual({ message_id: MESSAGE, covered: true, ms: expect.any(Number) })
  expect(of('copy')).toEqual({ message_id: MESSAGE })
  expect(of('rate')).toEqual({ message_id: MESSAGE, rating: 'up' })
  expect(of('handoff')).toEqual({ to: 'page' })
  expect(of('mcp_copy')).toEqual({ tool: 'claude-code' })
  expect(of('code_copy')).toEqual({ message_id: MESSAGE })
  expect(of('citation')).toEqual({
    message_id: MESSAGE,
    url: expect.stringContaining('https://docs.example.com/keys'),
  })
  expect(heard.filter(([type]) => type === 'citation')).toHaveLength(2)
  expect(of('search')).toEqual({ count: expect.any(Number) })
  expect(of('error')).toEqual({ code: 'UNAVAILABLE', retryable: false, request_id: 'request-1' })
  expect(JSON.stringify(heard)).not.toMatch(/secretword|longanswer|rotating keys/i)
})

test('recent searches: those that were used are offered again, and forgotten with the conversation', async () => {
  await openPage(page, world.page(tag()))
  const field = page.locator('.search-field input')
  await page.keyboard.press('/')
  await field.fill('webhooks')
  await page.locator('.result').nth(1).waitFor()
  await field.fill('keys')
  await page.locator('.ask-row').click()
  await page.locator('.turn .actions').waitFor()
  await page.reload()
  await page.locator('button[part=launcher]').waitFor()
  await page.keyboard.press('/')
  await page.getByRole('heading', { name: 'Recent searches' }).waitFor()
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['keys'])
  await field.press('ArrowDown')
  await field.press('Enter')
  expect(await field.inputValue()).toBe('keys')
  await page.locator('.result').nth(1).waitFor()
  await run('Citewell.reset()')
  await field.fill('')
  expect(await page.getByRole('option').count()).toBe(0)
  expect(await run('sessionStorage.length')).toBe(0)
})

test('code of an answer is coloured, without an element in it, and stays a text to copy', async () => {
  await openPanel(page, world.page(tag()))
  await ask(page, 'How?')
  const painted = () =>
    run(
      '[...CSS.highlights].flatMap(([name, ranges]) => [...ranges].map((range) => [name, range.startContainer.data.slice(range.startOffset, range.endOffset)]))',
    )
  await expect.poll(painted).toEqual([['citewell-comment', '# now']])
  expect(await page.locator('.code pre code').evaluate(({ children }) => children.length)).toBe(0)
  await run('Citewell.destroy()')
  await expect.poll(painted).toEqual([])
})
