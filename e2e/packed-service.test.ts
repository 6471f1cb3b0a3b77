import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../service/test/free-port.ts'
import { openChromium } from './open-chromium.ts'
import { emptyDataDirectory, OWNER_TOKEN, requestsTo, type RunningCitewell } from './run-citewell.ts'

const ROOT = resolve(import.meta.dirname, '..')
const run = promisify(execFile)

/** Pages of the guide that the first start reads. Indexing the whole guide takes half a minute of the processor. */
const READ = new Set(['answering.md', 'asking.md', 'first-knowledge-base.md', 'install.md', 'measuring.md'])

interface FirstStart {
  dataDirectory: string
  address: string
  json: RunningCitewell['json']
  /** Everything that it had printed when it told its address. */
  printed: string
  stop(): Promise<void>
}

/** Folder of the unpacked package. */
let packed: string
let folder: string
/** Names of the pages of the guide in the package. */
let packedGuide: string[]
let first: FirstStart

/** Runs `citewell up` with an empty folder until it prints its address. */
async function startForTheFirstTime(): Promise<FirstStart> {
  const dataDirectory = emptyDataDirectory()
  const child = spawn(process.execPath, [join(packed, 'service/bin/citewell.js'), 'up'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(await freePort()),
      CITEWELL_DATA_DIR: dataDirectory,
      CITEWELL_BOOTSTRAP_TOKEN: OWNER_TOKEN,
    },
  })
  let printed = ''
  const { promise: listening, resolve: ready, reject } = Promise.withResolvers<string>()
  const read = (text: Buffer) => {
    printed += text.toString()
    const address = /^Citewell is at\s+(\S+)/m.exec(printed)?.[1]
    if (address !== undefined) ready(address)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${printed}`)))
  const address = await listening
  return {
    dataDirectory,
    address,
    json: requestsTo(address),
    printed,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

beforeAll(async () => {
  const cache = join(ROOT, 'service/node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  // Below the dependencies of this repository: installing them again would take a minute.
  folder = mkdtempSync(join(cache, 'packed-'))
  const packing = ['--conditions=citewell-source', join(ROOT, 'tools/pack-service.ts'), folder]
  const { stdout } = await run(process.execPath, packing)
  await run('tar', ['xzf', stdout.trim(), '-C', folder])
  packed = join(folder, 'package')
  const guide = join(packed, 'docs/guide')
  packedGuide = readdirSync(guide)
  for (const page of packedGuide) if (!READ.has(page)) rmSync(join(guide, page))
  first = await startForTheFirstTime()
})
afterAll(async () => {
  await first?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The highlighted texts of the page, and whether a reader sees them without scrolling. */
const READ_MARKS = `(() => {
  const marks = [...document.querySelectorAll('mark')]
  const places = marks.map((mark) => mark.getBoundingClientRect())
  return {
    words: marks.map((mark) => mark.textContent).join(''),
    isOnScreen: places.every(({ top, bottom, width }) => top >= 0 && bottom <= innerHeight && width > 0),
  }
})()`

const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()

verifies(
  ['documents.page', 'documents.url'],
  'the first citation of the first answer opens at the cited words, visible and highlighted',
  async () => {
    const { printed } = first
    const [, quoted] = /^> ((?:.+\n> ?)*.*?)\[1\]$/m.exec(printed) ?? []
    const [, address] = /^\[1\] .*\n\s+(https?:\S+)$/m.exec(printed) ?? []
    expect([printed, quoted, address].map((text) => typeof text)).toEqual(['string', 'string', 'string'])

    const browser = await openChromium()
    try {
      for (const viewport of [
        { width: 390, height: 844 },
        { width: 1280, height: 720 },
      ]) {
        const page = await browser.newPage({ viewport })
        const answer = await page.goto(address ?? '')
        expect(answer?.status()).toBe(200)
        const { words, isOnScreen } = await page.evaluate<{ words: string; isOnScreen: boolean }>(READ_MARKS)
        expect(isOnScreen).toBe(true)
        // Of several sentences quoted as one, the address names the one before the number.
        expect(letters(words).length).toBeGreaterThan(15)
        expect(letters(quoted ?? '')).toContain(letters(words))
      }
    } finally {
      await browser.close()
    }
  },
)

verifies(
  'running.database-url',
  'without DATABASE_URL a first start makes the storage in the data directory',
  () => {
    expect(readFileSync(join(first.dataDirectory, 'database/PG_VERSION'), 'utf8')).toBe('18\n')
  },
)

test('the packed service has the widget and the dashboard with it, and answers without the sources', async () => {
  const { address, json } = first
  const files = readdirSync(join(packed, 'service'), { recursive: true }) as string[]
  expect(packedGuide).toEqual(readdirSync(join(ROOT, 'docs/guide')))
  expect(files.filter((file) => /\.ts$|\.test\./.test(file))).toEqual([])
  const read = async (path: string) => await fetch(new URL(path, address), { redirect: 'manual' })
  const { version, files: built } = (await (await read('/widget/manifest.json')).json()) as {
    version: string
    files: Record<string, unknown>
  }
  expect(Object.keys(built)).not.toEqual([])
  expect((await read(`/widget/${version}/widget.js`)).status).toBe(200)
  expect(readdirSync(join(packed, 'dashboard/dist'))).toContain('index.html')
  // Its parser runs in a process of its own, its model and its storage in threads.
  const base = await json<{ id: string; client_key: { key: string } }>('POST', '/api/v1/knowledge-bases', {
    name: 'Packed',
  })
  const of = `/api/v1/knowledge-bases/${base.id}`
  const source = await json<{ id: string }>('POST', `${of}/sources`, {
    type: 'push',
    name: 'pages',
    config: {},
  })
  await json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Keys',
        url: 'https://docs.example.com/keys',
        html: '<h1>Keys</h1><p>Keys are rotated every day at midnight.</p>',
      },
    ],
  })
  const answer = await fetch(new URL(`/api/v1/public/knowledge-bases/${base.id}/chat`, address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-client-key': base.client_key.key },
    body: JSON.stringify({ query: 'When are keys rotated?' }),
  })
  expect(await answer.text()).toContain('rotated every day at midnight')
})
