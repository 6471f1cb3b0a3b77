import { verifies } from '@citewell/spec/verifies'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { keepPage } from './kept-page.ts'
import { ask, listenToPage, openPage, openPanel } from './open-browser.ts'
import { answerFrames, playChat, startWidgetWorld, type WidgetWorld } from './widget-world.ts'

let world: WidgetWorld
let browser: Browser
let cleanPage: () => Promise<Page>
let context: BrowserContext
let page: Page
let said: string[]

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startWidgetWorld(), openChromium()])
  cleanPage = keepPage(browser)
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
})
afterEach(async () => {
  world.service.play(undefined)
  world.service.setDown(false)
})

const tag = () => ({ 'knowledge-base-id': world.base.id, 'client-key': world.base.client_key.key })
const paths = () => world.service.seen.filter(({ method }) => method !== 'OPTIONS').map(({ path }) => path)
const settled = async () => await page.waitForTimeout(1_500)

verifies(
  ['widgets.script.knowledge-base-id', 'connectors.widget-loads-its-settings'],
  'before anyone means to ask, a page makes two requests: the script and widget-config; a third for the key if the tag has none',
  async () => {
    await openPage(page, world.page(tag()))
    await settled()
    expect(paths()).toEqual(['/widget.js', `/api/v1/public/knowledge-bases/${world.base.id}/widget-config`])
    world.service.seen.length = 0
    await openPage(page, world.page({ 'knowledge-base-id': world.base.id }))
    await settled()
    expect(paths().slice(-2)).toEqual([
      `/api/v1/public/knowledge-bases/${world.base.id}/widget-key`,
      `/api/v1/public/knowledge-bases/${world.base.id}/widget-config`,
    ])
    expect(
      await page.evaluate('document.cookie + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
    ).toBe('[{},{}]')
    expect(said).toEqual([])
  },
)

test('resting on the launcher fetches the panel and the suggested questions, once', async () => {
  await openPage(page, world.page(tag()))
  world.service.seen.length = 0
  await page.locator('button[part=launcher]').hover()
  await settled()
  await page.locator('button[part=launcher]').click()
  await page.locator('dialog[open]').waitFor()
  await settled()
  expect(paths().filter((path) => path.includes('/panel-'))).toHaveLength(1)
  expect(paths().filter((path) => path.endsWith('/suggested-questions'))).toHaveLength(1)
  expect(paths().filter((path) => path.includes('/answers-'))).toHaveLength(1)
  expect(paths().filter((path) => path.includes('/markdown-'))).toHaveLength(1)
  expect(paths()).toHaveLength(4)
})

verifies(
  'widgets.script.product-name',
  'data-product-name is the title; without it that is the name of the base',
  async () => {
    await openPanel(page, world.page({ ...tag(), 'product-name': 'Ada <b>' }))
    expect(await page.getByRole('dialog').getByRole('heading', { level: 2 }).innerText()).toBe('Ada <b>')
    await openPanel(page, world.page(tag()))
    expect(await page.getByRole('dialog').getByRole('heading', { level: 2 }).innerText()).toBe('Acme docs')
  },
)

/** Changes what widget-config says, as another plan or another installation would. */
const configSays = async (change: object) =>
  await page.route('**/widget-config', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...change } })
  })

verifies(
  ['widgets.script.hide-branding', 'widgets.script.branding-stays'],
  'data-hide-branding hides the branding line where the plan allows it, and nowhere else',
  async () => {
    const address = world.page({ ...tag(), 'hide-branding': 'true' })
    await configSays({ hide_branding_allowed: true })
    await openPanel(page, address)
    expect(await page.getByText('Powered by Citewell').count()).toBe(0)
    await page.unroute('**/widget-config')
    await configSays({ hide_branding_allowed: false })
    await openPanel(page, address)
    expect(await page.getByText('Powered by Citewell').count()).toBe(1)
  },
)

const MCP = { mcp_available: true, mcp_url: 'https://answers.example.com/mcp/acme-docs', mcp_oauth: true }

verifies(
  ['widgets.script.connect-menu', 'widgets.script.mcp-enabled'],
  'where AI tools may connect, Use MCP opens the menu Connect to AI Tools; data-mcp-enabled="false" hides it',
  async () => {
    await configSays({ mcp_available: false })
    await openPanel(page, world.page(tag()))
    expect(await page.getByText('Use MCP').count()).toBe(0)
    await page.unroute('**/widget-config')
    await configSays(MCP)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openPanel(page, world.page(tag()))
    await page.getByRole('button', { name: 'Use MCP' }).click()
    const menu = page.getByRole('menu', { name: 'Connect to AI Tools' })
    expect(await menu.innerText()).toContain('You sign in on first use.')
    await menu.getByRole('menuitem', { name: 'Claude Code' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `claude mcp add --transport http acme-docs ${MCP.mcp_url}`,
    )
    expect(await menu.getByRole('menuitem', { name: 'VS Code' }).getAttribute('href')).toMatch(
      /^vscode:mcp\/install\?/,
    )
    expect(await menu.innerHTML()).not.toContain('cw_pk_')
    await page.keyboard.press('Escape')
    expect(await menu.count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(1)
    await openPanel(page, world.page({ ...tag(), 'mcp-enabled': 'false' }))
    expect(await page.getByText('Use MCP').count()).toBe(0)
  },
)

/** A tag of a new base that was closed after its page had been written. */
async function closedBase(method: string, path: string, body: object | undefined) {
  const { id } = await world.citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
    name: 'Closed',
  })
  await world.citewell.json(method, `/api/v1/knowledge-bases/${id}${path}`, body)
  return { 'knowledge-base-id': id }
}

const make = async <Made>(what: 'client-keys' | 'widgets', body: object) =>
  await world.citewell.json<Made>('POST', `/api/v1/knowledge-bases/${world.base.id}/${what}`, body)

const ELSEWHERE = ['https://elsewhere.example.com']
const UNKNOWN = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'

test.each([
  ['an unknown base', async () => ({ 'knowledge-base-id': UNKNOWN }), 'NOT_FOUND', 'ids'],
  [
    'a revoked key',
    async () => {
      const key = await make<{ id: string; key: string }>('client-keys', { name: 'old', kind: 'public' })
      await world.citewell.json('DELETE', `/api/v1/client-keys/${key.id}`)
      return { ...tag(), 'client-key': key.key }
    },
    'UNAUTHENTICATED',
    'ids',
  ],
  ['an id that is none', async () => ({ 'knowledge-base-id': 'acme-docs' }), 'BAD_REQUEST', 'ids'],
  ['no id', async () => ({ 'knowledge-base-id': '' }), 'NOT_FOUND', 'ids'],
  [
    'a refused origin',
    async () => {
      const widget = await make<{ id: string }>('widgets', { name: 'elsewhere', allowed_origins: ELSEWHERE })
      return { ...tag(), 'widget-id': widget.id }
    },
    'ORIGIN_NOT_ALLOWED',
    'allowed_origins',
  ],
  [
    'a switched-off widget',
    async () => {
      const widget = await make<{ id: string }>('widgets', { name: 'off', enabled: false })
      return { ...tag(), 'widget-id': widget.id }
    },
    'WIDGET_DISABLED',
    'enabled',
  ],
  [
    'a base that became internal',
    async () => await closedBase('PATCH', '', { type: 'internal' }),
    'KNOWLEDGE_BASE_INTERNAL',
    'type',
  ],
  [
    'an archived base',
    async () => await closedBase('POST', '/archive', undefined),
    'KNOWLEDGE_BASE_ARCHIVED',
    'archived',
  ],
])(
  '%s: no launcher, and one line in the console that names the code and what to change',
  async (_, attributes, code, setting) => {
    await page.goto(world.page(await attributes()))
    const lines = () => said.filter((text) => !text.startsWith('Failed to load resource'))
    await expect.poll(() => lines().length).toBe(1)
    await page.evaluate('new Promise((wake) => requestIdleCallback(wake))')
    expect(await page.locator('citewell-widget').count()).toBe(0)
    const [line, ...others] = lines()
    expect(line).toContain(code)
    expect(line).toContain(setting)
    expect(others).toEqual([])
  },
)

test.each([
  ['the page is on the network again', "dispatchEvent(new Event('online'))"],
  ['a reader wants it', 'Citewell.open()'],
])('a service that is down leaves the page as it was, and the widget comes when %s', async (_, event) => {
  world.service.play((request, response) => {
    if (request.url?.includes('widget-config') !== true) return false
    response.writeHead(503).end()
    return true
  })
  await page.goto(world.page(tag()))
  await settled()
  expect(await page.locator('citewell-widget').count()).toBe(0)
  expect(said.filter((text) => text.includes('Citewell'))).toEqual([])
  world.service.play(undefined)
  await page.evaluate(event)
  await page.locator('button[part=launcher]').waitFor()
})

test('a second tag is ignored, and calls that were made before the script came are made then', async () => {
  const { origin } = world.pages
  const attributes = `data-knowledge-base-id="${world.base.id}" data-client-key="${world.base.client_key.key}"`
  // What a site puts behind the name, against old copies, is no folder.
  const script = `<script src="${world.service.origin}/widget.js?v=a/b#/c" ${attributes} async></script>`
  world.pages.set(
    '/twice',
    `<!doctype html><title>t</title><body><script>window.Citewell??=function(){(Citewell.q??=[]).push(arguments)};Citewell('open',{tab:'search'})</script>${script}${script}`,
  )
  await page.goto(`${origin}/twice`)
  await page.locator('dialog[open] .search-field').waitFor()
  expect(await page.locator('button[part=launcher]').count()).toBe(1)
  expect(said.filter((text) => text.includes('second tag'))).toHaveLength(1)
})

test('a tag with type="module" works as any other; one that nothing tells as ours says so', async () => {
  const { origin } = world.pages
  const src = `${world.service.origin}/widget.js`
  const attributes = `data-knowledge-base-id="${world.base.id}" data-client-key="${world.base.client_key.key}"`
  const pageWith = (markup: string) => `<!doctype html><title>t</title><body><h1>Docs</h1>${markup}`
  world.pages.set('/module', pageWith(`<script type="module" src="${src}" ${attributes}></script>`))
  await openPage(page, `${origin}/module`)
  expect(said).toEqual([])
  world.pages.set('/unknown-module', pageWith(`<script type="module" src="${src}"></script>`))
  await page.goto(`${origin}/unknown-module`)
  expect(said).toEqual([`Citewell: no data-knowledge-base-id, or second tag (${src})`])
})

test('what shows answers comes behind the panel: if it fails, the question stays, and can be asked again', async () => {
  world.service.play((request, response) => {
    if (request.url?.includes('/answers-') !== true) return false
    response.destroy()
    return true
  })
  await openPanel(page, world.page(tag()))
  // It is fetched behind the first screen, and again for the question.
  await expect.poll(() => said.some((line) => line.startsWith('Citewell: PANEL_NOT_LOADED'))).toBe(true)
  await page.locator('.composer textarea').fill('When are keys rotated?')
  await page.locator('.composer textarea').press('Enter')
  const turn = page.locator('.turn')
  await turn.getByRole('alert').waitFor()
  expect(await turn.innerText()).toBe('When are keys rotated?\n\nThe assistant cannot be reached. Try again')
  world.service.play(undefined)
  await turn.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.turn .answer').waitFor()
  expect(await page.locator('.turn').count()).toBe(1)
})

/** Holds what a page asks of an address until it is released, then lets it through. */
function hold(part: string) {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  void page.route(`**/*${part}*`, async (route) => {
    await released
    await route.continue()
  })
  return release
}

test('while the panel is fetched the launcher says that it comes, also where the page hides it; a quick one says nothing', async () => {
  const release = hold('/panel-')
  await openPage(page, world.page({ ...tag(), launcher: 'none', language: 'de' }))
  const launcher = page.locator('button[part=launcher]')
  expect(await launcher.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'How do I run this?' }).click()
  await page.locator('button[data-wait=busy]').waitFor()
  expect(await launcher.innerText()).toBe('Fragen')
  release()
  // What was pressed is what opens.
  await page.locator('dialog[open] .question').waitFor()
  expect([await launcher.getAttribute('data-wait'), await launcher.isVisible()]).toEqual(['', false])
})

test.each([1_280, 360])(
  'a panel that cannot be fetched is said on the launcher, to the page and to its owner, and can be tried again: %i px',
  async (width) => {
    await page.setViewportSize({ width, height: 740 })
    world.service.play((request, response) => {
      if (request.url?.includes('/panel-') !== true) return false
      response.destroy()
      return true
    })
    await page.addInitScript(
      "globalThis.heard = []; document.addEventListener('citewell:error', ({ detail }) => heard.push(detail))",
    )
    await openPage(page, world.page(tag()))
    const launcher = page.locator('button[part=launcher]')
    // Without a pointer that comes first: it would fetch once more.
    await launcher.evaluate((button: HTMLElement) => button.click())
    await page.locator('button[data-wait=failed]').waitFor()
    // On a phone the launcher is a sign without words, otherwise.
    expect((await launcher.boundingBox())?.width).toBeGreaterThan(80)
    expect(await launcher.innerText()).toBe('Try again')
    expect(await page.evaluate('heard')).toEqual([{ code: 'PANEL_NOT_LOADED', retryable: true }])
    expect(said.filter((line) => line.startsWith('Citewell: PANEL_NOT_LOADED'))).toHaveLength(1)
    world.service.play(undefined)
    // What comes while the pointer rests there takes nothing away from under it.
    await launcher.hover()
    await page.locator('dialog').waitFor({ state: 'attached' })
    expect(await launcher.innerText()).toBe('Try again')
    await page.mouse.down()
    await page.mouse.up()
    await page.locator('dialog[open]').waitFor()
    expect(await launcher.getAttribute('data-wait')).toBe('')
  },
)

test.each(['Ask', 'the image'])(
  'a press on %s is a press, also if the panel comes before it ends',
  async (on) => {
    const icon = on === 'Ask' ? {} : { 'launcher-icon': `${world.pages.origin}/icon.svg` }
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><path d="M0 0h20v20H0z"/></svg>'
    world.pages.set('/icon.svg', drawing, { 'content-type': 'image/svg+xml' })
    const release = hold('/panel-')
    await openPage(page, world.page({ ...tag(), ...icon }))
    await page.locator(`button[part=launcher] ${on === 'Ask' ? 'span' : 'img'}`).hover()
    await page.mouse.down()
    release()
    await page.locator('dialog').waitFor({ state: 'attached' })
    await page.evaluate('new Promise((wake) => requestAnimationFrame(wake))')
    await page.mouse.up()
    await page.locator('dialog[open]').waitFor()
    expect(await page.locator('button[part=launcher]').getAttribute('aria-expanded')).toBe('true')
  },
)

test('a panel that never comes has failed after a while, and the next press fetches it again', async () => {
  await page.clock.install()
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/panel-') && asked.push(request.url()))
  const release = hold('/panel-')
  await openPage(page, world.page(tag()))
  const launcher = page.locator('button[part=launcher]')
  const press = async () => await launcher.evaluate((button: HTMLElement) => button.click())
  await press()
  await expect.poll(() => asked.length).toBe(1)
  await page.clock.runFor(20_000)
  await page.locator('button[data-wait=failed]').waitFor()
  await press()
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[1]).not.toBe(asked[0])
  release()
  await page.clock.resume()
  await page.locator('dialog[open]').waitFor()
})

test('under the strictest policy everything works, and nothing is reported', async () => {
  const policy = `default-src 'none'; script-src ${world.service.origin}; connect-src ${world.service.origin}; style-src 'none'; img-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
  const headers = { 'content-security-policy': policy }
  await openPanel(page, world.page({ ...tag(), language: 'de' }, { headers }))
  const text =
    '# Title\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) **bold** [1]\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```sh\nacme\n```\n\n![i](https://evil.example/i.png)'
  world.service.play(playChat(answerFrames(text)))
  page.on('dialog', () => said.push('a script ran'))
  await ask(page, 'When?')
  await page.locator('.chip').first().hover()
  await page.locator('.card').waitFor()
  await page.mouse.move(0, 0)
  await page.locator('.card').waitFor({ state: 'detached' })
  await page.getByRole('tab').nth(1).click()
  await page.locator('.search-field input').fill('rotate')
  await page.locator('.result').nth(1).waitFor()
  // The style sheet of the page itself is blocked by this policy.
  expect(said.filter((line) => !line.includes('documentation-page.css'))).toEqual([])
})

test('destroy() takes everything away, and the script may come again', async () => {
  await openPanel(page, world.page({ ...tag(), mode: 'sidebar' }))
  await page.evaluate('Citewell.destroy()')
  expect(await page.locator('citewell-widget').count()).toBe(0)
  expect(await page.evaluate('[typeof Citewell, document.documentElement.style.cssText]')).toEqual([
    'undefined',
    '',
  ])
  await page.keyboard.press('Control+k')
  expect(await page.locator('citewell-widget').count()).toBe(0)
})

test('opening, asking and closing move nothing in the page, whatever its layout', async () => {
  const markup = '<style>body { display: grid; gap: 40px } footer { margin: 0 }</style>'
  world.service.setDown(true)
  const address = world.page(tag(), { markup })
  await page.goto(address)
  const height = async () => await page.evaluate('document.documentElement.scrollHeight')
  const without = await height()
  world.service.setDown(false)
  await openPage(page, address)
  expect(await height()).toBe(without)
  await page.evaluate(
    `globalThis.shifts = []; new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value, sources }) => ({ value, outside: sources.some(({ node }) => node && !node.getRootNode().host) })))).observe({ type: 'layout-shift', buffered: true })`,
  )
  await page.evaluate('scrollTo(0, 200)')
  await page.locator('button[part=launcher]').click()
  await page.locator('dialog[open]').waitFor()
  world.service.play(playChat(answerFrames('Keys are rotated every day [1].\n\n'.repeat(30), {}, 10)))
  await ask(page, 'When?')
  await page.keyboard.press('Escape')
  await page.waitForTimeout(300)
  const shifts = (await page.evaluate('shifts')) as { value: number; outside: boolean }[]
  expect(shifts.filter(({ outside }) => outside)).toEqual([])
  expect(shifts.reduce((sum, { value }) => sum + value, 0)).toBeLessThanOrEqual(0.01)
  expect(await page.evaluate('scrollY')).toBe(200)
})
