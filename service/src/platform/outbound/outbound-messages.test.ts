import { expect, test } from 'vitest'
import { startFakeSite } from '../../../test/fake-site.ts'
import { OutboundFailure } from './outbound-failure.ts'
import { createOutbound } from './outbound.ts'

const NAMES: Record<string, string[]> = {
  'wiki.corp': ['10.0.0.5'],
  'closed.corp': ['127.0.0.1'],
  'cloud.corp': ['169.254.169.254'],
  'gone.corp': [],
}
const lookup = async (hostname: string) => {
  const found = NAMES[hostname]
  if (found === undefined) throw new Error('ENOTFOUND')
  return found
}

async function failureOf(
  address: string,
  chosenBy: 'customer' | 'operator' | 'web-page' | 'stranger',
  allowPrivateNetwork: boolean | string[] = false,
): Promise<OutboundFailure> {
  const outbound = createOutbound({ allowPrivateNetwork, lookup })
  const failure = await outbound
    .fetchOutbound(address, { chosenBy, followRedirects: true, timeoutMs: 5_000 })
    .catch((error: unknown) => error)
  await outbound.close()
  if (failure instanceof OutboundFailure) return failure
  throw new Error('It was reached.')
}

test.each(['customer', 'web-page', 'stranger'] as const)(
  'an unknown name and a private name give the same message and retry behaviour to a %s',
  async (chosenBy) => {
    const failures = [
      await failureOf('http://nobody.corp/', chosenBy),
      await failureOf('http://gone.corp/', chosenBy),
      await failureOf('http://wiki.corp/', chosenBy),
      await failureOf('http://cloud.corp/', chosenBy),
      await failureOf('http://wiki.corp/', chosenBy, ['other.corp']),
    ]
    const told = failures.map(({ message, isTransient }) => [
      message.replaceAll(/\w+\.corp/g, 'X'),
      isTransient,
    ])
    expect(new Set(told.map(String)).size).toBe(1)
    expect(told[0]?.[0]).toContain('could not be reached')
  },
)

test('a closed private host in an allowed network gives the same message as an unknown name', async () => {
  const nobody = await failureOf('http://nobody.corp:9/', 'customer', true)
  const closed = await failureOf('http://closed.corp:9/', 'customer', true)
  expect(closed.message.replaceAll(/\w+\.corp/g, 'X')).toBe(nobody.message.replaceAll(/\w+\.corp/g, 'X'))
  expect(closed.message).toContain('CITEWELL_ALLOW_PRIVATE_NETWORK')
})

test('addresses and localhost are not hidden, and the operator sees the exact reason', async () => {
  expect((await failureOf('http://10.1.2.3/', 'customer')).message).toMatch(
    /private network.*CITEWELL_ALLOW_PRIVATE_NETWORK/,
  )
  expect((await failureOf('http://nobody.corp/', 'operator')).message).toMatch(/no host named/)
})

test('the exact reason is logged once', async () => {
  const told: string[] = []
  const outbound = createOutbound({
    allowPrivateNetwork: false,
    lookup,
    onFailed: ({ reason, host }) => told.push(`${reason} ${host}`),
  })
  for (const host of ['wiki.corp', 'wiki.corp', 'nobody.corp'])
    await outbound
      .fetchOutbound(`http://${host}/`, { chosenBy: 'customer', followRedirects: true })
      .catch(() => {})
  await outbound.close()
  expect(told).toEqual(['private_address wiki.corp', 'dns nobody.corp'])
})

test('a public host cannot redirect into a private network, for any chooser and setting', async () => {
  await using inside = await startFakeSite({ '/': { body: 'SECRET' } })
  const webPorts: number[] = []
  await using site = await startFakeSite(
    { '/': { status: 302, headers: { location: `${inside.origin}/` } } },
    '127.0.0.2',
  )
  webPorts.push(Number(new URL(site.origin).port))
  const outbound = createOutbound({
    allowPrivateNetwork: true,
    networkEnvironment: {
      kindOf: (address) => (address.toString() === '127.0.0.2' ? 'public' : 'private'),
      webPorts,
    },
  })
  for (const chosenBy of ['customer', 'operator', 'web-page'] as const) {
    const failure: unknown = await outbound
      .fetchOutbound(site.origin, { chosenBy, followRedirects: true })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ reason: 'private_address' })
  }
  expect(inside.requests).toEqual([])
  await outbound.close()
})
