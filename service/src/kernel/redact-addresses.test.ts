import { expect, test } from 'vitest'
import { redactAddresses } from './redact-addresses.ts'
import { processorTime } from '../../test/time-limit.ts'

test.each([
  ['https://me:CANARY@git.example.com/x could not be read', 'https://git.example.com/x could not be read'],
  ['https://CANARY@git.example.com/x', 'https://git.example.com/x'],
  ['https://me:p@CANARY@git.example.com/x', 'https://git.example.com/x'],
  ['fatal: unable to access "ssh://me:CANARY@h:22/x"', 'fatal: unable to access "ssh://h:22/x"'],
  ['go?to=https%3A%2F%2Fme:CANARY@h', 'go?to=https%3A%2F%2Fh'],
  ['go?to=https%3A%2F%2Fme%3ACANARY%40h', 'go?to=https%3A%2F%2Fh'],
  ['https://h/openapi.json?token=CANARY#listPets', 'https://h/openapi.json?token=…#listPets'],
  ['https://h/x?v=2&X-Amz-Signature=CANARY&page=3', 'https://h/x?v=2&X-Amz-Signature=…&page=3'],
  ['https://h/x?apikey=CANARY', 'https://h/x?apikey=…'],
  ['https://h/x#access_token=CANARY', 'https://h/x#access_token=…'],
  ['{"msg":"https://me:CANARY@h/x\\n"}', '{"msg":"https://h/x\\n"}'],
  [`https://h/x?v=${'CANARY1'.repeat(6)}`, 'https://h/x?v=…'],
  ['https://medium.com/@someone/post?page=2', 'https://medium.com/@someone/post?page=2'],
  ['Write to me@example.com: 1 = 1', 'Write to me@example.com: 1 = 1'],
])('%j loses its credentials', (given, shown) => {
  expect(redactAddresses(given)).toBe(shown)
})

test.each(['://', 'https://aaaa', '?a', '?a=', '&#;', 'a.a', '://x:y', '%3A%2F%2Fq', '%3A', '://%3A%2F%2F:'])(
  'half a megabyte of %j is redacted within two seconds of processor time',
  async (piece) => {
    const spent = await processorTime(() => redactAddresses(piece.repeat(500_000 / piece.length)))
    expect(spent).toBeLessThan(2_000)
  },
)
