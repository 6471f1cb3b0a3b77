import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFakeSite } from '../../../test/fake-site.ts'
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

describe('private networks are not reached', () => {
  let touched = 0
  let port = 0
  const canary = createServer((socket) => {
    touched += 1
    socket.destroy()
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    port = (canary.address() as AddressInfo).port
  })
  afterAll(async () => {
    await new Promise((resolve) => canary.close(resolve))
  })

  const inside = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '0177.0.0.1',
    '0177.0.0.01',
    '0177.1',
    '127.0.0.001',
    '0',
    '0.0.0.0',
    '00000000',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::127.0.0.1]',
    '[2002:7f00:1::]',
    '[::ffff:0:127.0.0.1]',
    '127。0。0。1',
    '127.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127%2e0%2e0%2e1',
    '%31%32%37.0.0.1',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[fc00::1]',
    '[fd00::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '[::ffff:169.254.169.254]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '100.100.100.200',
    'localhost',
    'localhost.',
    'LOCALHOST',
    'a.localhost',
    'local\thost',
    'local\nhost',
    'localhost\\@example.com',
    'localhost#@example.com',
    'localhost?@example.com',
    'lvh.example',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'metadata.google.internal',
    'mixed.example',
  ]
  const NAMES: Record<string, string[]> = {
    'metadata.google.internal': ['169.254.169.254'],
    'mixed.example': ['1.1.1.1', '127.0.0.1'],
    'lvh.example': ['127.0.0.1'],
  }
  const lookup = async (hostname: string) => NAMES[hostname] ?? ['127.0.0.1', '::1']
  const outbound = createOutbound({ allowPrivateNetwork: false, lookup })

  test.each(inside)('%j', async (host) => {
    // The port of the canary is added last, so that hosts with a `#`, `?` or `\` keep their own.
    const hasTail = /[#?\\]/.test(host)
    const address = hasTail ? `http://${host}` : `http://${host}:${port}/`
    const reason = await reasonFor(outbound.fetchOutbound(address, asked))
    expect(['private_address', 'metadata_address']).toContain(reason)
    expect(touched).toBe(0)
  })

  test.each([
    ['http://good@127.0.0.1/', 'userinfo'],
    ['http://example.com:80@127.0.0.1/', 'userinfo'],
    ['http://example.com%2f@127.0.0.1/', 'userinfo'],
    ['file:///etc/passwd', 'bad_address'],
    ['gopher://127.0.0.1:6379/_x', 'bad_address'],
    ['ftp://127.0.0.1/', 'bad_address'],
    ['data:text/html,hello', 'bad_address'],
    ['//127.0.0.1/', 'bad_address'],
    ['http://', 'bad_address'],
    ['http://[::1', 'bad_address'],
    ['http://256.1.1.1/', 'bad_address'],
    ['javascript:alert(1)', 'bad_address'],
  ])('%s: %s', async (address, reason) => {
    expect(await reasonFor(outbound.fetchOutbound(address, asked))).toBe(reason)
    expect(touched).toBe(0)
  })

  test('a name server that changes its answer (DNS rebinding) is only asked once', async () => {
    await using site = await startFakeSite({ '/': { body: 'hello' } })
    const sitePort = new URL(site.origin).port
    const answers = [['127.0.0.1'], ['169.254.169.254']]
    let lookups = 0
    const rebinding = createOutbound({
      allowPrivateNetwork: true,
      lookup: async () => answers[lookups++] ?? ['127.0.0.1'],
    })
    const first = await rebinding.fetchOutbound(`http://rebind.example:${sitePort}/`, asked)
    expect(await first.text()).toBe('hello')
    expect(lookups).toBe(1)
    await rebinding.close()
    expect(await reasonFor(rebinding.fetchOutbound(`http://rebind.example:${sitePort}/`, asked))).toBe(
      'metadata_address',
    )
    await rebinding.close()
  })

  test('a host of a crawl that was found on the internet is not followed into a private network', async () => {
    const internet = '127.0.0.2'
    const closing = { headers: { connection: 'close' }, body: 'hello' }
    await using site = await startFakeSite({ '/': closing }, internet)
    const sitePort = new URL(site.origin).port
    const answers = [internet, '127.0.0.1', internet]
    const outside = createOutbound({
      allowPrivateNetwork: true,
      lookup: async () => [answers.shift() ?? ''],
      networkEnvironment: {
        kindOf: (address) => (address.toString() === internet ? 'public' : 'private'),
        webPorts: [Number(sitePort)],
      },
    })
    const page = `http://moving.example:${sitePort}/`
    const crawl = outside.openCrawl([page])
    const read = async () =>
      (await crawl.fetch(page, { followRedirects: true, timeoutMs: 5_000, namedBy: undefined })).text()
    expect(await read()).toBe('hello')
    expect(await reasonFor(read())).toBe('private_address')
    expect(await read()).toBe('hello')
    await crawl.close()
    await outside.close()
  })

  test('connections of the operator are not reused for other choosers', async () => {
    await using site = await startFakeSite({ '/': { body: 'secret' } })
    const shared = createOutbound({ allowPrivateNetwork: false })
    const own = await shared.fetchOutbound(site.origin, { ...asked, chosenBy: 'operator' })
    expect(await own.text()).toBe('secret')
    expect(await reasonFor(shared.fetchOutbound(site.origin, asked))).toBe('private_address')
    await shared.close()
  })
})
