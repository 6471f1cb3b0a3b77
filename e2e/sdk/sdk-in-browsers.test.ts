import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { launch } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { openSharedCitewell, openSharedSdk, type SharedCitewell } from '../shared-citewell.ts'
import type { InstalledSdk } from './pack-sdk.ts'

const PAGE = `<!doctype html><title>Docs</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'nonce-1'; connect-src CITEWELL SOCKET; require-trusted-types-for 'script'; trusted-types 'none'">
<script type="importmap" nonce="1">{"imports": {"@citewell/sdk": "/client.js", "@citewell/sdk/": "/"}}</script>
<script type="module" src="/program.js"></script>`

/** Runs in the page: what a site does that imports the published files without a build. */
const PROGRAM = `
import { createClient, CitewellError } from '@citewell/sdk'
import { createAltcha } from '@citewell/sdk/captcha.js'
import { createSocket } from '@citewell/sdk/socket.js'
import { createManagement } from '@citewell/sdk/management.js'

const options = OPTIONS
const captcha = createAltcha(options)
const client = createClient({ ...options, captcha })
async function main() {
  const bare = await createClient(options).search('keys').catch((error) => error)
  const types = []
  let done
  for await (const frame of client.ask('When are signing keys rotated?')) {
    if (frame.type !== types.at(-1)) types.push(frame.type)
    if (frame.type === 'done') done = frame
  }
  const found = await client.search('signing keys')
  const rated = await client.rate(done.messageId, 'up')
  await client.withdraw(done.messageId)
  const socket = createSocket(options)
  const over = await createClient({ ...options, captcha, transport: socket }).ask('When are signing keys rotated?').final()
  socket.close()
  const answer = client.ask('When are signing keys rotated?')
  for await (const frame of answer) break
  const left = await answer.final().catch((error) => error)
  const unknown = await createClient({ ...options, clientKey: 'cw_pk_wrong', retries: 0 }).suggested().catch((error) => error)
  let secret
  try { createManagement({ endpoint: options.endpoint, accessToken: 'x' }) } catch (error) { secret = error.name }
  return {
    bare: [bare instanceof CitewellError, bare.code],
    types,
    text: done.text.includes('once a day'),
    same: over.text === done.text,
    found: found.results[0].title,
    rated: rated.vote,
    left: left.code,
    unknown: [unknown.code, unknown.status, typeof unknown.requestId],
    secret,
    cookies: document.cookie,
  }
}
globalThis.ran = main()
`

let citewell: SharedCitewell
let installed: InstalledSdk
let site: ReturnType<typeof createServer>
let address: string

beforeAll(async () => {
  citewell = await openSharedCitewell('proof of work')
  const base = await citewell.json<{ id: string; client_key: { key: string } }>(
    'POST',
    '/api/v1/knowledge-bases',
    { name: 'Docs' },
  )
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'Docs',
    config: {},
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Rotating signing keys',
        url: 'https://docs.example.com/keys',
        markdown: '# Rotating signing keys\n\nSigning keys are rotated once a day, at midnight.',
      },
    ],
  })
  installed = await openSharedSdk()
  const dist = join(installed.folder, 'node_modules/@citewell/sdk/dist')
  const options = { endpoint: citewell.address, knowledgeBaseId: base.id, clientKey: base.client_key.key }
  const page = PAGE.replace('CITEWELL', citewell.address).replace(
    'SOCKET',
    citewell.address.replace('http', 'ws'),
  )
  site = createServer(({ url = '/' }, response) => {
    if (url === '/') return void response.setHeader('content-type', 'text/html').end(page)
    response.setHeader('content-type', 'text/javascript')
    if (url === '/program.js') return void response.end(PROGRAM.replace('OPTIONS', JSON.stringify(options)))
    try {
      response.end(readFileSync(join(dist, basename(url))))
    } catch {
      response.writeHead(404).end()
    }
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  // Another host than the service's, so that it is another origin and another site.
  address = `http://localhost:${(site.address() as AddressInfo).port}/`
})
afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await citewell.stop()
  installed[Symbol.dispose]()
})

/** Waits for the program, as `page.evaluate` of either driver runs it. */
const RESULT =
  'new Promise((done) => { const look = () => globalThis.ran ? done(globalThis.ran) : setTimeout(look, 20); look() })'

const EXPECTED = {
  bare: [true, 'CAPTCHA_REQUIRED'],
  types: ['start', 'delta', 'done'],
  text: true,
  same: true,
  found: 'Rotating signing keys',
  rated: 'up',
  left: 'CANCELLED',
  unknown: ['UNAUTHENTICATED', 401, 'string'],
  secret: 'TypeError',
  cookies: '',
}

test('the published files work unbundled in a page of another origin, in Chromium under a strict policy', async () => {
  await using browser = await openChromium()
  const page = await browser.newPage()
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(String(error)))
  await page.goto(address)
  expect(await page.evaluate(RESULT)).toEqual(EXPECTED)
  // Chromium tells of each refused response.
  expect(said.filter((line) => !/status of (?:401|403)/.test(line))).toEqual([])
})

const FIREFOX = '/usr/bin/firefox-esr'

test.skipIf(!existsSync(FIREFOX))('and in Firefox', { tags: ['long'] }, async () => {
  const browser = await launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
  })
  try {
    const page = await browser.newPage()
    await page.goto(address)
    expect(await page.evaluate(RESULT)).toEqual(EXPECTED)
  } finally {
    await browser.close()
  }
})
