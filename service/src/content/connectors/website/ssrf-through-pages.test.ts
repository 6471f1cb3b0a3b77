import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { htmlPage, redirectTo, startFakeSite, textFile, type FakeSite } from '../../../../test/fake-site.ts'
import { websiteConfig } from '../../../../test/read-source.ts'
import { createWebsiteReaders, pageAbout, type WebsiteReaders } from '../../../../test/website-reader.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'

/**
 * The address that plays the internet in these tests; everything else on this machine is a private network that the operator has allowed.
 */
const INTERNET = '127.0.0.2'
const webPorts: number[] = []
const outbound = createOutbound({
  allowPrivateNetwork: true,
  lookup: async (hostname) => [hostname.startsWith('public') ? INTERNET : '127.0.0.1'],
  networkEnvironment: {
    kindOf: (address) => (address.toString() === INTERNET ? 'public' : 'private'),
    webPorts,
  },
})
let sites: WebsiteReaders
let site: FakeSite
let inside: FakeSite
beforeAll(() => {
  sites = createWebsiteReaders()
})
afterAll(async () => {
  await sites[Symbol.asyncDispose]()
  await outbound.close()
})
beforeEach(async () => {
  site = await startFakeSite({}, INTERNET)
  inside = await startFakeSite({ '/': pageAbout('SECRET', ['/more']), '/more': pageAbout('SECRET too') })
  webPorts.push(Number(new URL(site.origin).port))
  return async () => {
    await site[Symbol.asyncDispose]()
    await inside[Symbol.asyncDispose]()
  }
})
const named = (given: FakeSite, name: string) => given.origin.replace(/127\.0\.0\.\d/, name)

async function readAll(start: string, include: string[] = []): Promise<string> {
  const reading = sites.newReader(outbound)(websiteConfig({ start_urls: [start], include }))
  return JSON.stringify(await reading.catch(String))
}

verifies(
  'sources.rendered-private',
  'nothing on a public site leads a crawl into a private network, even if private networks are allowed',
  async () => {
    for (const host of ['wiki.test', '127.0.0.1', 'localhost']) {
      const target = named(inside, host)
      const everything = [`${target}/**`, '/**']
      const start = `${named(site, 'public.test')}/`
      const pages = {
        '/': pageAbout('start', [`${target}/`, '/redirect', '/refresh', '/canonical']),
        '/redirect': redirectTo(`${target}/`),
        '/refresh': htmlPage('r', '', { head: `<meta http-equiv="refresh" content="0; url=${target}/">` }),
        '/canonical': htmlPage('c', 'Is elsewhere.', { head: `<link rel="canonical" href="${target}/">` }),
      }
      site.forget()
      for (const [path, page] of Object.entries(pages)) site.set(path, page)
      expect(await readAll(start, everything)).not.toContain('SECRET')
      // Each way was tried.
      expect(site.requests.map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(pages)))
      site.set('/robots.txt', redirectTo(`${target}/`))
      await readAll(start)
      site.set('/robots.txt', textFile(`Sitemap: ${target}/`))
      await readAll(start)
      site.set('/robots.txt', textFile(`Sitemap: /sitemap.xml`))
      site.set('/sitemap.xml', redirectTo(`${target}/`))
      await readAll(start)
      expect(site.requests.map(({ path }) => path)).toContain('/sitemap.xml')
      for (const path of ['/robots.txt', '/sitemap.xml']) site.set(path, undefined)
      for (const leading of [pages['/redirect'], pages['/refresh']]) {
        site.set('/', leading)
        await readAll(start)
      }
      expect([host, inside.requests]).toEqual([host, []])
    }
  },
  60_000,
)

test('a crawl of a private site also follows it within the private network', async () => {
  const other = named(inside, 'other.test')
  await using wiki = await startFakeSite({ '/': pageAbout('start', [`${other}/`]) })
  const read = await readAll(`${named(wiki, 'wiki.test')}/`, [`${other}/**`, '/**'])
  expect(read).toContain('SECRET too')
})
