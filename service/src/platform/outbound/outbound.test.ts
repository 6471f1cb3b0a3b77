import { createServer } from 'node:https'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redirectTo, startFakeSite, type FakeSite } from '../../../test/fake-site.ts'
import { freePort } from '../../../test/free-port.ts'
import { selfSigned } from '../../../test/self-signed.ts'
import { OutboundFailure } from './outbound-failure.ts'
import { createOutbound, type OutboundRequest } from './outbound.ts'

const asked: OutboundRequest = { chosenBy: 'customer', followRedirects: true, timeoutMs: 5_000 }

/** The reason of the failure; throws if there is none. */
async function reasonFor(attempt: Promise<unknown>): Promise<string> {
  const outcome = await attempt.then(
    () => 'answered',
    (error: unknown) => error,
  )
  if (outcome instanceof OutboundFailure) return outcome.reason
  throw outcome
}

describe('redirects', () => {
  let site: FakeSite
  const outbound = createOutbound({ allowPrivateNetwork: ['127.0.0.1'] })
  beforeAll(async () => {
    site = await startFakeSite({
      '/a': redirectTo('/b', 302),
      '/b': redirectTo('/end'),
      '/end': { body: 'the end' },
      '/loop': redirectTo('/loop'),
      '/metadata': redirectTo('http://169.254.169.254/latest/meta-data/'),
      '/inside': redirectTo('http://127.0.0.2/'),
      '/file': redirectTo('file:///etc/passwd'),
      '/user': redirectTo('http://a:b@127.0.0.1/'),
      '/post': (_asked, request) => ({ body: request.method ?? '' }),
      '/see-other': redirectTo('/post', 303),
      '/again': redirectTo('/post', 307),
    })
  })
  afterAll(async () => {
    await outbound.close()
    await site[Symbol.asyncDispose]()
  })

  test('are followed up to the last address', async () => {
    const response = await outbound.fetchOutbound(`${site.origin}/a`, asked)
    expect([await response.text(), response.url.pathname]).toEqual(['the end', '/end'])
  })

  test.each([
    ['/loop', 'too_many_redirects'],
    ['/metadata', 'metadata_address'],
    ['/inside', 'private_address'],
    ['/file', 'bad_address'],
    ['/user', 'userinfo'],
  ])('%s is refused: %s', async (path, reason) => {
    expect(await reasonFor(outbound.fetchOutbound(site.origin + path, asked))).toBe(reason)
  })

  test('are returned like any other response if they are not to be followed', async () => {
    const response = await outbound.fetchOutbound(`${site.origin}/a`, { ...asked, followRedirects: false })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/b'])
    await response.discard()
  })

  test('keep or drop the body like browsers do', async () => {
    const post = { ...asked, method: 'POST', body: 'x' }
    expect(await (await outbound.fetchOutbound(`${site.origin}/see-other`, post)).text()).toBe('GET')
    expect(await (await outbound.fetchOutbound(`${site.origin}/again`, post)).text()).toBe('POST')
  })

  test('do not lead from an encrypted address to one that is not', async () => {
    const usual = getCACertificates('default')
    const pem = selfSigned(['localhost'])
    setDefaultCACertificates([...usual, pem.cert])
    const secure = createServer(pem, (_request, response) => {
      response.writeHead(302, { location: `${site.origin}/end` }).end()
    })
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    const reaching = createOutbound({ allowPrivateNetwork: true, lookup: async () => ['127.0.0.1'] })
    try {
      const { port } = secure.address() as AddressInfo
      site.forget()
      const attempt = reaching.fetchOutbound(`https://localhost:${port}/`, asked)
      expect(await reasonFor(attempt)).toBe('insecure_redirect')
      expect(site.requests).toEqual([])
    } finally {
      setDefaultCACertificates(usual)
      secure.closeAllConnections()
      secure.close()
      await reaching.close()
    }
  })

  test('send no credentials to another origin', async () => {
    await using other = await startFakeSite({ '/': { body: 'ok' } })
    site.set('/away', redirectTo(`${other.origin}/`))
    const headers = {
      authorization: 'Bearer secret',
      cookie: 'a=b',
      'x-api-key': 'secret',
      accept: 'text/plain',
    }
    await (await outbound.fetchOutbound(`${site.origin}/away`, { ...asked, headers })).discard()
    const seen = other.requests[0]?.headers
    expect(seen?.accept).toBe('text/plain')
    expect(JSON.stringify(seen)).not.toMatch(/secret|a=b/)
  })
})

describe('bodies', () => {
  let site: FakeSite
  const outbound = createOutbound({ allowPrivateNetwork: true })
  const zeros = Buffer.alloc(8_000_000)
  const packed = (encoding: string, body: Uint8Array) => ({ headers: { 'content-encoding': encoding }, body })
  beforeAll(async () => {
    site = await startFakeSite({
      '/gzip': packed('gzip', gzipSync('héllo')),
      '/br': packed('br', brotliCompressSync('héllo')),
      '/zstd': packed('zstd', zstdCompressSync('héllo')),
      '/twice': packed('gzip, gzip', gzipSync(gzipSync('héllo'))),
      '/thrice': packed('gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('héllo')))),
      '/bomb': packed('gzip', gzipSync(zeros)),
      '/bomb-br': packed('br', brotliCompressSync(zeros)),
      '/nested-bomb': packed('gzip, gzip', gzipSync(gzipSync(zeros))),
      '/broken': packed('gzip', Buffer.from('this is no gzip at all')),
      '/cut': packed('gzip', gzipSync('a long text '.repeat(500)).subarray(0, 40)),
      '/big': { headers: { 'content-encoding': 'identity' }, body: Buffer.alloc(300_000, 'x') },
      '/endless': (_asked, _request, response) => {
        response.writeHead(200)
        const write = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536))) {
            // Until the socket buffer is full.
          }
        }
        response.on('drain', write)
        write()
        return undefined
      },
      '/drip': (_asked, _request, response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('x'), 10)
        response.on('close', () => clearInterval(timer))
        return undefined
      },
      '/silent': () => undefined,
      '/unknown': packed('lzma', Buffer.from('whole')),
      '/port': (_asked, { socket }) => ({ body: String(socket.remotePort) }),
      '/half': (_asked, request, response) => {
        response.writeHead(200, { 'content-length': 10 })
        response.write('half')
        setTimeout(() => request.socket.destroy(), 20)
        return undefined
      },
      '/reset': (_asked, request) => {
        request.socket.destroy()
        return undefined
      },
    })
  })
  afterAll(async () => {
    await outbound.close()
    await site[Symbol.asyncDispose]()
  })
  const read = async (path: string, more: Partial<OutboundRequest> = {}) =>
    (await outbound.fetchOutbound(site.origin + path, { ...asked, ...more })).text()

  test.each(['/gzip', '/br', '/zstd', '/twice'])('%s is decompressed', async (path) => {
    expect(await read(path)).toBe('héllo')
  })

  test.each([
    ['/bomb', 'too_large'],
    ['/bomb-br', 'too_large'],
    ['/nested-bomb', 'too_large'],
    ['/thrice', 'bad_encoding'],
    ['/broken', 'bad_encoding'],
    ['/cut', 'bad_encoding'],
    ['/endless', 'too_large'],
    ['/reset', 'reset'],
  ])('%s fails with %s', async (path, reason) => {
    expect(await reasonFor(read(path))).toBe(reason)
  })

  test('a body over the limit of the call fails with too_large', async () => {
    expect(await reasonFor(read('/big', { maxBytes: 299_999 }))).toBe('too_large')
    expect(await read('/big', { maxBytes: 300_000 })).toHaveLength(300_000)
  })

  test.each(['/drip', '/silent'])('%s ends at the total timeout', async (path) => {
    expect(await reasonFor(read(path, { timeoutMs: 150 }))).toBe('timeout')
  })

  test('a connection that breaks before its body is read fails the reading, and nothing else', async () => {
    const response = await outbound.fetchOutbound(`${site.origin}/half`, asked)
    await sleep(100)
    expect(await reasonFor(response.text())).toBe('reset')
  })

  test('a body that has come as a whole, and that nobody can decode, fails its reading, and nothing else', async () => {
    const response = await outbound.fetchOutbound(`${site.origin}/unknown`, asked)
    await sleep(100)
    expect(await reasonFor(response.text())).toBe('bad_encoding')
    // What it would throw besides comes after this turn.
    await sleep(20)
  })

  test('a connection is used again for the next request', async () => {
    const ports = [await read('/port'), await read('/port')]
    expect(ports[1]).toBe(ports[0])
  })

  test('an abort ends it at any time with the reason of the caller', async () => {
    const gone = new Error('gone')
    await expect(read('/silent', { signal: AbortSignal.abort(gone) })).rejects.toBe(gone)
    const leaving = new AbortController()
    setTimeout(() => leaving.abort(gone), 30)
    await expect(read('/drip', { signal: leaving.signal })).rejects.toBe(gone)
  })
})

describe('failures', () => {
  const outbound = createOutbound({
    allowPrivateNetwork: true,
    lookup: async (hostname) => {
      if (hostname === 'unknown.example') throw new Error('ENOTFOUND')
      return []
    },
  })

  test('a closed port and a reset connection give customers the same message, and the operator different ones', async () => {
    await using site = await startFakeSite({
      '/': (_asked, request) => {
        request.socket.destroy()
        return undefined
      },
    })
    const messageOf = (url: string, chosenBy: 'customer' | 'operator') =>
      outbound
        .fetchOutbound(url, { ...asked, chosenBy })
        .catch((error: Error) => error.message.replace(/:\d+/, ''))
    const closed = 'http://127.0.0.1:1/'
    expect(await messageOf(closed, 'customer')).toBe(await messageOf(site.origin, 'customer'))
    expect(await messageOf(closed, 'operator')).not.toBe(await messageOf(site.origin, 'operator'))
  })

  test.each(['http://unknown.example/', 'http://empty.example/'])(
    '%s cannot be resolved',
    async (address) => {
      expect(await reasonFor(outbound.fetchOutbound(address, asked))).toBe('dns')
    },
  )

  test('https to a server without TLS fails with tls', async () => {
    await using site = await startFakeSite({})
    const address = site.origin.replace('http:', 'https:')
    expect(await reasonFor(outbound.fetchOutbound(address, asked))).toBe('tls')
  })
})

describe('the proxy of a rendered page', () => {
  const outbound = createOutbound({ allowPrivateNetwork: true })
  afterAll(() => outbound.close())

  /** What it answers to one request; the error if it only closes the connection. */
  const ask = (port: number, options: { method?: string; path: string; headers?: Record<string, string> }) =>
    new Promise<IncomingMessage | Error>((resolve) => {
      const request = requestHttp({ host: '127.0.0.1', port, agent: false, ...options })
      request.on('response', (response) => resolve(response.resume()))
      request.on('connect', (response, socket) => {
        socket.destroy()
        resolve(response)
      })
      request.on('error', resolve)
      request.end()
    })
  const statusOf = (answer: IncomingMessage | Error) =>
    'statusCode' in answer ? answer.statusCode : 'closed'

  test('keeps headers of a connection to itself, in both directions', async () => {
    await using site = await startFakeSite({ '/': { headers: { 'proxy-authenticate': 'Basic' }, body: 'x' } })
    await using proxy = await outbound.openCrawl([site.origin]).openProxy(`${site.origin}/`, () => undefined)
    const headers = { 'proxy-authorization': 'secret', 'x-of-the-page': 'kept' }
    const answer = await ask(proxy.port, { path: `${site.origin}/`, headers })
    expect(site.requests[0]?.headers['x-of-the-page']).toBe('kept')
    expect(site.requests[0]?.headers['proxy-authorization']).toBeUndefined()
    expect([statusOf(answer), 'headers' in answer && answer.headers['proxy-authenticate']]).toEqual([
      200,
      undefined,
    ])
  })

  test('says that it has no tunnel to a host that nobody listens at', async () => {
    const closed = `127.0.0.1:${await freePort()}`
    const page = `http://${closed}/`
    await using proxy = await outbound.openCrawl([page]).openProxy(page, () => undefined)
    expect(statusOf(await ask(proxy.port, { method: 'CONNECT', path: closed }))).toBe(502)
  })

  test('serves a page 400 requests, and ends it at the next one', async () => {
    await using site = await startFakeSite({ '/': { body: 'x' } })
    const overruns: string[] = []
    const page = `${site.origin}/`
    await using proxy = await outbound.openCrawl([page]).openProxy(page, (words) => overruns.push(words))
    for (let sent = 0; sent < 400; sent += 40) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => ask(proxy.port, { path: page })))
      expect(new Set(answers.map(statusOf))).toEqual(new Set([200]))
    }
    expect(overruns).toEqual([])
    expect(statusOf(await ask(proxy.port, { path: page }))).toBe('closed')
    expect(overruns).toEqual(['it makes more than 400 requests'])
    expect(site.requests).toHaveLength(400)
  })
})
