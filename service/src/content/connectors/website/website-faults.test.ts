import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  failsFirst,
  htmlPage,
  redirectTo,
  startFakeSite,
  textFile,
  type FakePage,
} from '../../../../test/fake-site.ts'
import { websiteConfig } from '../../../../test/read-source.ts'
import {
  createWebsiteReaders,
  pageAbout,
  textAbout,
  type WebsiteReaders,
} from '../../../../test/website-reader.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { SourceFailure } from '../connector.ts'

let sites: WebsiteReaders
beforeAll(() => {
  sites = createWebsiteReaders()
})
afterAll(async () => await sites[Symbol.asyncDispose]())

test('429 and 5xx are retried after Retry-After, else with exponential backoff', async () => {
  const reading = await sites.read({
    '/': pageAbout('start', ['/busy', '/shaky', '/dead', '/slow', '/dated']),
    '/busy': failsFirst(1, { status: 429, headers: { 'retry-after': '7' } }, pageAbout('busy')),
    '/shaky': failsFirst(2, { status: 502 }, pageAbout('shaky')),
    '/dead': { status: 503, headers: { 'retry-after': '3600' } },
    '/slow': { status: 408 },
    '/dated': failsFirst(
      1,
      { status: 503, headers: { 'retry-after': new Date(Date.now() + 40_000).toUTCString() } },
      pageAbout('dated'),
    ),
  })
  expect(reading.documents).toEqual(['/', '/busy', '/dated', '/shaky'])
  expect(reading.failed).toEqual({ '/dead': 'the server answered 503', '/slow': 'the server answered 408' })
  expect(reading.skipped).toEqual({})
  expect(sites.waits).toEqual(expect.arrayContaining([7_000, 1_000, 2_000]))
  expect(Math.max(...sites.waits)).toBeLessThanOrEqual(60_000)
})

test('at most four concurrent requests go to a host, and one if it has a crawl delay', async () => {
  const paths = Array.from({ length: 20 }, (_, at) => `/${at}`)
  const pages = Object.fromEntries(paths.map((path) => [path, { ...pageAbout(path), afterMs: 5 }]))
  await using site = await startFakeSite({ '/': pageAbout('start', paths), ...pages })
  await sites.newReader()(websiteConfig({ start_urls: [`${site.origin}/`] }))
  expect(site.mostAtOnce()).toBe(4)

  await using slow = await startFakeSite({
    '/robots.txt': textFile('User-agent: *\nCrawl-delay: 2'),
    '/': pageAbout('start', paths.slice(0, 3)),
    ...pages,
  })
  await sites.newReader()(websiteConfig({ start_urls: [`${slow.origin}/`] }))
  expect(slow.mostAtOnce()).toBe(1)
  expect(sites.waits).toContain(2_000)
})

verifies(
  'sources.website',
  'crawler traps end: endless queries, endless depth, the limit of pages',
  async () => {
    const trap: FakePage = (_asked, request) => {
      const day = Number(new URL(request.url ?? '', 'http://x').searchParams.get('day') ?? 0)
      return pageAbout(`day ${day}`, [`/calendar?day=${day + 1}`])
    }
    const days = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`/calendar?day=${at}`, trap]))
    const deep = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`/d${at}`, pageAbout(`deep ${at}`, [`/d${at + 1}`])]),
    )
    const pages = { '/': pageAbout('start', ['/calendar?day=0', '/d0']), ...days, ...deep }
    const reading = await sites.read(pages, { max_depth: 100 })
    expect(reading.documents.filter((path) => path.startsWith('/calendar'))).toHaveLength(50)
    expect(Object.values(reading.leftOut)).toContain('more than 50 queries of one path')
    const shallow = await sites.read(pages)
    expect(shallow.documents.filter((path) => path.startsWith('/d'))).toHaveLength(20)
    const few = await sites.read(pages, { max_pages: 5 })
    expect(few.documents).toHaveLength(5)
    expect(Object.values(few.skipped).join()).toContain('the limit of 5 pages is reached')
  },
)

test('a page that is too large or not a valid document does not fail the others', async () => {
  const reading = await sites.read({
    '/': pageAbout('start', ['/huge', '/broken.pdf', '/fine']),
    '/huge': {
      headers: { 'content-type': 'text/html', 'content-encoding': 'identity' },
      body: Buffer.alloc(10_485_761, 'x'),
    },
    '/broken.pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.4 and then nothing' },
    '/fine': pageAbout('fine'),
  })
  expect(reading.documents).toEqual(
    ['/', '/broken.pdf', '/fine', '/huge'].filter((path) => /^\/(fine)?$/.test(path)),
  )
  expect(reading.failed['/huge']).toMatch(/larger than allowed/)
  expect(reading.failed['/broken.pdf']).toMatch(/PDF/i)
})

test('without a browser, a page that is empty until its scripts run fails with advice', async () => {
  const reading = await sites.read(
    {
      '/': pageAbout('start', ['/app']),
      '/app': {
        headers: { 'content-type': 'text/html' },
        body: '<title>App</title><div id="root"></div><script src="/a.js"></script>',
      },
    },
    { render_js: 'auto' },
  )
  expect(reading.failed['/app']).toMatch(/Chromium was not found.*render_js/)
})

test('cancelling ends the crawl with the given reason', async () => {
  await using site = await startFakeSite({ '/': pageAbout('start', ['/never']), '/never': () => undefined })
  const leaving = new AbortController()
  const gone = new Error('cancelled')
  const reading = sites.newReader()(websiteConfig({ start_urls: [`${site.origin}/`] }), {
    signal: leaving.signal,
  })
  setTimeout(() => leaving.abort(gone), 100)
  await expect(reading).rejects.toBe(gone)
})

test.each<[string, Record<string, FakePage>, RegExp]>([
  ['a missing start page', {}, /start page .* not found \(404\)\. Check the address/],
  [
    'a start page that redirects to itself',
    { '/': redirectTo('/') },
    /redirects too many times.*Give the final address/,
  ],
  ['a start page that redirects endlessly', redirectsOnAndOn(), /redirects too many times/],
  [
    'a site whose robots.txt forbids it',
    { '/robots.txt': textFile('User-agent: *\nDisallow: /') },
    /robots\.txt does not allow it.*citewell/,
  ],
  [
    'a site whose robots.txt fails',
    { '/robots.txt': { status: 500 }, '/': pageAbout('x') },
    /robots\.txt answered 500/,
  ],
  ['a site that fails', { '/': { status: 503 } }, /the server answered 503/],
  ['a start page behind a sign-in', { '/': { status: 401 } }, /sign-in/],
])('%s fails with a readable message', async (_name, pages, words) => {
  const reading = sites.read(pages)
  await expect(reading).rejects.toThrow(words)
  await expect(reading).rejects.toBeInstanceOf(SourceFailure)
})

function redirectsOnAndOn(): Record<string, FakePage> {
  const steps = Array.from({ length: 30 }, (_, at) => [`/r${at}`, redirectTo(`/r${at + 1}`)] as const)
  return { '/': redirectTo('/r0'), ...Object.fromEntries(steps) }
}

test('an unreachable site, and one in a private network, fail with a readable message', async () => {
  const reader = sites.newReader()
  await expect(reader(websiteConfig({ start_urls: ['http://127.0.0.1:1/'] }))).rejects.toThrow(
    /could not be reached/,
  )
  await expect(reader(websiteConfig({ start_urls: ['http://10.1.2.3/'] }))).rejects.toThrow(
    /private network.*CITEWELL_ALLOW_PRIVATE_NETWORK/,
  )
})

test('a site that goes down during the crawl fails as a whole, so that nothing is removed', async () => {
  const paths = Array.from({ length: 30 }, (_, at) => `/${at}`)
  const down = Object.fromEntries(paths.map((path) => [path, { status: 502 }]))
  await expect(sites.read({ '/': pageAbout('start', paths), ...down })).rejects.toThrow(/stopped answering/)
})

test('no address on a page leads into a private network', async () => {
  let touched = 0
  await using canary = await startFakeSite({
    '/': () => {
      touched += 1
      return { body: 'secret' }
    },
  })
  await using site = await startFakeSite()
  const inside = `${canary.origin}/`
  const origin = site.origin.replace('127.0.0.1', 'docs.test')
  // The site is reachable by its host name only; the canary is on the same machine, under its IP address.
  const guarded = createOutbound({ allowPrivateNetwork: ['docs.test'], lookup: async () => ['127.0.0.1'] })
  const pages = {
    '/robots.txt': textFile(`Sitemap: ${inside}`),
    '/': pageAbout('start', [inside, 'http://localhost/', '/redirect', '/refresh', '/base']),
    '/redirect': redirectTo(inside),
    '/refresh': htmlPage('r', '', { head: `<meta http-equiv="refresh" content="0; url=${inside}">` }),
    '/base': {
      headers: { 'content-type': 'text/html' },
      body: `<base href="${inside}"><title>b</title><p>${textAbout('b')}</p><a href="x">x</a>`,
    },
  }
  for (const [path, standing] of Object.entries(pages)) site.set(path, standing)
  const reader = sites.newReader(guarded)
  await expect(reader(websiteConfig({ start_urls: [`${origin}/`] }))).rejects.toThrow(
    /sitemap .* private network/,
  )
  site.set('/robots.txt', undefined)
  const everywhere = [`${canary.origin}/**`, 'http://localhost/**', '/**']
  const reading = await reader(websiteConfig({ start_urls: [`${origin}/`], include: everywhere }))
  expect(reading.documents).toEqual(['/', '/base'])
  expect(Object.values(reading.failed).join()).toMatch(/private network/)
  expect(touched).toBe(0)
  await guarded.close()
})
