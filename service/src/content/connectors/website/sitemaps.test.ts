import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { readSitemaps } from './sitemaps.ts'

const ORIGIN = 'https://docs.example'

/** What the file at each path lists. */
type Files = Record<string, { pages?: readonly string[]; sitemaps?: readonly string[] }>

const addresses = (paths: readonly string[] = []) => paths.map((path) => `${ORIGIN}${path}`)

/** Reads these files, as a site has them, and returns what limits left out, each with how often. */
async function read(files: Files, maxEntries: number) {
  const left = new Map<string, number>()
  const { entries, failed } = await readSitemaps(
    [{ url: `${ORIGIN}/index.xml`, namedBy: undefined }],
    {
      fetchPolitely: (address) => {
        const url = new URL(address)
        const status = files[url.pathname] === undefined ? 404 : 200
        return Promise.resolve({
          kind: 'answer',
          status,
          headers: new Headers(),
          url,
          bytes: new Uint8Array(),
        })
      },
      parseSitemap: (_bytes, url, most) => {
        const { pages, sitemaps } = files[new URL(url).pathname] ?? {}
        const listed = addresses(pages).slice(0, most)
        return Promise.resolve({
          pages: listed.map((loc) => ({ loc, lastmod: undefined })),
          sitemaps: addresses(sitemaps),
          tooLong: 0,
        })
      },
      signal: new AbortController().signal,
      onLimit: (limit) => left.set(limit, (left.get(limit) ?? 0) + 1),
    },
    maxEntries,
  )
  return { pages: entries.map(({ address }) => address), failed, left: [...left] }
}

verifies(
  'syncs.warnings',
  'of an index of 1,003 sitemaps 1,000 files are read, the index among them, and the limit is told of each other one',
  async () => {
    const sitemaps = Array.from({ length: 1_003 }, (_, at) => `/maps/${at}.xml`)
    const files = Object.fromEntries(sitemaps.map((path, at) => [path, { pages: [`/page/${at}`] }]))
    const { pages, left } = await read({ ...files, '/index.xml': { sitemaps } }, 10_000)
    expect(pages).toHaveLength(999)
    expect(left).toEqual([['The sitemap has more than 1,000 files: the others were not read.', 4]])
  },
)

verifies('syncs.warnings', 'sitemaps that are too deep, and pages beyond the limit, are told', async () => {
  const deep = await read(
    {
      '/index.xml': { sitemaps: ['/1.xml'] },
      '/1.xml': { sitemaps: ['/2.xml'] },
      '/2.xml': { sitemaps: ['/3.xml'] },
      '/3.xml': { pages: ['/unread'] },
    },
    10,
  )
  expect(deep).toEqual({
    pages: [],
    failed: [],
    left: [['Sitemaps are followed 3 levels deep: those below were not read.', 1]],
  })
  const { pages, left } = await read({ '/index.xml': { pages: ['/a', '/b', '/c', '/d'] } }, 2)
  expect(pages).toEqual(addresses(['/a', '/b']))
  expect(left).toEqual([[expect.stringMatching(/^Of sitemaps, at most 2 addresses are read/), 1]])
})
