import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openComposed } from '../../../test/open-composed.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { acceptedEncoding } from '../../platform/http/accepted-encoding.ts'
import { openWidgetFolder } from './widget-folder.ts'

interface Manifest {
  version: string
  files: { file: string; path: string; bytes: number; gz: number; sha384: string }[]
}

let folder: string
let storage: TestStorage
/** The real build, served by the composed service. */
let dist: string
let served: Awaited<ReturnType<typeof openComposed>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'citewell-widget-files-'))
  storage = await openTestStorage()
  dist = await openWidgetFolder({ signal: new AbortController().signal, report: () => {} })
  served = await openComposed({ storage })
}, 200_000)
afterAll(async () => {
  await served.close()
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET', from = served) =>
  from.service.fetch(new Request(`http://localhost${path}`, { method, headers }))
const manifestOf = async (from = served) =>
  (await (await get('/widget/manifest.json', {}, 'GET', from)).json()) as Manifest
const sha384 = (bytes: Uint8Array) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

const FOR_PAGES = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}
const SHORT = 'public, max-age=300, stale-while-revalidate=86400'

test('the loader is kept for minutes, files of a version for ever, and pages of every origin may load them', async () => {
  const { version, files } = await manifestOf()
  const pages = ['/widget.js', '/widget/manifest.json', ...files.map(({ path }) => path)]

  expect(files.length).toBeGreaterThan(1)
  for (const path of pages) {
    const response = await get(path)
    expect([path, response.status]).toEqual([path, 200])
    const isForEver = path.startsWith(`/widget/${version}/`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...FOR_PAGES,
      'cache-control': isForEver ? 'public, max-age=31536000, immutable' : SHORT,
      'content-type': path.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'application/json',
    })
    expect(response.headers.get('set-cookie')).toBeNull()
  }
})

test('each encoding is the same file, which is the one of the manifest', async () => {
  const { files } = await manifestOf()
  const decode = { br: brotliDecompressSync, gzip: gunzipSync } as const

  for (const { path, sha384: expected, bytes, gz } of files) {
    const plain = await get(path)
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.headers.get('vary')).toBe('Accept-Encoding')
    const read = await bytesOf(plain)
    expect([path, read.byteLength, sha384(read)]).toEqual([path, bytes, expected])
    for (const encoding of ['br', 'gzip'] as const) {
      const packed = await get(path, { 'accept-encoding': encoding })
      const content = await bytesOf(packed)
      expect(packed.headers.get('content-encoding')).toBe(encoding)
      expect(packed.headers.get('content-length')).toBe(String(content.byteLength))
      expect(sha384(decode[encoding](content))).toBe(expected)
      expect(content.byteLength).toBeLessThanOrEqual(gz)
    }
  }
})

test('a file that the client has is not sent again, and HEAD sends none', async () => {
  const { files } = await manifestOf()
  for (const path of ['/widget.js', files[0]?.path ?? '']) {
    const etags = await Promise.all(
      ['br', 'gzip', ''].map(async (encoding) =>
        (await get(path, { 'accept-encoding': encoding })).headers.get('etag'),
      ),
    )
    expect(new Set(etags).size).toBe(3)
    for (const etag of etags) {
      const known = await get(path, { 'if-none-match': `"other", W/${etag}`, 'accept-encoding': 'br' })
      expect([known.status, await known.text()]).toEqual([304, ''])
      expect(known.headers.get('etag')).toMatch(/^"[\w+/-]{20,}-br"$/)
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    const head = await get(path, { 'accept-encoding': 'br' }, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe(etags[0])
  }
})

test('what the build did not write is not there', async () => {
  const { version } = await manifestOf()
  for (const path of [
    `/widget/${version}/files.json`,
    `/widget/${version}/built-from`,
    `/widget/${version}/widget.js.br`,
    `/widget/${version}/..%2f..%2fsecret-key`,
    `/widget/${version}/%2e%2e%2fsecret-key`,
    `/widget/..%2f${version}/widget.js`,
    `/widget/../secret-key`,
    `/widget/0.0.0-000000000000/widget.js`,
    `/widget/${version}`,
    '/widget',
    '/widget/panel.js',
    '/widget/__proto__/constructor',
  ]) {
    const response = await get(path)
    expect([path, response.status]).toEqual([path, 404])
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' })
  }
  expect((await get('/widget.js', {}, 'POST')).status).toBe(404)
})

/** A build of another version: its loader alone, with a mark. Compressing all files takes a second. */
async function makeBuild(version: string): Promise<string> {
  const made = join(folder, version)
  await mkdir(made)
  const manifest = JSON.parse(await readFile(join(dist, 'files.json'), 'utf8')) as Manifest
  const files = manifest.files.filter(({ file }) => file === 'widget.js')
  expect(files).toHaveLength(1)
  await writeFile(join(made, 'files.json'), JSON.stringify({ ...manifest, version, files }))
  await writeFile(join(made, 'widget.js'), `// ${version}\n`)
  return made
}

test('the last three versions stay where pages have them, also after a restart', async () => {
  const kept = join(folder, 'data')
  const made = []
  for (const at of [1, 2, 3, 4]) made.push(await makeBuild(`1.0.${at}-aaaaaaaaaaa${at}`))
  await mkdir(kept)
  let current: Awaited<ReturnType<typeof openComposed>> | undefined
  for (const build of made) {
    await current?.close()
    current = await openComposed({
      storage,
      surroundings: { openWidgetFolder: () => Promise.resolve(build) },
      dataDirectory: kept,
    })
    await manifestOf(current)
  }
  if (current === undefined) throw new Error('nothing was composed')
  const loaderOf = async (version: string) => {
    const response = await get(`/widget/${version}/widget.js`, {}, 'GET', current)
    return response.status === 200 ? await response.text() : response.status
  }

  expect(await (await get('/widget.js', {}, 'GET', current)).text()).toBe('// 1.0.4-aaaaaaaaaaa4\n')
  expect(await loaderOf('1.0.4-aaaaaaaaaaa4')).toBe('// 1.0.4-aaaaaaaaaaa4\n')
  expect(await loaderOf('1.0.3-aaaaaaaaaaa3')).toBe('// 1.0.3-aaaaaaaaaaa3\n')
  expect(await loaderOf('1.0.2-aaaaaaaaaaa2')).toBe('// 1.0.2-aaaaaaaaaaa2\n')
  expect(await loaderOf('1.0.1-aaaaaaaaaaa1')).toBe(404)
  await current.close()
})

test('files that cannot be kept are served from the build; a failed build is said, and tried again later', async () => {
  const file = join(folder, 'not-a-folder')
  await writeFile(file, '')
  const build = await makeBuild('2.0.0-bbbbbbbbbbbb')
  const full = await openComposed({
    storage,
    dataDirectory: file,
    surroundings: { openWidgetFolder: () => Promise.resolve(build) },
  })
  expect(await (await get('/widget.js', { 'accept-encoding': 'br' }, 'GET', full)).text()).toBe(
    '// 2.0.0-bbbbbbbbbbbb\n',
  )
  await full.close()

  const broken = await openComposed({
    storage,
    surroundings: { openWidgetFolder: () => Promise.reject(new Error('no bundler')) },
  })
  const refused = await get('/widget.js', {}, 'GET', broken)
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { code: 'UNAVAILABLE', retryable: true },
  ])
  await broken.close()
})

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['*', 'br'],
  ['identity;q=1, *;q=0', 'identity'],
  ['BR', 'br'],
])('Accept-Encoding %s gets %s', (header, expected) => {
  expect(acceptedEncoding(header)).toBe(expected)
})
