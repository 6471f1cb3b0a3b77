import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'

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

const WIDGET = {
  name: 'Help',
  enabled: true,
  allowed_origins: [],
  config: { color: 'red', texts: { hello: 'Hi' } },
}

test('a change keeps other fields, and merges config key by key', async () => {
  const { id } = await rooms.widgets.create(owner, baseId, WIDGET)
  await rooms.widgets.change(owner, id, { enabled: false })
  const changed = await rooms.widgets.change(owner, id, { config: { color: 'blue', size: 2 } })
  expect(changed).toMatchObject({
    name: 'Help',
    enabled: false,
    config: { color: 'blue', size: 2, texts: { hello: 'Hi' } },
  })
})

test('a deleted widget is not found', async () => {
  const { id } = await rooms.widgets.create(owner, baseId, WIDGET)
  expect(await rooms.widgets.list(owner, baseId, { after: undefined, limit: 10 })).toHaveLength(2)
  await rooms.widgets.remove(owner, id)
  await expect(rooms.widgets.get(owner, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await rooms.widgets.list(owner, baseId, { after: undefined, limit: 10 })).toHaveLength(1)
})

test('widgets of another workspace are not found', async () => {
  const { id } = await rooms.widgets.create(owner, baseId, WIDGET)
  const stranger = await rooms.joinWorkspace()
  const asked = [
    rooms.widgets.get(stranger, id),
    rooms.widgets.change(stranger, id, { enabled: false }),
    rooms.widgets.remove(stranger, id),
    rooms.widgets.list(stranger, baseId, { after: undefined, limit: 10 }),
    rooms.widgets.create(stranger, baseId, WIDGET),
  ]
  await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'NOT_FOUND' })))
  expect((await rooms.widgets.get(owner, id)).enabled).toBe(true)
})

test('a widget for an internal base is refused', async () => {
  await rooms.knowledgeBases.change(owner, baseId, { type: 'internal' })
  await expect(rooms.widgets.create(owner, baseId, WIDGET)).rejects.toMatchObject({
    code: 'KNOWLEDGE_BASE_INTERNAL',
  })
})
