import { verifies } from '@citewell/spec/verifies'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { htmlPage, startFakeSite } from '../../../../test/fake-site.ts'
import { createKeptParsing } from '../../../../test/kept-parsing.ts'
import { createSourceReader, websiteConfig } from '../../../../test/read-source.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { findChromium } from './find-chromium.ts'
import { createPageRenderer } from './render-page.ts'
import { createWeb } from './web-reader.ts'
import { createWebsiteConnector } from './website.ts'

const chromium = await findChromium(undefined)

const shell = (script: string) => ({
  headers: { 'content-type': 'text/html' },
  body: `<!doctype html><title>App</title><div id="root"></div><script>${script}</script>`,
})
const write = (html: string) => `document.getElementById('root').innerHTML = ${JSON.stringify(html)}`

describe.skipIf(chromium === undefined)('pages written by scripts', () => {
  const parsing = createKeptParsing()
  // Reachable by host name only: the browser must not reach this machine under any other name.
  const outbound = createOutbound({ allowPrivateNetwork: ['docs.test'], lookup: async () => ['127.0.0.1'] })
  const renderer = createPageRenderer({ chromiumPath: chromium, sandbox: 'on' })
  afterAll(async () => {
    await renderer.close()
    await outbound.close()
  })
  const newReader = () =>
    createSourceReader(
      createWebsiteConnector(
        createWeb({
          outbound,
          parse: (input, signal) => parsing.parse(input, signal),
          parseSitemap: (...given) => parsing.parseSitemap(...given),
          renderer,
          parallelPerHost: 4,
        }),
      ),
    )
  const named = (origin: string) => origin.replace('127.0.0.1', 'docs.test')

  verifies(
    'sources.render-js',
    'pages that are empty without their scripts are rendered, including their links and fetched data',
    async () => {
      const prose = 'Written by a script from what it fetched. '.repeat(10)
      await using site = await startFakeSite({
        '/': htmlPage('Start', 'Plain text that needs no script at all. '.repeat(10), { links: ['/app'] }),
        '/app': shell(
          `fetch('/data.json').then((answer) => answer.json()).then(({ text }) => {
          document.title = 'Rendered'
          document.getElementById('root').innerHTML = '<main><h1>Rendered</h1><p>' + text + '</p><a href="/behind">b</a></main>'
        })`,
        ),
        '/data.json': {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ text: prose }),
        },
        '/behind': htmlPage('Behind', 'Found in a rendered page, and plain again. '.repeat(10)),
      })
      const reader = newReader()
      const config = websiteConfig({ start_urls: [`${named(site.origin)}/`], render_js: 'auto' })
      const first = await reader(config)
      expect(first.documents).toEqual(['/', '/app', '/behind'])
      expect(JSON.stringify(first.items)).toContain('Written by a script')
      const second = await reader(config)
      expect(second.unchanged).toEqual(['/', '/app', '/behind'])
    },
  )

  test('rendered pages cannot reach anything that the service itself would not', async () => {
    let touched = 0
    const canary = createServer((socket) => {
      touched += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    const { port } = canary.address() as AddressInfo
    const inside = `127.0.0.1:${port}`
    const hostile = `
      for (const host of ['${inside}', 'localhost:${port}']) {
        fetch('http://' + host + '/').catch(() => {})
        new Image().src = 'http://' + host + '/x.png'
        try { new WebSocket('ws://' + host + '/') } catch {}
        new EventSource('http://' + host + '/')
        navigator.sendBeacon('http://' + host + '/', 'x')
        for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'stylesheet', 'modulepreload']) {
          const link = Object.assign(document.createElement('link'), { rel, href: 'http://' + host + '/' + rel })
          document.head.append(link)
        }
        const frame = Object.assign(document.createElement('iframe'), { src: 'http://' + host + '/frame' })
        document.body.append(frame)
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'turn:' + host + '?transport=tcp', username: 'a', credential: 'b' }] })
        peer.createDataChannel('x')
        peer.createOffer().then((offer) => peer.setLocalDescription(offer))
      }
      ${write('<main><h1>Busy</h1></main>')}
      document.querySelector('main').append('A page that tries every way out of the browser. '.repeat(10))`
    await using site = await startFakeSite({ '/': shell(hostile) })
    const config = websiteConfig({ start_urls: [`${named(site.origin)}/`], render_js: true })
    const reading = await newReader()(config)
    await new Promise((resolve) => canary.close(resolve))
    expect(reading.documents).toEqual(['/'])
    expect(touched).toBe(0)
  })

  test('a page whose scripts never finish is ended by the timeout', async () => {
    const prose = 'Text that is there before the clock ticks. '.repeat(10)
    await using site = await startFakeSite({
      '/': shell(
        `${write(`<main><p>${prose}</p></main>`)}; alert('hello'); setInterval(() => fetch('/tick'), 50)`,
      ),
      '/tick': { body: 'tock' },
    })
    const config = websiteConfig({ start_urls: [`${named(site.origin)}/`], render_js: true })
    expect((await newReader()(config)).documents).toEqual(['/'])
  })
})

test('render_js without a browser is refused with a readable message', async () => {
  const outbound = createOutbound({ allowPrivateNetwork: ['127.0.0.1'] })
  await using site = await startFakeSite({ '/': htmlPage('Start', 'text') })
  const parse = async () => {
    throw new Error('not reached')
  }
  const renderer = createPageRenderer({ chromiumPath: '/nowhere/chromium', sandbox: 'on' })
  const web = createWeb({ outbound, parse, parseSitemap: parse, renderer, parallelPerHost: 4 })
  const reading = createSourceReader(createWebsiteConnector(web))(
    websiteConfig({ start_urls: [`${site.origin}/`], render_js: true }),
  )
  await expect(reading).rejects.toThrow(/Chromium was not found.*render_js/)
  await outbound.close()
})
