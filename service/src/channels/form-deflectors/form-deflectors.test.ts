import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
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

const FORM = { name: 'Contact form', enabled: true, min_characters: 15, min_confidence: 0.5 }
const PAGE = { after: undefined, limit: 10 }

verifies(
  'form-deflectors.records',
  'a form deflector is created, read, changed field by field, listed and deleted',
  async () => {
    const { id } = await rooms.formDeflectors.create(owner, baseId, FORM)
    expect(await rooms.formDeflectors.change(owner, id, { enabled: false })).toMatchObject({
      ...FORM,
      enabled: false,
      knowledge_base_id: baseId,
    })
    expect(await rooms.formDeflectors.get(owner, id)).toMatchObject({ enabled: false })
    expect(await rooms.formDeflectors.list(owner, baseId, PAGE)).toHaveLength(1)
    await rooms.formDeflectors.remove(owner, id)
    await expect(rooms.formDeflectors.get(owner, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await rooms.formDeflectors.list(owner, baseId, PAGE)).toEqual([])
  },
)

verifies(
  'form-deflectors.of-own-workspace',
  'form deflectors of another workspace are not found, and an internal base cannot have any',
  async () => {
    const { id } = await rooms.formDeflectors.create(owner, baseId, FORM)
    const stranger = await rooms.joinWorkspace()
    const asked = [
      rooms.formDeflectors.get(stranger, id),
      rooms.formDeflectors.change(stranger, id, { enabled: false }),
      rooms.formDeflectors.remove(stranger, id),
      rooms.formDeflectors.list(stranger, baseId, PAGE),
      rooms.formDeflectors.create(stranger, baseId, FORM),
    ]
    await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'NOT_FOUND' })))
    await rooms.knowledgeBases.change(owner, baseId, { type: 'internal' })
    await expect(rooms.formDeflectors.create(owner, baseId, FORM)).rejects.toMatchObject({
      code: 'KNOWLEDGE_BASE_INTERNAL',
    })
  },
)

verifies('form-deflectors.counted', 'the deletion preview of a base counts its form deflectors', async () => {
  await rooms.formDeflectors.create(owner, baseId, FORM)
  await rooms.formDeflectors.create(owner, baseId, FORM)
  const preview = await rooms.knowledgeBases.previewDeletion(owner, baseId)
  expect(preview.counts.form_deflectors).toBe(2)
})
