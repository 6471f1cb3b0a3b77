import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFakeSite, textFile, type FakePage, type FakeSite } from '../../../../test/fake-site.ts'
import { createKeptParsing } from '../../../../test/kept-parsing.ts'
import { createSourceReader, websiteConfig } from '../../../../test/read-source.ts'
import { addressKind, parseAddress } from '../../../platform/outbound/address-kind.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { findChromium } from './find-chromium.ts'
import { createPageRenderer } from './render-page.ts'
import { createWeb } from './web-reader.ts'
import { createWebsiteConnector } from './website.ts'

const chromium = await findChromium(undefined)

/**
 * The address that plays the internet in these tests; everything else on this machine is a private network that the operator has allowed.
 */
const INTERNET = '127.0.0.2'
const webPorts: number[] = []
const names: Record<string, string[]> = {
  'page.test': [INTERNET],
  'shop.test': [INTERNET],
  'wiki.test': ['127.0.0.1'],
  'intranet.test': ['127.0.0.1'],
}
const outbound = createOutbound({
  allowPrivateNetwork: true,
  lookup: async (hostname) => names[hostname] ?? [],
  networkEnvironment: {
    kindOf: (address) =>
      address.toString() === INTERNET ? 'public' : addressKind(parseAddress(address.toString()) ?? address),
    webPorts,
  },
})

const html = (body: string): FakePage => ({
  headers: { 'content-type': 'text/html' },
  body: `<!doctype html><title>App</title><body><div id="root"></div>${body}</body>`,
})
const script = (source: string) => html(`<script>${source}</script>`)

/** A script that makes several attempts in order, and writes the outcome of each to the page. */
const trying = (attempts: Record<string, string>) =>
  script(`
    const told = []
    const soon = (work) => Promise.race([work, new Promise((resolve) => setTimeout(() => resolve('nothing'), 2500))])
    const attempt = async (name, work) => {
      try { told.push(name + '=' + (await soon(work()))) } catch (error) { told.push(name + '=refused') }
    }
    ;(async () => {
      await Promise.all([
      ${Object.entries(attempts)
        .map(([name, work]) => `attempt(${JSON.stringify(name)}, async () => { ${work} })`)
        .join(',\n')}
      ])
      const main = document.createElement('main')
      main.innerHTML = '<h1>Told</h1><p>' + 'A page that tries what it can. '.repeat(10) + '</p><pre></pre>'
      main.querySelector('pre').textContent = told.join(' ')
      document.getElementById('root').append(main)
    })()`)

describe.skipIf(chromium === undefined)('attacks by the scripts of a page', () => {
  const parsing = createKeptParsing()
  let page: FakeSite
  let shop: FakeSite
  let inside: FakeSite
  const renderer = createPageRenderer({ chromiumPath: chromium, sandbox: 'on', pageTimeoutMs: 6_000 })
  /** For pages that go on until they are ended, with the processor that they get. */
  const impatient = createPageRenderer({ chromiumPath: chromium, sandbox: 'on', pageTimeoutMs: 3_000 })
  beforeAll(async () => {
    page = await startFakeSite({}, INTERNET)
    shop = await startFakeSite({}, INTERNET)
    inside = await startFakeSite()
    for (const site of [page, shop]) webPorts.push(Number(new URL(site.origin).port))
  })
  afterAll(async () => {
    await Promise.all([renderer.close(), impatient.close()])
    await outbound.close()
    await Promise.all([page, shop, inside].map(async (site) => await site[Symbol.asyncDispose]()))
  })
  const named = (site: FakeSite, name: string) => `http://${name}:${new URL(site.origin).port}`
  const newReader = (through = renderer) =>
    createSourceReader(
      createWebsiteConnector(
        createWeb({
          outbound,
          parse: (input, signal) => parsing.parse(input, signal),
          parseSitemap: (...given) => parsing.parseSitemap(...given),
          renderer: through,
          parallelPerHost: 4,
        }),
      ),
    )
  const config = (start: string) =>
    websiteConfig({ start_urls: [start], render_js: true, use_sitemap: false, max_pages: 1 })
  /** The outcomes that the page wrote. */
  async function told(start: string, through = renderer): Promise<Record<string, string>> {
    const reading = await newReader(through)(config(start))
    const text = JSON.stringify(reading.items.filter((item) => item.kind === 'document'))
    expect(text).toContain('A page that tries')
    return Object.fromEntries([...text.matchAll(/(\w+)=(\w+)/g)].map(([, name, what]) => [name, what]))
  }
  const pathsOf = (site: FakeSite) =>
    site.requests.map(({ method, path }) => `${method} ${path}`).filter((path) => !path.includes('robots'))

  verifies(
    'sources.rendered-origins',
    'other origins are readable only with CORS, and get no request that needs a preflight they do not allow',
    async () => {
      shop.forget()
      const other = named(shop, 'shop.test')
      const allowing = { 'access-control-allow-origin': '*' }
      shop.set('/open', { headers: allowing, body: 'OPEN' })
      shop.set('/closed', textFile('CLOSED'))
      page.set('/own', textFile('OWN'))
      page.set('/kept', (_asked, request) => ({ body: request.method === 'POST' ? 'POSTED' : 'READ' }))
      page.set(
        '/',
        trying({
          own: `return (await fetch('/own')).text()`,
          ownpost: `return (await fetch('/kept', { method: 'POST', body: 'x' })).text()`,
          ownput: `return (await fetch('/kept', { method: 'PUT', body: 'x' })).text()`,
          open: `return (await fetch('${other}/open')).text()`,
          closed: `return (await fetch('${other}/closed')).text()`,
          header: `return (await fetch('${other}/open?header', { headers: { 'x-admin': '1', authorization: 'Bearer x' } })).text()`,
          put: `return (await fetch('${other}/open?put', { method: 'PUT', body: 'x' })).text()`,
          post: `return (await fetch('${other}/open?post', { method: 'POST', mode: 'no-cors', body: 'x' })).type`,
          beacon: `navigator.sendBeacon('${other}/open?beacon', 'x'); return 'sent'`,
          form: `const form = Object.assign(document.createElement('form'), { method: 'post', action: '${other}/open?form', target: 'f' });
            const frame = Object.assign(document.createElement('iframe'), { name: 'f' }); document.body.append(frame, form); form.submit(); return 'sent'`,
          worker: `const source = "fetch('${other}/open?worker', { method: 'POST', mode: 'no-cors', body: 'x' }).then(() => postMessage('sent'), () => postMessage('refused'))";
            const worker = new Worker(URL.createObjectURL(new Blob([source]))); return new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data) })`,
        }),
      )
      expect(await told(`${named(page, 'page.test')}/`)).toMatchObject({
        own: 'OWN',
        ownpost: 'POSTED',
        ownput: 'refused',
        open: 'OPEN',
        closed: 'refused',
        header: 'refused',
        put: 'refused',
        post: 'refused',
        worker: 'refused',
      })
      expect(pathsOf(shop).toSorted()).toEqual(['GET /closed', 'GET /open', 'OPTIONS /open?header'])
    },
  )

  verifies(
    'sources.rendered-private',
    'a public page cannot reach private networks in any way, even if they are allowed',
    async () => {
      inside.forget()
      const ways = ['wiki.test', '127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']
      const { port } = new URL(inside.origin)
      inside.set('/', { headers: { 'access-control-allow-origin': '*' }, body: 'SECRET' })
      const attempts: [string, string][] = ways.flatMap((host, at) => {
        const target = `http://${host}:${port}/`
        return [
          [`read${at}`, `return (await fetch('${target}')).text()`],
          [`blind${at}`, `return (await fetch('${target}', { mode: 'no-cors' })).type`],
          [`redirected${at}`, `return (await fetch('/to-inside-${at}')).text()`],
          [
            `socket${at}`,
            `return new Promise((resolve) => { const s = new WebSocket('ws://${host}:${port}/'); s.onopen = () => resolve('open'); s.onerror = () => resolve('refused') })`,
          ],
          [
            `frame${at}`,
            `document.body.append(Object.assign(document.createElement('iframe'), { src: '${target}' })); return 'tried'`,
          ],
          [`image${at}`, `new Image().src = '${target}'; return 'tried'`],
          [
            `code${at}`,
            `document.head.append(Object.assign(document.createElement('script'), { src: '${target}' })); return 'tried'`,
          ],
          [`popup${at}`, `window.open('${target}'); return 'tried'`],
          [
            `hint${at}`,
            `for (const rel of ['preconnect', 'prefetch', 'preload', 'modulepreload']) document.head.append(Object.assign(document.createElement('link'), { rel, href: '${target}' })); return 'tried'`,
          ],
          [
            `imported${at}`,
            `const w = new Worker(URL.createObjectURL(new Blob(["importScripts('${target}')"]))); return 'tried'`,
          ],
        ]
      })
      ways.forEach((host, at) =>
        page.set(`/to-inside-${at}`, { status: 302, headers: { location: `http://${host}:${port}/` } }),
      )
      page.set('/', trying(Object.fromEntries(attempts)))
      const came = await told(`${named(page, 'page.test')}/`)
      expect(Object.keys(came)).toEqual(expect.arrayContaining(attempts.map(([name]) => name)))
      for (const leaked of ['SECRET', 'opaque', 'open']) expect(Object.values(came)).not.toContain(leaked)
      expect(inside.requests).toEqual([])
    },
  )

  verifies(
    'sources.rendered-private',
    'no script, refresh, form or redirect leads a public page into a private network',
    async () => {
      const to = `${named(inside, 'intranet.test')}/`
      const leadings: Record<string, FakePage> = {
        script: script(`location = '${to}'`),
        refresh: html(`<meta http-equiv="refresh" content="0; url=${to}">`),
        form: html(`<form action="${to}"></form><script>document.forms[0].submit()</script>`),
        redirect: (asked) =>
          asked === 0
            ? { headers: { 'content-type': 'text/html' }, body: '<title>x</title>' }
            : { status: 302, headers: { location: to } },
      }
      inside.set('/', {
        headers: { 'content-type': 'text/html' },
        body: '<p>SECRET of the intranet, in many words. '.repeat(20),
      })
      for (const [name, leading] of Object.entries(leadings)) {
        inside.forget()
        page.forget()
        const path = `/leading-${name}`
        page.set(path, leading)
        const reading = await newReader()(config(`${named(page, 'page.test')}${path}`)).catch(String)
        expect([name, JSON.stringify(reading)]).not.toEqual([name, expect.stringContaining('SECRET')])
        // It was rendered, not only read.
        expect(page.requests.filter((asked) => asked.path === path).length).toBeGreaterThan(1)
        expect([name, inside.requests]).toEqual([name, []])
      }
    },
    60_000,
  )

  test('a page of an allowed private network reads its neighbours only with CORS', async () => {
    const neighbour = named(inside, 'intranet.test')
    inside.set('/api', { headers: { 'access-control-allow-origin': '*' }, body: 'NEIGHBOUR' })
    inside.set('/closed', textFile('CLOSED'))
    inside.set(
      '/app',
      trying({
        open: `return (await fetch('${neighbour}/api')).text()`,
        closed: `return (await fetch('${neighbour}/closed')).text()`,
      }),
    )
    expect(await told(`${named(inside, 'wiki.test')}/app`)).toMatchObject({
      open: 'NEIGHBOUR',
      closed: 'refused',
    })
  })

  test('DNS rebinding does not let a public page reach a private host', async () => {
    inside.forget()
    inside.set('/own', textFile('SECRET'))
    const { port } = new URL(page.origin)
    let lookups = 0
    names['rebind.test'] = [INTERNET]
    page.set('/rebind', trying({ own: `return (await fetch('/own')).text()` }))
    page.set('/own', (_asked, request) => {
      request.socket.destroy()
      return undefined
    })
    const before = names['rebind.test']
    Object.defineProperty(names, 'rebind.test', {
      configurable: true,
      get: () => {
        lookups += 1
        return lookups <= 2 ? before : ['127.0.0.1']
      },
    })
    // The same port on a private address of this machine.
    await using trap = await startFakeSite({ '/own': textFile('SECRET') }, '127.0.0.1', Number(port))
    const came = await told(`http://rebind.test:${port}/rebind`)
    expect(came['own']).toBe('refused')
    expect(trap.requests).toEqual([])
  })

  test('a page that exceeds its limits is ended, and the next one is rendered', async () => {
    const hostile = {
      '/loop': script('for (;;) {}'),
      '/late-loop': script('setTimeout(() => { for (;;) {} }, 200)'),
      '/dom': script(
        `const text = 'x'.repeat(1e6); for (;;) document.getElementById('root').append(text, document.createElement('p'))`,
      ),
      '/buffers': script(
        `window.kept = []; setInterval(() => window.kept.push(new Uint8Array(5e7).fill(1)), 5)`,
      ),
      '/large': script(`document.getElementById('root').textContent = 'x'.repeat(1.1e7)`),
      '/popups': script(`setInterval(() => window.open('/popups'), 1)`),
      '/dialogs': script(`for (let i = 0; i < 100; i += 1) { alert(i); confirm(i); print() }`),
      '/history': script(
        `let i = 0; setInterval(() => { history.pushState({}, '', '/history?' + (i += 1)); location.hash = i }, 1)`,
      ),
      '/requests': script(`for (let i = 0; i < 500; i += 1) fetch('/own?' + i).catch(() => {})`),
    }
    for (const [path, standing] of Object.entries(hostile)) page.set(path, standing)
    page.set('/fine', trying({ sum: 'return 1 + 1' }))
    page.forget()
    const took: Record<string, number> = {}
    await Promise.all(
      Object.keys(hostile).map(async (path) => {
        const started = performance.now()
        await newReader(impatient)(config(`${named(page, 'page.test')}${path}`)).catch(() => {})
        took[path] = performance.now() - started
      }),
    )
    const asked = Object.groupBy(page.requests, ({ path }) => path.split('?', 1)[0] ?? '')
    expect(Object.entries(took).filter(([, milliseconds]) => milliseconds > 120_000)).toEqual([])
    expect(Object.values(asked).filter((requests) => (requests?.length ?? 0) > 250)).toEqual([])
    // A busy machine may not render it within the time of the others at once.
    const fine = async () => await told(`${named(page, 'page.test')}/fine`, impatient).catch(String)
    await expect.poll(fine, { timeout: 60_000 }).toMatchObject({ sum: '2' })
  }, 300_000)
})
