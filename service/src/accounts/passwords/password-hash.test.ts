import { expect, test } from 'vitest'
import { openTestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'
import { createPasswordHasher } from './password-hash.ts'
import { createPasswords, putPassword } from './passwords.ts'

const CHEAP = { memory: 64, passes: 1, parallelism: 1 }

test('a hash matches only its password, in any Unicode normalization form', async () => {
  const hasher = createPasswordHasher(CHEAP)
  const [one, other] = [await hasher.hash('Ångström lamp'), await hasher.hash('Ångström lamp')]

  expect(one).not.toBe(other)
  expect(await hasher.isHashOf(one, 'A\u030Angstro\u0308m lamp')).toBe(true)
  expect(await hasher.isHashOf(one, 'angström lamp')).toBe(false)
  for (const broken of ['', 'Ångström lamp', one.slice(0, -1), one.replace('argon2id', 'argon2i')]) {
    expect(await hasher.isHashOf(broken, 'Ångström lamp')).toBe(false)
  }
})

test('when the queue is full further requests are refused, and the queued ones are served', async () => {
  const hasher = createPasswordHasher(CHEAP)
  const asked = await Promise.allSettled(Array.from({ length: 60 }, () => hasher.hash('staircase')))
  const done = asked.filter(({ status }) => status === 'fulfilled')

  expect(done).toHaveLength(42)
  expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'UNAVAILABLE' },
  })
  expect(await hasher.hash('staircase')).toMatch(/^\$argon2id\$/)
})

test('a hash of a lower cost is recomputed when its user signs in', async () => {
  await using storage = await openTestStorage()
  const { db } = storage
  const now = new Date('2026-03-09T10:00:00.000Z')
  const userId = newId()
  const times = { created_at: now, updated_at: now }
  await db
    .insertInto('users')
    .values({ id: userId, email: 'a@example.com', name: 'A', ...times })
    .execute()
  await putPassword(db, { userId, hash: await createPasswordHasher(CHEAP).hash('staircase'), now })
  const dearer = createPasswords({
    db,
    now: () => now,
    hasher: createPasswordHasher({ ...CHEAP, memory: 128 }),
    disconnectTools: () => Promise.resolve(0),
  })
  const stored = async () =>
    (await db.selectFrom('user_passwords').select('hash').executeTakeFirstOrThrow()).hash

  expect(await dearer.personOf('a@example.com', 'wrong')).toBeUndefined()
  expect(await stored()).toContain('$m=64,')
  expect(await dearer.personOf('A@example.com', 'staircase')).toMatchObject({ userId })
  expect(await stored()).toContain('$m=128,')
  expect(await dearer.personOf('a@example.com', 'staircase')).toEqual({ userId, hash: await stored() })
})
