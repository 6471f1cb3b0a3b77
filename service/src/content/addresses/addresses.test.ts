import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { createAddresses, namedAmong } from './addresses.ts'

const ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'
const OTHER = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c11'
const place = { url: 'http://127.0.0.1:3000' }
const { addressOf, parseAddress } = createAddresses({ publicUrl: () => place.url })

test('a document without an address opens at its page on this service, at the current public address', () => {
  const document = { url: 'guide/running.md', documentId: ID }
  expect(addressOf(document)).toBe(`http://127.0.0.1:3000/documents/${ID}`)
  place.url = 'https://answers.example.com'
  expect(addressOf(document)).toBe(`https://answers.example.com/documents/${ID}`)
})

test('an address given out under an earlier public address leads to the current one', () => {
  const kept = `http://127.0.0.1:3000/documents/${ID}?passage=${OTHER}#keys:~:text=Keys`
  const now = `https://answers.example.com/documents/${ID}?passage=${OTHER}#keys:~:text=Keys`
  expect(addressOf({ url: kept, documentId: ID })).toBe(now)
  expect(addressOf({ url: kept, documentId: OTHER })).toBe(kept)
  expect(addressOf({ url: `http://old.test/answers/${OTHER}`, documentId: ID })).toBe(
    `https://answers.example.com/answers/${OTHER}`,
  )
})

test.each(['https://docs.example.com/keys', 'https://docs.example.com/documents/keys'])(
  'the address of a document is returned unchanged: %s',
  (url) => {
    expect(addressOf({ url, documentId: ID })).toBe(url)
  },
)

verifies(
  'documents.url-found-again',
  'an address resolves to the document or answer it was given out for',
  () => {
    const file = { id: ID, url: 'guide/running.md', externalId: 'guide/running.md' }
    const answer = { id: OTHER, url: 'http://old.test/answers/x', externalId: ID }
    const page = { id: OTHER, url: 'https://docs.test/größe', externalId: 'x' }
    const namesIt = (address: string, document: typeof file) =>
      namedAmong(parseAddress(address), [document]).length === 1
    expect(namesIt(`https://answers.example.com/documents/${ID}?passage=${OTHER}#keys`, file)).toBe(true)
    expect(namesIt(`/documents/${ID}`, file)).toBe(true)
    expect(namesIt(' guide/running.md#settings ', file)).toBe(true)
    expect(namesIt(`https://answers.example.com/documents/${OTHER}`, file)).toBe(false)
    expect(namesIt(`https://answers.example.com/answers/${ID}`, answer)).toBe(true)
    expect(namesIt('https://docs.test/gr%C3%B6%C3%9Fe#a', page)).toBe(true)
    expect(namesIt('https://docs.test/%E0%A4%A', page)).toBe(false)
    const whole = { id: ID, url: 'https://docs.test/api', externalId: 'whole' }
    const operation = { id: OTHER, url: 'https://docs.test/api#read', externalId: 'read' }
    for (const [address, named] of [
      ['https://docs.test/api#read', operation],
      ['https://docs.test/api#read:~:text=Reads', operation],
      ['https://docs.test/api#write', whole],
    ] as const) {
      expect([address, namedAmong(parseAddress(address), [whole, operation])]).toEqual([address, [named]])
    }
  },
)
