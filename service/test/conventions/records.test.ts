import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUploadedFile } from '../make-records.ts'
import { joinTestWorkspace } from '../join-workspace.ts'
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

/** Fields that only a create returns: secrets, and what else it made. */
const ONCE = new Set(['client_key', 'widget', 'client_secret', 'token', 'secret', 'notice', 'invitation'])

/** What the full record has and this answer lacks. */
const missingOf = (record: WireRecord, answer: WireRecord) =>
  Object.keys(record).filter((field) => !ONCE.has(field) && !(field in answer))

const allMade = () =>
  [...world.made].flatMap(([operationId, records]) => records.map((record) => ({ operationId, record })))

/** `GET`, `PATCH`, `DELETE /<noun>/{id}` of the record that a create makes. */
const siblingOf = (operationId: string, method: string) => {
  const create = endpoints.find((endpoint) => endpoint.operationId === operationId)
  const noun = create?.path.split('/').at(-1)
  return endpoints.find(({ method: other, path }) => other === method && path === `/api/v1/${noun}/{id}`)
}

const query = 'How often is the signing key rotated?'

/** The last frame of an answer. */
const lastFrame = async (response: Response) =>
  JSON.parse((await response.text()).trim().split('\n\n').at(-1)?.slice('data: '.length) ?? '') as Record<
    string,
    string
  >

const asReader = async (method: string, path: string, body?: object) =>
  await world.citewell.fetch(`/api/v1/public${path}`, {
    method,
    headers: { 'x-client-key': world.clientKey, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const askAsReader = async () =>
  await lastFrame(await asReader('POST', `/knowledge-bases/${world.baseId}/chat`, { query }))

test('every kind of record can be created from the endpoint table', () => {
  expect(Object.fromEntries(world.refused)).toEqual({})
  expect(world.made.size).toBeGreaterThan(12)
})

verifies(
  ['conventions.create', 'conventions.record-fields', 'conventions.read-and-change'],
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
      const response = await world.citewell.send('GET', read.path.replace('{id}', record.id))
      const again = (await response.json()) as WireRecord
      // The operator sees of a workspace what it takes and holds; its members see its settings.
      const missing = operationId === 'createWorkspace' ? [] : missingOf(record, again)
      expect([operationId, response.status, missing]).toEqual([operationId, 200, []])
      for (const [field, value] of Object.entries(again)) {
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

    expect(await askAsReader()).toMatchObject({
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
      expect([operationId, response.status, missingOf(record, after)]).toEqual([operationId, 200, []])
      for (const [field, value] of Object.entries(after)) {
        if (!goesOn(field))
          expect({ operationId, [field]: record[field] }).toEqual({ operationId, [field]: value })
      }
      changed += 1
    }
    expect(changed).toBeGreaterThan(15)
  },
)

verifies('conventions.names', 'a name is kept as one line that shows all its characters', async () => {
  const renamed = []
  for (const { operationId, record } of allMade()) {
    const change = siblingOf(operationId, 'PATCH')
    const before = record['name']
    if (change === undefined || typeof before !== 'string' || operationId === 'createWorkspace') continue
    const name = `\u202E\u200B${before}\u0007\r\n\u2028kept\u2066`
    const response = await world.citewell.send('PATCH', change.path.replace('{id}', record.id), { name })
    const after = (await response.json()) as WireRecord
    expect([operationId, after['name']]).toEqual([operationId, `${before} kept`])
    renamed.push(operationId)
  }
  expect(new Set(renamed).size).toBeGreaterThan(8)

  const unseen = await world.citewell.send('POST', '/api/v1/knowledge-bases', { name: '\u200B\u202E\uFEFF' })
  expect([unseen.status, await unseen.json()]).toMatchObject([400, { code: 'BAD_REQUEST' }])
})

/** Deletes what is not deleted at the address that its create returned. Each answer by operation. */
async function deleteOthers(): Promise<[operationId: string, Response][]> {
  const { json, send } = world.citewell
  const base = `/api/v1/knowledge-bases/${world.baseId}`
  const { data: documents } = await json<{ data: { id: string; title: string }[] }>(
    'GET',
    `${base}/documents`,
  )
  const one = documents.find(({ title }) => title === 'one')
  const readers = await askAsReader()
  const members = await lastFrame(await send('POST', `${base}/chat`, { query }))
  await asReader('POST', '/feedback', { message_id: readers['message_id'], rating: 'up' })
  await json('PUT', `/api/v1/messages/${members['message_id']}/rating`, { vote: 'up' })
  const source = world.made.get('createSource')?.[0]?.id
  const file = await makeUploadedFile(world.citewell.storage.db, {
    knowledgeBaseId: world.baseId,
    sourceId: source ?? '',
    name: 'keys.md',
  })
  const [invited] = world.made.get('inviteMember') ?? []
  const workspace = `/api/v1/workspaces/${String(invited?.['workspace_id'])}`
  const me = await json<{ user: { id: string } }>('GET', '/api/v1/me')
  const token = world.made.get('createAccessToken')?.[0]?.id
  const ofWorkspace = { workspaceId: String(invited?.['workspace_id']), role: 'member' } as const
  const joined = await joinTestWorkspace(world.citewell.storage.db, () => new Date(), ofWorkspace)
  await json('PUT', `${base}/grants/${joined.userId}`, { permissions: ['chat'] })
  return [
    ['withdrawFeedback', await asReader('DELETE', `/feedback/${readers['message_id']}`)],
    ['withdrawRating', await send('DELETE', `/api/v1/messages/${members['message_id']}/rating`)],
    ['deleteConversation', await send('DELETE', `/api/v1/conversations/${readers['thread_id']}`)],
    ['deleteMyConversation', await send('DELETE', `/api/v1/me/conversations/${members['thread_id']}`)],
    ['deleteUploadedFile', await send('DELETE', `/api/v1/files/${file}`)],
    ['deleteDocument', await send('DELETE', `/api/v1/documents/${one?.id}`)],
    ['deletePushedDocument', await send('DELETE', `/api/v1/sources/${source}/documents/two`)],
    ['deleteKnowledgeBaseGrant', await send('DELETE', `${base}/grants/${joined.userId}`)],
    ['removeMember', await send('DELETE', `${workspace}/members/${invited?.id}`)],
    [
      'revokeMemberAccessToken',
      await send('DELETE', `${workspace}/members/${me.user.id}/access-tokens/${token}`),
    ],
    ['endMySessions', await send('DELETE', '/api/v1/me/sessions')],
  ]
}

verifies(
  'conventions.delete',
  'a delete answers 204 without a body, and the record no longer exists',
  async () => {
    const reached = new Set(['deleteKnowledgeBase'])
    for (const [operationId, records] of world.made) {
      const remove = siblingOf(operationId, 'DELETE')
      const record = records.at(-1)
      if (remove === undefined || record === undefined || reached.has(remove.operationId)) continue
      const path = remove.path.replace('{id}', record.id)
      const response = await world.citewell.send('DELETE', path)
      expect([operationId, response.status, await response.text()]).toEqual([operationId, 204, ''])
      const read = siblingOf(operationId, 'GET')
      if (read !== undefined)
        expect([operationId, (await world.citewell.send('GET', path)).status]).toEqual([operationId, 404])
      reached.add(remove.operationId)
    }
    for (const [operationId, response] of await deleteOthers()) {
      expect([operationId, response.status, await response.text()]).toEqual([operationId, 204, ''])
      reached.add(operationId)
    }
    const unreached = endpoints.filter(
      ({ method, operationId }) => method === 'DELETE' && !reached.has(operationId),
    )
    // These records come from a browser, a tool, an account elsewhere or a run; who deletes their own account has none to read it with.
    expect(unreached.map(({ operationId }) => operationId).toSorted()).toEqual([
      'deleteConnectedTool',
      'deleteEvaluation',
      'deleteMe',
      'deleteReport',
      'deleteSourceConnection',
      'endMySession',
    ])

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
