import { describe, expect, test } from 'vitest'
import { createOutboundPolicy } from './outbound-policy.ts'

const guarded = createOutboundPolicy(false)

function judge(
  addresses: string[],
  given: { policy?: typeof guarded; hostname?: string; port?: number } = {},
) {
  return (given.policy ?? guarded).judge({
    hostname: given.hostname ?? 'docs.example.com',
    addresses,
    port: given.port ?? 443,
    chosenBy: 'customer',
  })
}

describe('addresses that are never reached by default', () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '5f00::1',
    'not an address',
  ])('%s', (address) => {
    expect(judge([address])).toBe('private_address')
  })

  test.each([
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fe80::1',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
  ])('metadata address %s is refused for every chooser, even if private networks are allowed', (address) => {
    const open = createOutboundPolicy(true)
    const listed = createOutboundPolicy(['docs.example.com', '169.254.0.0/16', 'fd00::/8'])
    for (const policy of [guarded, open, listed])
      expect(judge([address], { policy })).toBe('metadata_address')
    const asked = {
      hostname: 'docs.example.com',
      addresses: [address],
      port: 80,
      chosenBy: 'operator',
    } as const
    expect(guarded.judge(asked)).toBe('metadata_address')
  })
})

test('a host with one private address among public ones is refused', () => {
  expect(judge(['1.1.1.1'])).toBeUndefined()
  expect(judge(['2606:4700::1111'])).toBeUndefined()
  expect(judge(['1.1.1.1', '10.0.0.1'])).toBe('private_address')
})

test('public hosts are reached on web ports only, allowed private ones on any port', () => {
  const policy = createOutboundPolicy(['10.1.0.0/16', '::1', 'wiki.corp', '*.docs.corp'])
  expect(judge(['1.1.1.1'], { policy, port: 80 })).toBeUndefined()
  expect(judge(['1.1.1.1'], { policy, port: 6379 })).toBe('port')
  expect(judge(['10.1.2.3'], { policy, port: 8080 })).toBeUndefined()
  expect(judge(['::ffff:10.1.2.3'], { policy, port: 8080 })).toBeUndefined()
  expect(judge(['10.2.0.1'], { policy, port: 8080 })).toBe('private_address')
  expect(judge(['::1'], { policy, port: 8080 })).toBeUndefined()
  expect(judge(['192.168.0.9'], { policy, port: 8080, hostname: 'Wiki.corp.' })).toBeUndefined()
  expect(judge(['192.168.0.9'], { policy, port: 8080, hostname: 'a.docs.corp' })).toBeUndefined()
  expect(judge(['192.168.0.9'], { policy, port: 8080, hostname: 'evildocs.corp' })).toBe('private_address')
  expect(judge(['1.1.1.1'], { policy: createOutboundPolicy(true), port: 22 })).toBe('port')
})

test('the operator reaches private hosts on any port without a setting', () => {
  const asked = {
    hostname: 'localhost',
    addresses: ['127.0.0.1', '::1'],
    port: 11_434,
    chosenBy: 'operator',
  } as const
  expect(guarded.judge(asked)).toBeUndefined()
})

test('an invalid entry of the setting is refused with a message', () => {
  expect(() => createOutboundPolicy(['10.0.0.0/99'])).toThrow('"10.0.0.0/99" is neither a host name')
  expect(() => createOutboundPolicy(['http://wiki'])).toThrow('neither a host name')
})
