import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStorage, type TestStorage } from '../../../../test/test-storage.ts'
import { OWNER_TOKEN, startTestService, type TestService } from '../../../../test/start-service.ts'
import { createSealer } from '../../secrets/sealed.ts'
import { createIdempotency } from './idempotency.ts'
import type { KeyedRequest } from './request-hash.ts'

let storage: TestStorage
let citewell: TestService
let base: { id: string }

beforeAll(async () => {
  storage = await openTestStorage()
  citewell = await startTestService({}, { storage })
  base = await citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await storage.close()
})

async function create(path: string, body: unknown, key: string, token = OWNER_TOKEN) {
  const response = await globalThis.fetch(`${citewell.address}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, text, isReplay: response.headers.get('idempotency-replayed') === 'true' }
}

const countKeys = async () => (await storage.db.selectFrom('client_keys').select('id').execute()).length

verifies(
  'conventions.idempotency',
  'fifty concurrent creates with one key create one record and all get the same response',
  async () => {
    const before = await countKeys()
    const path = `/knowledge-bases/${base.id}/client-keys`

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => create(path, { name: 'Server', kind: 'secret' }, 'fifty')),
    )

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]).toMatchObject({
      status: 201,
      text: expect.stringContaining('"client_secret":"cw_sk_'),
    })
    expect(answers.filter(({ isReplay }) => isReplay)).toHaveLength(49)
    expect(await countKeys()).toBe(before + 1)
    const secret = /cw_sk_\w+/.exec(answers[0]?.text ?? '')?.[0] ?? 'none'
    const kept = await storage.db.selectFrom('idempotent_requests').selectAll().execute()
    expect(kept).not.toHaveLength(0)
    expect(JSON.stringify(kept)).not.toContain(secret)
  },
)

verifies(
  'conventions.idempotency',
  'a different body is refused, the order of fields does not matter, and keys are separate per token and address',
  async () => {
    const path = `/knowledge-bases/${base.id}/client-keys`
    const first = await create(path, { name: 'A', kind: 'public' }, 'one')
    expect(first.status).toBe(201)
    expect(await create(path, { kind: 'public', name: 'A' }, 'one')).toEqual({ ...first, isReplay: true })
    expect(await create(path, { name: 'B', kind: 'public' }, 'one')).toMatchObject({
      status: 409,
      text: expect.stringContaining('"code":"CONFLICT"'),
    })
    const { token } = await citewell.json<{ token: string }>('POST', '/api/v1/access-tokens', {
      name: 'x',
      scopes: ['config'],
    })
    expect(await create(path, { name: 'B', kind: 'public' }, 'one', token)).toMatchObject({
      status: 201,
      isReplay: false,
    })
    expect(await create(`/knowledge-bases/${base.id}/widgets`, { name: 'W' }, 'one')).toMatchObject({
      status: 201,
    })
    expect((await create(path, { name: 'C', kind: 'public' }, 'a b')).status).toBe(400)
  },
)

const keyed = (more: Partial<KeyedRequest> = {}): KeyedRequest => ({
  credentialId: 't',
  method: 'POST',
  path: '/x',
  key: 'k',
  body: { a: 1 },
  ...more,
})
const patient = new AbortController().signal
const sealer = createSealer(['a master key of the tests, long enough'])

test('a refused request may be retried with the same key, and a key expires after a day', async () => {
  const clock = { time: new Date('2026-03-09T10:00:00.000Z') }
  const faults: unknown[] = []
  const idempotency = createIdempotency({
    db: storage.db,
    sealer,
    now: () => clock.time,
    report: (fault) => faults.push(fault),
  })
  let runs = 0
  const run = async () => {
    runs += 1
    if (runs === 1) throw new Error('refused')
    return { runs }
  }

  await expect(idempotency.once(keyed(), patient, run)).rejects.toThrow('refused')
  expect(await idempotency.once(keyed(), patient, run)).toEqual({ value: { runs: 2 }, isReplay: false })
  expect(await idempotency.once(keyed(), patient, run)).toEqual({ value: { runs: 2 }, isReplay: true })
  clock.time = new Date('2026-03-10T10:00:01.000Z')
  expect(await idempotency.once(keyed(), patient, run)).toEqual({ value: { runs: 3 }, isReplay: false })
  expect(faults).toEqual([])
})
