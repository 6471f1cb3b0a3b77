import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlPage, redirectTo, sitemapOf, startFakeSite, textFile } from '../../../../test/fake-site.ts'
import { websiteConfig } from '../../../../test/read-source.ts'
import {
  createWebsiteReaders,
  pageAbout,
  textAbout,
  type WebsiteReaders,
} from '../../../../test/website-reader.ts'
import type { SourceItem } from '../connector.ts'

let sites: WebsiteReaders
beforeAll(() => {
  sites = createWebsiteReaders()
})
afterAll(async () => await sites[Symbol.asyncDispose]())

const documentAt = (items: SourceItem[], path: string) =>
  items.find((item) => item.kind === 'document' && new URL(item.url).pathname === path)

test('every page linked within the start directory is read once', async () => {
  await using site = await startFakeSite({
    '/docs/': pageAbout('start', [
      'a.html',
      'b.html#top',
      'b.html?utm_source=x',
      '/blog/post',
      'https://other.example/',
      'logo.png',
    ]),
    '/docs/a.html': pageAbout('a', ['b.html', './', 'deep/c']),
    '/docs/b.html': pageAbout('b'),
    '/docs/deep/c': pageAbout('c', ['../a.html']),
    '/blog/post': pageAbout('blog'),
  })
  const reading = await sites.newReader()(websiteConfig({ start_urls: [`${site.origin}/docs/`] }))
  expect(reading.documents).toEqual(['/docs/', '/docs/a.html', '/docs/b.html', '/docs/deep/c'])
  expect(reading.leftOut).toMatchObject({
    '/blog/post': 'outside of /docs/',
    '/': 'on another host (other.example)',
    '/docs/logo.png': 'not a document',
  })
  expect(site.bodies().filter((path) => path.startsWith('/docs/'))).toHaveLength(4)
})

test('a second crawl of an unchanged site fetches no body, and finds the same', async () => {
  await using site = await startFakeSite({
    '/': pageAbout('start', ['/a', '/b', '/copy', '/hidden', '/moved', '/gone']),
    '/a': pageAbout('a', ['/c']),
    '/b': { ...pageAbout('b'), headers: { 'content-type': 'text/html', etag: '' } },
    '/c': pageAbout('c'),
    '/copy': pageAbout('c'),
    '/hidden': pageAbout('hidden', ['/a'], '<meta name="robots" content="noindex">'),
    '/moved': redirectTo('/a'),
  })
  const reader = sites.newReader()
  const config = websiteConfig({ start_urls: [`${site.origin}/`] })
  const first = await reader(config)
  expect(first.documents).toEqual(['/', '/a', '/b', '/c'])
  expect(first.skipped).toMatchObject({
    '/copy': `the same text as ${site.origin}/c`,
    '/hidden': 'it asks not to be indexed (noindex)',
    '/moved': `redirects to ${site.origin}/a`,
    '/gone': 'not found (404)',
  })
  site.forget()
  const second = await reader(config)
  // The server sends neither an ETag nor a date for /b, so its body has to be fetched; its hash then shows that it is unchanged.
  expect(site.bodies()).toEqual(['/b'])
  expect(second.unchanged.sort()).toEqual(['/', '/a', '/b', '/c'])
  expect(second.items.filter((item) => item.kind === 'document')).toEqual([])
  expect(second.skipped).toEqual(first.skipped)
})

test('changed, added and removed pages are found through unchanged pages', async () => {
  await using site = await startFakeSite({
    '/': pageAbout('start', ['/a', '/b']),
    '/a': pageAbout('a', ['/c']),
    '/b': pageAbout('b'),
    '/c': pageAbout('c'),
  })
  const reader = sites.newReader()
  const config = websiteConfig({ start_urls: [`${site.origin}/`] })
  await reader(config)
  site.set('/b', undefined)
  site.set('/c', pageAbout('c, rewritten', ['/d']))
  site.set('/d', pageAbout('d'))
  const second = await reader(config)
  expect(second.documents).toEqual(['/', '/a', '/c', '/d'])
  expect(second.unchanged).toEqual(['/', '/a'])
  expect(second.skipped).toEqual({ '/b': 'not found (404)' })
})

test('a page that fails keeps its document, and the pages that it links to', async () => {
  await using site = await startFakeSite({
    '/': pageAbout('start', ['/a']),
    '/a': pageAbout('a', ['/b']),
    '/b': pageAbout('b'),
  })
  const reader = sites.newReader()
  const config = websiteConfig({ start_urls: [`${site.origin}/`] })
  await reader(config)
  site.set('/a', { status: 500 })
  for (const reading of [await reader(config), await reader(config)]) {
    expect(reading.documents).toEqual(['/', '/a', '/b'])
    expect(reading.failed).toEqual({ '/a': 'the server answered 500' })
  }
})

test('if one of several start pages fails, the pages that it links to are kept', async () => {
  await using site = await startFakeSite({
    '/one/': pageAbout('one', ['a']),
    '/one/a': pageAbout('a'),
    '/two/': pageAbout('two', ['b']),
    '/two/b': pageAbout('b'),
  })
  const reader = sites.newReader()
  const config = websiteConfig({ start_urls: [`${site.origin}/one/`, `${site.origin}/two/`] })
  expect((await reader(config)).documents).toEqual(['/one/', '/one/a', '/two/', '/two/b'])
  site.set('/two/', { status: 500 })
  const second = await reader(config)
  expect(second.documents).toEqual(['/one/', '/one/a', '/two/', '/two/b'])
  expect(second.failed).toEqual({ '/two/': 'the server answered 500' })
})

verifies('sources.website', 'include and exclude are patterns over paths, and exclude wins', async () => {
  const pages = {
    '/': pageAbout('start', ['/guide/a', '/guide/internal/b', '/api/c', '/blog/d']),
    '/guide/a': pageAbout('a'),
    '/guide/internal/b': pageAbout('b'),
    '/api/c': pageAbout('c'),
    '/blog/d': pageAbout('d'),
  }
  const reading = await sites.read(pages, { include: ['/guide/**', '/api/*'], exclude: ['internal/**'] })
  expect(reading.documents).toEqual(['/api/c', '/guide/a'])
  expect(reading.skipped).toEqual({ '/': 'read for its links only: no include pattern matches' })
  expect(reading.leftOut).toEqual({
    '/guide/internal/b': 'excluded by the pattern internal/**',
    '/blog/d': 'no include pattern matches',
  })
})

test('an address without a trailing slash counts as a directory if its page links to pages below it', async () => {
  const pages = {
    '/docs': pageAbout('start', ['/docs/a', '/docs/b', '/docs/c', '/pricing']),
    '/docs/a': pageAbout('a'),
    '/docs/b': pageAbout('b'),
    '/docs/c': pageAbout('c'),
    '/pricing': pageAbout('pricing'),
  }
  await using site = await startFakeSite(pages)
  const reading = await sites.newReader()(websiteConfig({ start_urls: [`${site.origin}/docs`] }))
  expect(reading.documents).toEqual(['/docs', '/docs/a', '/docs/b', '/docs/c'])
})

test('canonical links to other hosts are ignored, and those within the source are obeyed if they lead to a page', async () => {
  const canonical = (href: string) => `<link rel="canonical" href="${href}">`
  const reading = await sites.read({
    '/': pageAbout('start', ['/foreign', '/print/a', '/broken', '/all-home', '/file']),
    '/foreign': pageAbout('foreign', [], canonical('https://www.example.com/foreign')),
    '/file': pageAbout('file', [], canonical('file:///usr/share/doc/file.html')),
    '/print/a': pageAbout('a, to be printed', [], canonical('/a')),
    '/a': pageAbout('a', [], canonical('/a')),
    '/broken': pageAbout('broken', [], canonical('/nowhere')),
    '/all-home': pageAbout('not the start page', [], canonical('/')),
  })
  expect(reading.documents).toEqual(['/', '/a', '/all-home', '/broken', '/file', '/foreign'])
  expect(reading.skipped['/print/a']).toMatch(/^its canonical address is .*\/a$/)
})

test('of several addresses with the same text the best is kept, in whatever order they are found', async () => {
  const reading = await sites.read({
    '/': pageAbout('start', ['/index.html', '/dir/index.html', '/long/name/of-it', '/b?x=1']),
    '/index.html': pageAbout('start', ['/index.html', '/dir/index.html', '/long/name/of-it', '/b?x=1']),
    '/dir/index.html': pageAbout('dir', ['./', '/short']),
    '/dir/': pageAbout('dir', ['./', '/short']),
    '/long/name/of-it': pageAbout('it'),
    '/short': pageAbout('it'),
    '/b?x=1': pageAbout('b', ['/b']),
    '/b': pageAbout('b', ['/b']),
  })
  expect(reading.documents).toEqual(['/', '/b', '/dir/', '/short'])
})

verifies(
  'knowledge-bases.robots',
  'robots.txt is obeyed, unless the knowledge base turns that off',
  async () => {
    await using site = await startFakeSite({
      '/robots.txt': textFile(
        'User-agent: *\nDisallow: /private/\nAllow: /private/open\n\nUser-agent: other\nDisallow: /',
      ),
      '/': pageAbout('start', ['/private/a', '/private/open']),
      '/private/a': pageAbout('a'),
      '/private/open': pageAbout('open'),
    })
    const config = websiteConfig({ start_urls: [`${site.origin}/`] })
    const obeying = await sites.newReader()(config)
    expect(obeying.documents).toEqual(['/', '/private/open'])
    expect(obeying.skipped).toEqual({ '/private/a': 'robots.txt does not allow it' })
    expect(site.bodies()).not.toContain('/private/a')
    const ignoring = await sites.newReader()(config, { respectRobotsTxt: false })
    expect(ignoring.documents).toEqual(['/', '/private/a', '/private/open'])
  },
)

verifies(
  'sources.website',
  'a crawl follows both links and sitemaps, including compressed and nested sitemaps',
  async () => {
    await using site = await startFakeSite({
      '/': pageAbout('start', ['/a']),
      '/a': pageAbout('a'),
      '/b': pageAbout('b'),
      '/c': pageAbout('c'),
    })
    site.set('/robots.txt', textFile(`Sitemap: ${site.origin}/index.xml`))
    site.set('/index.xml', {
      body: `<sitemapindex><sitemap><loc>${site.origin}/one.xml</loc></sitemap></sitemapindex>`,
    })
    site.set(
      '/one.xml',
      sitemapOf(site.origin, ['/b', '/c', 'https://other.example/x'], { '/b': '2024-05-06' }),
    )
    const reading = await sites.newReader()(websiteConfig({ start_urls: [`${site.origin}/`] }))
    expect(reading.documents).toEqual(['/', '/a', '/b', '/c'])
    expect(documentAt(reading.items, '/b')).toMatchObject({ modifiedAt: new Date('2024-05-06') })
    expect(reading.leftOut['/x']).toBe('on another host (other.example)')
    const linksOnly = await sites.newReader()(
      websiteConfig({ start_urls: [`${site.origin}/`], use_sitemap: false }),
    )
    expect(linksOnly.documents).toEqual(['/', '/a'])
  },
)

test('a sitemap that the site names, and that is not there, is told; the usual place is only a guess', async () => {
  await using site = await startFakeSite({ '/': pageAbout('start'), '/b': pageAbout('b') })
  const reader = () => sites.newReader()(websiteConfig({ start_urls: [`${site.origin}/`] }))
  expect((await reader()).limits).toEqual({})
  site.set('/robots.txt', textFile(`Sitemap: ${site.origin}/gone.xml`))
  const gone = {
    '/gone.xml':
      'A sitemap that the site names could not be read (it answered 404): pages that only it lists are missing.',
  }
  expect((await reader()).limits).toEqual(gone)
  // Named by the file at the usual place.
  site.set('/robots.txt', undefined)
  const index = (...names: string[]) => ({
    body: `<sitemapindex>${names.map((name) => `<sitemap><loc>${site.origin}${name}</loc></sitemap>`).join('')}</sitemapindex>`,
  })
  site.set('/sitemap.xml', index('/gone.xml', '/one.xml'))
  site.set('/one.xml', sitemapOf(site.origin, ['/b', `/${'b'.repeat(2_050)}`]))
  const reading = await reader()
  expect(reading.documents).toEqual(['/', '/b'])
  expect(reading.limits).toEqual({
    ...gone,
    '/one.xml': 'Addresses in sitemaps that are longer than 2,048 characters were left out.',
  })
  // What it lists must not go while it cannot be read.
  site.set('/one.xml', { status: 503 })
  await expect(reader()).rejects.toThrow(/one\.xml could not be read: it answered 503/)
})

test('what robots.txt says beyond its limits is told', async () => {
  const stars = Array.from({ length: 400 }, (_, at) => `Disallow: /*/private-${at}/`)
  const reading = await sites.read({
    '/': pageAbout('start', ['/x/private-1/', '/x/private-399/']),
    '/x/private-399/': pageAbout('b'),
    '/robots.txt': textFile(`User-agent: *\nAllow: /$\n${stars.join('\n')}`),
  })
  expect(reading.documents).toEqual(['/'])
  expect(reading.limits['/robots.txt']).toMatch(/^Of the patterns with a star in robots\.txt the first 5,000/)
})

verifies(
  'sources.opt-out',
  'a page keeps itself, or parts of it, out by its own words; its links are followed all the same',
  async () => {
    const marked = (mark: string) =>
      htmlPage(
        'Marked',
        `Kept words.</p><section ${mark}><p>Secret words. <a href="/c">c</a></p></section><p>`,
      )
    const reading = await sites.read({
      '/': pageAbout('start', ['/meta', '/body', '/part', '/header']),
      '/meta': pageAbout('meta', ['/d'], '<meta name="Citewell" content="noindex">'),
      '/body': {
        headers: { 'content-type': 'text/html' },
        body: '<html><body data-citewell="ignore"><p>Secret words.</p><a href="/e">e</a></body></html>',
      },
      '/part': marked('data-citewell="ignore"'),
      '/header': {
        ...pageAbout('header'),
        headers: { 'content-type': 'text/html', 'x-robots-tag': 'citewell: noindex' },
      },
      '/c': pageAbout(
        'c',
        [],
        '<meta name="googlebot" content="noindex"><link rel="alternate" hreflang="de" href="/de/c">',
      ),
      '/d': pageAbout('d', [], '<link rel="alternate" type="application/rss+xml" href="/feed">'),
      '/e': pageAbout('e', [], '<link rel="alternate" hreflang="de" href="https://de.example/e">'),
      '/de/c': pageAbout('c auf Deutsch'),
      '/feed': pageAbout('feed'),
    })
    expect(reading.documents).toEqual(['/', '/c', '/d', '/de/c', '/e', '/part'])
    const noindex = 'it asks not to be indexed (noindex)'
    expect(reading.skipped).toEqual({ '/meta': noindex, '/body': noindex, '/header': noindex })
    const part = JSON.stringify(documentAt(reading.items, '/part'))
    expect(part).toContain('Kept words')
    expect(part).not.toContain('Secret words')
  },
)

test('pages count by their final address after redirects, including meta refresh and frames', async () => {
  const reading = await sites.read({
    '/': pageAbout('start', ['/old', '/refresh', '/frames', '/away', '/circle']),
    '/old': redirectTo('/older', 302),
    '/older': redirectTo('/new', 308),
    '/new': pageAbout('new'),
    '/refresh': htmlPage('Moved', '', { head: '<meta http-equiv="refresh" content="0; url=/target">' }),
    '/target': pageAbout('target'),
    '/frames': {
      headers: { 'content-type': 'text/html' },
      body: '<html><head><title>Frames</title></head><frameset><frame src="/framed"></frameset></html>',
    },
    '/framed': pageAbout('framed'),
    '/away': redirectTo('https://other.example/'),
    '/circle': redirectTo('/circle-2'),
    '/circle-2': redirectTo('/circle'),
  })
  expect(reading.documents).toEqual(['/', '/framed', '/new', '/target'])
  expect(reading.skipped['/away']).toBe(
    'redirects to https://other.example/, which is left out: on another host (other.example)',
  )
  expect(reading.skipped['/frames']).toBe('it contains no text')
})

test('a page is followed through five redirects, and not through six', async () => {
  const chain = (name: string, length: number) =>
    Array.from({ length }, (_, step) => [
      `/${name}${step}`,
      redirectTo(step === length - 1 ? `/${name}` : `/${name}${step + 1}`),
    ])
  const reading = await sites.read({
    '/': pageAbout('start', ['/five0', '/six0']),
    ...Object.fromEntries([...chain('five', 5), ...chain('six', 6)]),
    '/five': pageAbout('five'),
    '/six': pageAbout('six'),
  })
  expect(reading.documents).toEqual(['/', '/five'])
  expect(Object.values(reading.skipped).concat(Object.values(reading.failed)).join()).toMatch(/redirects/)
})

test('the charset of the header is used, and other documents than pages are read', async () => {
  const reading = await sites.read({
    '/': pageAbout('start', ['/latin', '/notes.txt', '/readme.md', '/data.json', '/picture']),
    '/latin': {
      headers: { 'content-type': 'text/html; charset=iso-8859-1' },
      body: Buffer.from(
        `<title>Caf\u00e9</title><main><h1>Caf\u00e9</h1><p>${textAbout('caf\u00e9s')}</p></main>`,
        'latin1',
      ),
    },
    '/notes.txt': textFile(textAbout('notes')),
    '/readme.md': textFile(`# Read me\n\n${textAbout('reading')}`, 'text/markdown'),
    '/picture': { headers: { 'content-type': 'image/png' }, body: 'not really' },
  })
  expect(reading.documents).toEqual(['/', '/latin', '/notes.txt', '/readme.md'])
  expect(documentAt(reading.items, '/latin')).toMatchObject({ document: { title: 'Café' } })
  expect(reading.skipped['/picture']).toBe('not a document (image/png)')
  expect(reading.leftOut['/data.json']).toBe('not a document')
})

verifies(
  'sources.content-selector',
  'only the part of a page that content_selector names is read',
  async () => {
    const body = `<p>${textAbout('the frame')}</p><div id="text"><p>${textAbout('keys')}</p></div>`
    const pages = { '/': { headers: { 'content-type': 'text/html' }, body: `<title>Start</title>${body}` } }
    const wordsWith = async (config: object) =>
      JSON.stringify(documentAt((await sites.read(pages, config)).items, '/'))
    const named = await wordsWith({ content_selector: '#text' })

    expect(named).toContain('about keys.')
    expect(named).not.toContain('about the frame.')
    expect(await wordsWith({})).toContain('about the frame.')
  },
)
