import { createServer, type AddressInfo, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { redirectTo, startFakeSite, textFile, type FakePage } from '../../../../test/fake-site.ts'
import { websiteConfig } from '../../../../test/read-source.ts'
import { createWebsiteReaders, pageAbout, type WebsiteReaders } from '../../../../test/website-reader.ts'

let sites: WebsiteReaders
beforeAll(() => {
  sites = createWebsiteReaders()
})
afterAll(async () => await sites[Symbol.asyncDispose]())

/** Writes until the client closes the connection. */
function writeWithoutEnd(socket: Socket, chunk: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(chunk)) {
      // Until the socket's buffer is full.
    }
  }
  socket.on('drain', write)
  write()
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n'

/** Servers that break HTTP in various ways. */
const ANSWERS: Record<string, (socket: Socket) => void> = {
  'an endless header': (socket) => {
    socket.write(`${OK}x: `)
    writeWithoutEnd(socket, 'x'.repeat(65_536))
  },
  'endless headers': (socket) => {
    socket.write(OK)
    writeWithoutEnd(socket, 'x-one: more\r\n'.repeat(5_000))
  },
  'a million cookies': (socket) => {
    socket.write(OK)
    writeWithoutEnd(socket, 'set-cookie: a=b\r\n'.repeat(10_000))
  },
  'something other than HTTP': (socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
  'endless noise': (socket) => writeWithoutEnd(socket, '\u0000\u0001\u0002'.repeat(20_000)),
  'less than its content length': (socket) => void socket.end(`${OK}content-length: 1000\r\n\r\n<p>short`),
  'two content lengths': (socket) =>
    void socket.end(`${OK}content-length: 5\r\ncontent-length: 6\r\n\r\n<p>ab`),
  'a negative content length': (socket) => void socket.end(`${OK}content-length: -1\r\n\r\n<p>x`),
  'a huge chunk': (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\nFFFFFFFFFF\r\n`)
    writeWithoutEnd(socket, 'x'.repeat(65_536))
  },
  'an endless body': (socket) => {
    socket.write(`${OK}\r\n`)
    writeWithoutEnd(socket, '<a href="/x">x</a>'.repeat(5_000))
  },
  'half a body': (socket) => {
    socket.write(`${OK}content-length: 1000\r\n\r\n<p>`)
    socket.destroy()
  },
}

test.each(Object.keys(ANSWERS))(
  'a server that sends %s fails soon, with a readable message',
  async (name) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (asked) => {
        if (asked.toString().startsWith('GET /robots.txt'))
          socket.end('HTTP/1.1 404 None\r\ncontent-length: 0\r\n\r\n')
        else ANSWERS[name]?.(socket)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const before = process.memoryUsage().rss
    const reading = sites.newReader()(websiteConfig({ start_urls: [`http://127.0.0.1:${port}/`] }))
    await expect(reading).rejects.toThrow(/The start page .* could not be read/)
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
    server.close()
  },
  120_000,
)

test('a page with tens of thousands of links keeps the crawl within its limits', async () => {
  const links = Array.from({ length: 25_000 }, (_, at) => `<a href="/p${at}">${at}</a>`).join('')
  const long = Array.from({ length: 100 }, (_, at) => `<a href="/${'y'.repeat(5_000)}${at}">x</a>`).join('')
  const listing: FakePage = {
    headers: { 'content-type': 'text/html' },
    body: `<title>All</title><p>Everything.</p>${long}${links}`,
  }
  const before = process.memoryUsage().rss
  const reading = await sites.read({ '/': listing, '/p0': pageAbout('zero') }, { max_pages: 2 })
  expect(reading.documents).toEqual(['/', '/p0'])
  const most = Math.max(...reading.items.map((item) => (item.kind === 'discovered' ? item.count : 0)))
  expect(most).toBeLessThanOrEqual(20_001)
  expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000)
}, 120_000)

test('decompression bombs and floods do not affect the other pages', async () => {
  const packed = gzipSync(Buffer.alloc(12_000_000, 'User-agent: x\n'))
  await using site = await startFakeSite({
    '/robots.txt': { headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, body: packed },
    '/': pageAbout('start', ['/bomb', '/circle', '/fine']),
    '/bomb': {
      headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(20_000_000)),
    },
    '/circle': redirectTo('/circle'),
    '/fine': pageAbout('fine'),
    '/sitemap.xml': textFile(`<urlset>${'<url><loc>/x'.repeat(100_000)}`, 'application/xml'),
  })
  const reading = sites.newReader()(websiteConfig({ start_urls: [`${site.origin}/`] }))
  // A robots.txt that cannot be read forbids everything.
  await expect(reading).rejects.toThrow(/larger than allowed/)
  site.set('/robots.txt', undefined)
  const again = await sites.newReader()(websiteConfig({ start_urls: [`${site.origin}/`] }))
  expect(again.documents).toEqual(['/', '/fine'])
  expect(again.failed['/bomb']).toMatch(/larger than allowed/)
}, 120_000)
