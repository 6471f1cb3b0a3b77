import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'

let rooms: TestRooms

beforeAll(async () => {
  rooms = await openTestRooms()
})
afterAll(() => rooms.close())

const PAGE = { after: undefined, limit: 10 }

test.for(['free', 'pro'] as const)('the %s plan has no source groups', async (plan) => {
  const owner = await rooms.joinWorkspace({ plan })
  const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  await expect(
    rooms.sourceGroups.create(owner, base.id, { name: 'v2', description: null }),
  ).rejects.toMatchObject({
    code: 'PLAN_REQUIRED',
  })
})

verifies('source-groups.delete', 'deleting a group keeps its sources, which then have no group', async () => {
  const owner = await rooms.joinWorkspace()
  const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  const group = await rooms.sourceGroups.create(owner, base.id, { name: 'v2', description: null })
  expect(await rooms.sourceGroups.change(owner, group.id, { description: 'Second' })).toMatchObject({
    name: 'v2',
    description: 'Second',
  })
  const { source } = await rooms.sources.create(owner, base.id, {
    type: 'push',
    name: 'FAQ',
    config: {},
    version_label: null,
    source_group_id: group.id,
    visibility: 'public',
    refresh: 'none',
  })
  expect((await rooms.sources.get(owner, source.id)).source.source_group_id).toBe(group.id)
  await rooms.sourceGroups.remove(owner, group.id)
  expect((await rooms.sources.get(owner, source.id)).source.source_group_id).toBeNull()
  expect(await rooms.sourceGroups.list(owner, base.id, PAGE)).toEqual([])
})

test('groups of another workspace are not found', async () => {
  const owner = await rooms.joinWorkspace()
  const stranger = await rooms.joinWorkspace()
  const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  const group = await rooms.sourceGroups.create(owner, base.id, { name: 'v2', description: null })
  const asked = [
    rooms.sourceGroups.list(stranger, base.id, PAGE),
    rooms.sourceGroups.create(stranger, base.id, { name: 'Mine', description: null }),
    rooms.sourceGroups.change(stranger, group.id, { name: 'Mine' }),
    rooms.sourceGroups.remove(stranger, group.id),
  ]
  await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'NOT_FOUND' })))
  expect(await rooms.sourceGroups.list(owner, base.id, PAGE)).toMatchObject([{ name: 'v2' }])
})
