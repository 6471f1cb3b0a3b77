import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { newId } from '../../kernel/ids.ts'
import { newSecret } from '../../kernel/secrets.ts'
import type { Caller } from '../permissions/permissions.ts'
import { presentClientKey } from './present-client-key.ts'

let rooms: TestRooms
let owner: Caller
let baseId: string

beforeAll(async () => {
  rooms = await openTestRooms()
})
beforeEach(async () => {
  owner = await rooms.joinWorkspace()
  baseId = (await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })).base.id
})
afterAll(() => rooms.close())

const PUBLIC = {
  name: 'Website',
  kind: 'public' as const,
  allow_mcp_access: true,
  allowed_origins: ['https://docs.example.com'],
  allowed_source_group_ids: [],
}
const SECRET = { ...PUBLIC, name: 'Server', kind: 'secret' as const, allow_mcp_access: false }

test('a public key reports what it allows, and can be read again', async () => {
  const { row, clientSecret } = await rooms.clientKeys.create(owner, baseId, PUBLIC)
  expect(clientSecret).toBeUndefined()
  const record = presentClientKey(row)
  expect(record.key).toMatch(/^cw_pk_/)
  expect(record).not.toHaveProperty('client_id')
  expect(await rooms.clientKeys.authenticateClient({ key: record.key ?? '' })).toEqual({
    knowledgeBaseId: baseId,
    clientKeyId: row.id,
    kind: 'public',
    allowedOrigins: ['https://docs.example.com'],
    allowedSourceGroupIds: [],
    allowMcpAccess: true,
    base: expect.objectContaining({ id: baseId, type: 'external', status: 'active' }),
  })
})

test('a secret pair needs both of its halves; its secret is in no record and not in the storage', async () => {
  const { row, clientSecret = '' } = await rooms.clientKeys.create(owner, baseId, SECRET)
  const { clientKeys } = rooms
  const clientId = row.client_id ?? ''
  expect(await clientKeys.authenticateClient({ clientId, clientSecret })).toMatchObject({
    kind: 'secret',
    allowMcpAccess: false,
  })
  expect(JSON.stringify(presentClientKey(row))).not.toContain(clientSecret)
  expect(JSON.stringify(await rooms.db.selectFrom('client_keys').selectAll().execute())).not.toContain(
    clientSecret,
  )
  const other = await clientKeys.create(owner, baseId, SECRET)
  const wrong = [
    { clientId, clientSecret: other.clientSecret ?? '' },
    { clientId, clientSecret: newSecret('cw_sk_') },
    { clientId: newSecret('cw_id_'), clientSecret },
    { clientId, clientSecret: '' },
    { key: clientId },
  ]
  await Promise.all(
    wrong.map((pair) =>
      expect(clientKeys.authenticateClient(pair)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' }),
    ),
  )
})

test('a revoked key stops working immediately, stays in the list, and cannot be changed', async () => {
  const { clientKeys } = rooms
  const { row } = await clientKeys.create(owner, baseId, PUBLIC)
  await clientKeys.revoke(owner, row.id)
  await expect(clientKeys.authenticateClient({ key: row.public_key ?? '' })).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
  const listed = await clientKeys.list(owner, baseId, { after: undefined, limit: 10 })
  expect(listed.find((key) => key.id === row.id)?.status).toBe('revoked')
  await expect(clientKeys.change(owner, row.id, { name: 'Again' })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})

test('an internal base gets no key, even if it becomes internal concurrently', async () => {
  const { clientKeys, knowledgeBases } = rooms
  const attempts = [
    clientKeys.create(owner, baseId, PUBLIC),
    knowledgeBases.change(owner, baseId, { type: 'internal' }),
    ...Array.from({ length: 5 }, () => clientKeys.create(owner, baseId, PUBLIC)),
  ]
  await Promise.allSettled(attempts)
  const keys = await clientKeys.list(owner, baseId, { after: undefined, limit: 50 })
  expect(keys).not.toHaveLength(0)
  expect(keys.filter((key) => key.status === 'live')).toEqual([])
  await expect(clientKeys.create(owner, baseId, PUBLIC)).rejects.toMatchObject({
    code: 'KNOWLEDGE_BASE_INTERNAL',
  })
})

test('a key is limited to groups of its own base', async () => {
  const { clientKeys } = rooms
  const group = await rooms.sourceGroups.create(owner, baseId, { name: 'v2', description: null })
  const { base: other } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Other' })
  const foreign = await rooms.sourceGroups.create(owner, other.id, { name: 'v2', description: null })
  const { row } = await clientKeys.create(owner, baseId, { ...PUBLIC, allowed_source_group_ids: [group.id] })
  expect(row.allowed_source_group_ids).toEqual([group.id])
  const refused = [
    clientKeys.create(owner, baseId, { ...PUBLIC, allowed_source_group_ids: [group.id, foreign.id] }),
    clientKeys.change(owner, row.id, { allowed_source_group_ids: [group.id, newId()] }),
  ]
  await Promise.all(
    refused.map((one) =>
      expect(one).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        details: [{ path: 'allowed_source_group_ids.1' }],
      }),
    ),
  )
})

test('a key limited to a group that was deleted allows nothing more than before', async () => {
  const { clientKeys } = rooms
  const group = await rooms.sourceGroups.create(owner, baseId, { name: 'v2', description: null })
  const { row } = await clientKeys.create(owner, baseId, { ...PUBLIC, allowed_source_group_ids: [group.id] })
  await rooms.sourceGroups.remove(owner, group.id)
  const allowed = await clientKeys.authenticateClient({ key: row.public_key ?? '' })
  expect(allowed.allowedSourceGroupIds).toEqual([group.id])
})

test('a change applies to the next request, and its last use is written at most once a minute', async () => {
  const { clientKeys, clock } = rooms
  const { row } = await clientKeys.create(owner, baseId, PUBLIC)
  const key = row.public_key ?? ''
  await clientKeys.change(owner, row.id, { allowed_origins: ['https://other.example.com'] })
  expect((await clientKeys.authenticateClient({ key })).allowedOrigins).toEqual(['https://other.example.com'])
  const start = clock.time
  const lastUse = async () =>
    (await clientKeys.list(owner, baseId, { after: undefined, limit: 10 })).find((one) => one.id === row.id)
      ?.last_used_at
  // No request waits for this write.
  await vi.waitFor(async () => expect(await lastUse()).toEqual(start))
  clock.time = new Date(start.getTime() + 59_000)
  await clientKeys.authenticateClient({ key })
  expect(await lastUse()).toEqual(start)
  clock.time = new Date(start.getTime() + 60_000)
  await clientKeys.authenticateClient({ key })
  await vi.waitFor(async () => expect(await lastUse()).toEqual(clock.time))
})

test('keys of another workspace are not found', async () => {
  const { clientKeys } = rooms
  const stranger = await rooms.joinWorkspace()
  const { row } = await clientKeys.create(owner, baseId, PUBLIC)
  const asked = [
    clientKeys.list(stranger, baseId, { after: undefined, limit: 10 }),
    clientKeys.create(stranger, baseId, PUBLIC),
    clientKeys.change(stranger, row.id, { name: 'Mine' }),
    clientKeys.revoke(stranger, row.id),
    clientKeys.revoke(owner, newId()),
  ]
  await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'NOT_FOUND' })))
  expect(await clientKeys.authenticateClient({ key: row.public_key ?? '' })).toMatchObject({
    clientKeyId: row.id,
  })
})
