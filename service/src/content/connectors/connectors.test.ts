import { verifies } from '@citewell/spec/verifies'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { htmlPage, redirectTo, sitemapOf, startFakeSite, textFile } from '../../../test/fake-site.ts'
import { createKeptParsing } from '../../../test/kept-parsing.ts'
import { createSourceReader, websiteConfig } from '../../../test/read-source.ts'
import { createLocalPaths } from '../../platform/files/local-paths.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { createConnectors, createPageRenderer, type UploadedFile } from './connectors.ts'

const parsing = createKeptParsing()
const outbound = createOutbound({ allowPrivateNetwork: ['127.0.0.1'] })
const uploads: UploadedFile[] = []
afterAll(async () => {
  await outbound.close()
})
const newConnectors = (roots: string[] = []) =>
  createConnectors({
    outbound,
    parsing,
    listFiles: async () => uploads,
    renderer: createPageRenderer({ chromiumPath: '/nowhere', sandbox: 'on' }),
    parallelPerHost: 4,
    localPaths: createLocalPaths({ roots: () => roots, never: [] }),
    knownHosts: '/nowhere',
  })
const signal = new AbortController().signal
const text = (about: string) => `This page is about ${about}. `.repeat(4)

const PETS = {
  openapi: '3.0.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: { operationId: 'listPets', summary: 'List pets', responses: { 200: { description: 'Pets' } } },
      post: { summary: 'Add a pet', responses: { 201: { description: 'Added' } } },
    },
  },
}

verifies('sources.sitemap', 'a sitemap source reads the pages of its sitemap and no others', async () => {
  await using site = await startFakeSite({
    '/a': htmlPage('A', text('a'), { links: ['/d'] }),
    '/b': htmlPage('B', text('b')),
    '/d': htmlPage('D', text('d')),
    '/old': redirectTo('/b'),
  })
  const listed = sitemapOf(site.origin, ['/a', '/old', '/gone', '/internal/x'])
  site.set('/sitemap.xml.gz', {
    headers: { 'content-type': 'application/gzip' },
    body: gzipSync(String(listed.body)),
  })
  const {
    start_urls: _none,
    max_depth: _neither,
    use_sitemap: _nor,
    ...page
  } = websiteConfig({ start_urls: [] })
  const config = { ...page, exclude: ['/internal/**'], sitemap_url: `${site.origin}/sitemap.xml.gz` }
  const read = createSourceReader(newConnectors().connectorOf('sitemap'))
  const reading = await read(config)
  expect(reading.documents).toEqual(['/a', '/b'])
  expect(reading.skipped['/gone']).toBe('not found (404)')
  expect(reading.leftOut).toEqual({ '/internal/x': 'excluded by the pattern /internal/**' })

  for (const [body, words] of [
    ['<html>no sitemap</html>', /not a sitemap/],
    ['<urlset></urlset>', /lists no pages/],
    ['plain text', /neither XML nor a list/],
  ] as const) {
    site.set('/sitemap.xml.gz', { body })
    await expect(read(config)).rejects.toThrow(words)
  }
  site.set('/sitemap.xml.gz', textFile(`${site.origin}/a\n${site.origin}/b\n`))
  expect((await read(config)).documents).toEqual(['/a', '/b'])
})

test('no page of a sitemap goes while one of its files cannot be read', async () => {
  const pages = Object.fromEntries(['/a', '/b', '/c'].map((path) => [path, htmlPage(path, text(path))]))
  await using site = await startFakeSite(pages)
  const listOf = (...paths: string[]) => textFile(paths.map((path) => `${site.origin}${path}\n`).join(''))
  const files = ['/one.txt', '/two.txt'].map((path) => `<sitemap><loc>${path}</loc></sitemap>`).join('')
  site.set('/sitemap.xml', { body: `<sitemapindex>${files}</sitemapindex>` })
  site.set('/one.txt', listOf('/a', '/b'))
  site.set('/two.txt', listOf('/c'))
  const {
    start_urls: _none,
    max_depth: _neither,
    use_sitemap: _nor,
    ...page
  } = websiteConfig({ start_urls: [] })
  const read = createSourceReader(newConnectors().connectorOf('sitemap'))
  const config = { ...page, sitemap_url: `${site.origin}/sitemap.xml` }
  expect((await read(config)).documents).toEqual(['/a', '/b', '/c'])
  site.set('/two.txt', undefined)
  const without = await read(config)
  expect(without.documents).toEqual(['/a', '/b', '/c'])
  expect(without.failed['/two.txt']).toContain('404')
  site.set('/two.txt', listOf('/a'))
  expect((await read(config)).documents).toEqual(['/a', '/b'])
})

test('a sitemap with exponentially nested entities is read without expanding them', async () => {
  await using site = await startFakeSite({ '/a': htmlPage('A', text('a')) })
  const entities = Array.from(
    { length: 20 },
    (_, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};&e${at};">`,
  ).join('')
  const loc = `<url><loc>${site.origin}/a</loc></url><url><loc>&e20;</loc></url>`
  site.set('/sitemap.xml', {
    body: `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "x">${entities}]><urlset>${loc}</urlset>`,
  })
  const reading = await createSourceReader(newConnectors().connectorOf('website'))(
    websiteConfig({ start_urls: [`${site.origin}/a`] }),
  )
  expect(reading.documents).toEqual(['/a'])
})

verifies(
  'sources.openapi',
  'an API description becomes one document per operation, and is not parsed again while it is unchanged',
  async () => {
    await using site = await startFakeSite({
      '/openapi.json': textFile(JSON.stringify(PETS), 'application/json'),
    })
    const read = createSourceReader(newConnectors().connectorOf('openapi'))
    const config = { url: `${site.origin}/openapi.json` }
    const first = await read(config)
    expect(first.documents).toEqual(['GET /pets', 'POST /pets', 'overview'])
    expect(first.items).toContainEqual(
      expect.objectContaining({ url: `${site.origin}/openapi.json#listPets` }),
    )
    site.forget()
    expect((await read(config)).unchanged.sort()).toEqual(first.documents)
    expect((await read(config)).unchanged.sort()).toEqual(first.documents)
    expect(site.bodies()).toEqual([])
    const { post: _removed, ...rest } = PETS.paths['/pets']
    site.set(
      '/openapi.json',
      textFile(JSON.stringify({ ...PETS, paths: { '/pets': rest } }), 'application/json'),
    )
    expect((await read(config)).documents).toEqual(['GET /pets', 'overview'])
    site.set('/openapi.json', textFile('{"openapi": "3.0.0", "paths": ', 'application/json'))
    await expect(read(config)).rejects.toThrow(/could not be read as an API description/)
    site.set('/openapi.json', undefined)
    await expect(read(config)).rejects.toThrow(/answered 404/)
  },
)

test('an API description on the disk is read only from a folder that the operator lists', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'citewell-test-'))
  const url = join(folder, 'pets.json')
  await writeFile(url, JSON.stringify(PETS))
  const allowed = createSourceReader(newConnectors([folder]).connectorOf('openapi'))
  expect((await allowed({ url })).documents).toContain('GET /pets')
  const refused = createSourceReader(newConnectors().connectorOf('openapi'))
  await expect(refused({ url })).rejects.toThrow(/CITEWELL_LOCAL_PATHS/)
  await rm(folder, { recursive: true })
})

test('uploaded files become documents; a broken one fails alone and keeps its indexed document', async () => {
  const file = (name: string, body: string, mediaType: string): UploadedFile => ({
    externalId: name,
    name,
    mediaType,
    hash: body,
    modifiedAt: new Date('2024-01-02'),
    bytes: async () => new TextEncoder().encode(body),
  })
  uploads.push(file('a.md', '# A\n\nText.', 'text/markdown'), file('b.txt', 'Some text.', 'text/plain'))
  const read = createSourceReader(newConnectors().connectorOf('files'))
  expect((await read({})).documents).toEqual(['a.md', 'b.txt'])
  uploads[0] = file('a.md', '# A\n\nOther text.', 'text/markdown')
  expect((await read({})).unchanged).toEqual(['b.txt'])
  uploads[1] = file('b.txt', '%PDF-1.7 broken', 'application/pdf')
  const broken = await read({})
  expect(broken.documents).toEqual(['a.md', 'b.txt'])
  expect(broken.failed['b.txt']).toMatch(/PDF/i)
  uploads.pop()
  expect((await read({})).documents).toEqual(['a.md'])
})

test('a preview shows the first pages and a reason for each address left out, and fetches no more', async () => {
  const paths = Array.from({ length: 50 }, (_, at) => `/p${at}`)
  const pages = Object.fromEntries(paths.map((path) => [path, htmlPage(path, text(path))]))
  await using site = await startFakeSite({
    ...pages,
    '/': htmlPage('Start', text('the start'), {
      links: ['/a.png', 'https://other.example/', '/gone', '/secret', ...paths],
    }),
    '/robots.txt': textFile('User-agent: *\nDisallow: /secret'),
  })
  const connectors = newConnectors()
  const preview = await connectors.preview('website', {
    config: websiteConfig({ start_urls: [`${site.origin}/`] }),
    respectRobotsTxt: true,
    owner: { workspaceId: 'workspace', knowledgeBaseId: 'base' },
    signal,
    maxPages: 10,
  })
  expect(preview.pages).toHaveLength(10)
  expect(preview.pages[0]).toMatchObject({
    title: 'Start',
    excerpt: expect.stringContaining('about the start'),
  })
  expect(preview.leftOut).toEqual([
    { url: `${site.origin}/a.png`, reason: 'not a document' },
    { url: 'https://other.example/', reason: 'on another host (other.example)' },
    { url: `${site.origin}/gone`, reason: 'not found (404)' },
    { url: `${site.origin}/secret`, reason: 'robots.txt does not allow it' },
  ])
  expect(preview).toMatchObject({ isComplete: false, error: undefined, failed: [] })
  expect(site.bodies().length).toBeLessThan(35)

  site.set('/', undefined)
  const broken = await connectors.preview('website', {
    config: websiteConfig({ start_urls: [`${site.origin}/`] }),
    respectRobotsTxt: true,
    owner: { workspaceId: 'workspace', knowledgeBaseId: 'base' },
    signal,
    maxPages: 10,
  })
  expect(broken).toMatchObject({ pages: [], isComplete: false, error: expect.stringContaining('404') })
})
