import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'
import { createExternalIdentities, type ExternalIdentities } from './external-identities.ts'

let storage: TestStorage
let identities: ExternalIdentities

const now = () => new Date()
const ISSUERS = ['https://one.example', 'https://two.example']

beforeAll(async () => {
  storage = await openTestStorage()
  identities = createExternalIdentities({ db: storage.db, now, disconnectTools: () => Promise.resolve(0) })
})
afterAll(() => storage[Symbol.asyncDispose]())

/** A person who signs in with providers, and has no password. */
async function makePerson({ issuers = ISSUERS, subject }: { issuers?: string[]; subject?: string } = {}) {
  const id = newId()
  const times = { created_at: now(), updated_at: now() }
  await storage.db
    .insertInto('users')
    .values({ id, email: `${id}@example.com`, name: 'Mia', ...times })
    .execute()
  const sessionId = newId()
  await storage.db
    .insertInto('browser_sessions')
    .values({ id: sessionId, token_hash: newId(), user_id: id, created_at: now(), last_seen_at: now() })
    .execute()
  const person = { userId: id, sessionId }
  for (const issuer of issuers)
    await identities.link(person, { issuer, subject: subject ?? id, email: undefined })
  return id
}

test('of two sign-in methods that are removed concurrently, one stays', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => makePerson()))
  const ended = await Promise.all(
    people.map(
      async (id) =>
        await Promise.allSettled(ISSUERS.map(async (issuer) => await identities.unlink(id, issuer))),
    ),
  )
  const left = await Promise.all(people.map(async (id) => await identities.listOf(id)))

  expect(left.map((rows) => rows.length)).toEqual(people.map(() => 1))
  for (const both of ended) {
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } })
  }
})

test('unlinking a provider that is not linked does nothing', async () => {
  const id = await makePerson()
  await identities.unlink(id, 'https://three.example')

  expect(await identities.listOf(id)).toHaveLength(2)
})

test('the name that one provider has for a person is that of somebody else at another provider', async () => {
  const subject = newId()
  const people: string[] = []
  for (const issuer of ISSUERS) people.push(await makePerson({ issuers: [issuer], subject }))
  const found: string[] = []
  for (const issuer of ISSUERS) found.push(await identities.personOf({ issuer, subject, email: undefined }))
  expect(found).toEqual(people)
  await expect(
    identities.personOf({ issuer: 'https://three.example', subject, email: undefined }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
