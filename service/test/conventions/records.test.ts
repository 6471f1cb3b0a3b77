import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints, makeApiWorld, type ApiWorld, type WireRecord } from './api-world.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await makeApiWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The parents of a record. */
const PARENTS = new Set(['workspace_id', 'knowledge_base_id', 'source_id', 'user_id'])

/** The names of all fields of an answer, at any depth. */
function* fieldsOf(value: unknown): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inside] of Object.entries(value)) {
    yield [name, inside]
    yield* fieldsOf(inside)
  }
}

/** Fields that change without a request: times, first syncs, background work. */
const goesOn = (field: string) =>
  field === 'updated_at' || field === 'status' || field.startsWith('last_') || field.endsWith('_count')

const allMade = () =>
  [...world.made].flatMap(([operationId, records]) => records.map((record) => ({ operationId, record })))

/** `GET`, `PATCH`, `DELETE /<noun>/{id}` of the record that a create makes. */
const siblingOf = (operationId: string, method: string) => {
  const create = endpoints.find((endpoint) => endpoint.operationId === operationId)
  const noun = create?.path.split('/').at(-1)
  return endpoints.find(({ method: other, path }) => other === method && path === `/api/v1/${noun}/{id}`)
}

test('every kind of record can be created from the endpoint table', () => {
  expect(Object.fromEntries(world.refused)).toEqual({})
  expect(world.made.size).toBeGreaterThan(12)
})

verifies(
  ['conventions.create', 'conventions.record-fields'],
  'a create answers 201 with the same record as a read',
  async () => {
    expect(world.made.size).toBeGreaterThan(12)
    for (const { operationId, record } of allMade()) {
      expect({ operationId, record }).toMatchObject({
        record: { id: expect.any(String), created_at: expect.any(String), updated_at: expect.any(String) },
      })
      const names = Object.keys(record)
      expect({ operationId, odd: names.filter((name) => !/^[a-z]+(?:_[a-z]+)*$/.test(name)) }).toEqual({
        operationId,
        odd: [],
      })
      // A workspace is part of nothing.
      if (operationId !== 'createWorkspace')
        expect({ operationId, parent: names.find((name) => PARENTS.has(name)) }).toEqual({
          operationId,
          parent: expect.any(String),
        })
      const read = siblingOf(operationId, 'GET')
      if (read === undefined) continue
      const again = await world.citewell.json<WireRecord>('GET', read.path.replace('{id}', record.id))
      for (const [field, value] of Object.entries(again)) {
        // The operator sees of a workspace what it takes and holds; its members see its settings.
        if (operationId === 'createSimulation' || operationId === 'createWorkspace') continue
        expect({ operationId, fields: Object.keys(record) }).toMatchObject({
          fields: expect.arrayContaining([field]),
        })
        if (!goesOn(field))
          expect({ operationId, [field]: record[field] }).toEqual({ operationId, [field]: value })
      }
    }
  },
)

verifies(
  ['conventions.ids', 'conventions.times'],
  'ids are UUIDs of version 7 and times have milliseconds in UTC',
  async () => {
    const seen = { ids: 0, times: 0 }
    for (const { operationId, record } of allMade()) {
      expect({ operationId, id: record.id }).toEqual({ operationId, id: expect.stringMatching(UUID_V7) })
      for (const [name, value] of fieldsOf(record)) {
        if (typeof value !== 'string') continue
        if (name.endsWith('_at')) {
          expect({ operationId, [name]: value }).toEqual({ operationId, [name]: expect.stringMatching(TIME) })
          seen.times += 1
        }
        if (name.endsWith('_id') && name !== 'client_id' && name !== 'external_id') {
          expect({ operationId, [name]: value }).toEqual({
            operationId,
            [name]: expect.stringMatching(UUID_V7),
          })
          seen.ids += 1
        }
      }
    }
    expect(seen.ids).toBeGreaterThan(30)
    expect(seen.times).toBeGreaterThan(60)

    const response = await fetch(
      `${world.citewell.address}/api/v1/public/knowledge-bases/${world.baseId}/chat`,
      {
        method: 'POST',
        headers: { 'x-client-key': world.clientKey, 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'How often is the signing key rotated?' }),
      },
    )
    const last = (await response.text()).trim().split('\n\n').at(-1)?.slice('data: '.length) ?? ''
    expect(JSON.parse(last)).toMatchObject({
      thread_id: expect.stringMatching(UUID_V4),
      message_id: expect.stringMatching(UUID_V4),
    })
  },
)

verifies(
  ['conventions.read-and-change', 'conventions.patch-merges'],
  'an empty change answers 200 with the full record, and does not modify it',
  async () => {
    let changed = 0
    for (const { operationId, record } of allMade()) {
      const change = siblingOf(operationId, 'PATCH')
      if (change === undefined || change.body?.safeParse({}).success !== true) continue
      // Its maker, the operator, is no member of it, and so may not change it.
      if (operationId === 'createWorkspace') continue
      const response = await world.citewell.send('PATCH', change.path.replace('{id}', record.id), {})
      if (operationId === 'createMcpServer') {
        expect([operationId, response.status]).toEqual([operationId, 400])
        continue
      }
      const after = (await response.json()) as WireRecord
      expect([operationId, response.status]).toEqual([operationId, 200])
      for (const [field, value] of Object.entries(after)) {
        if (!goesOn(field))
          expect({ operationId, [field]: record[field] }).toEqual({ operationId, [field]: value })
      }
      changed += 1
    }
    expect(changed).toBeGreaterThan(15)
  },
)

verifies(
  'conventions.delete',
  'a delete answers 204 without a body, and the record no longer exists',
  async () => {
    let deleted = 0
    for (const [operationId, records] of world.made) {
      const remove = siblingOf(operationId, 'DELETE')
      const record = records.at(-1)
      if (remove === undefined || record === undefined || remove.operationId === 'deleteKnowledgeBase')
        continue
      const path = remove.path.replace('{id}', record.id)
      const response = await world.citewell.send('DELETE', path)
      expect([operationId, response.status, await response.text()]).toEqual([operationId, 204, ''])
      const read = siblingOf(operationId, 'GET')
      if (read !== undefined)
        expect([operationId, (await world.citewell.send('GET', path)).status]).toEqual([operationId, 404])
      deleted += 1
    }
    expect(deleted).toBeGreaterThan(8)

    const base = await world.citewell.json<WireRecord>('POST', '/api/v1/knowledge-bases', {
      name: 'Short-lived',
    })
    const response = await world.citewell.send('DELETE', `/api/v1/knowledge-bases/${base.id}`, {
      confirm: 'Short-lived',
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ deleted: true, id: base.id, counts: { widgets: 1 } })
  },
)
