import { expect, test } from 'vitest'
import { openTestStorage } from '../../../../test/test-storage.ts'
import { bytesOfText, textOfBytes } from './bytea-text.ts'

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, value) => value)

test('every byte survives a round trip, also from the middle of a buffer', () => {
  const shifted = Buffer.concat([Buffer.of(1), EVERY_BYTE]).subarray(1)

  expect(textOfBytes(shifted)).toMatch(/^\\x000102.*feff$/)
  expect([...bytesOfText(textOfBytes(shifted))]).toEqual([...EVERY_BYTE])
  expect(bytesOfText('\\x')).toHaveLength(0)
})

test('the engine accepts and returns bytes', async () => {
  await using storage = await openTestStorage()

  const { rows } = await storage.execute(
    'select $1::bytea as whole, substring($1::bytea from 2 for 2) as part',
    [EVERY_BYTE],
  )
  const [row = {}] = rows

  expect(Buffer.from(row['whole'] as Uint8Array)).toEqual(Buffer.from(EVERY_BYTE))
  expect(Buffer.from(row['part'] as Uint8Array)).toEqual(Buffer.of(1, 2))
})
