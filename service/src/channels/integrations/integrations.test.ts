import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { sealedCredentialsContext } from './integration-records.ts'

let rooms: TestRooms
let owner: Caller
let baseId: string

beforeAll(async () => {
  rooms = await openTestRooms()
  owner = await rooms.joinWorkspace()
  baseId = (await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })).base.id
})
afterAll(() => rooms.close())

const BOT = {
  name: 'Help',
  enabled: true,
  config: { channel: 'a', more: 1 },
  platform: 'slack' as const,
  acknowledge_internal: false,
}

const readRow = async (id: string) =>
  await rooms.db.selectFrom('integrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

verifies('bots.credentials-kept', 'credentials are stored only encrypted', async () => {
  const bot = await rooms.bots.create(owner, baseId, { ...BOT, credentials: { token: 'xoxb-very-secret' } })
  expect(bot).toMatchObject({ has_credentials: true })
  const row = await readRow(bot.id)
  expect(JSON.stringify([bot, row])).not.toContain('very-secret')
  const opened = rooms.sealer.open(row.sealed_credentials ?? '', sealedCredentialsContext(bot.id))
  expect(JSON.parse(opened)).toEqual({ token: 'xoxb-very-secret' })
  expect(await rooms.bots.change(owner, bot.id, { credentials: null })).toMatchObject({
    has_credentials: false,
  })
  expect((await readRow(bot.id)).sealed_credentials).toBeNull()
})

test('a change merges config key by key, and keeps other fields', async () => {
  const { id } = await rooms.bots.create(owner, baseId, { ...BOT, credentials: { token: 'a' } })
  const before = await readRow(id)
  const changed = await rooms.bots.change(owner, id, { enabled: false, config: { channel: 'b' } })
  expect(changed).toMatchObject({ name: 'Help', enabled: false, config: { channel: 'b', more: 1 } })
  expect((await readRow(id)).sealed_credentials).toBe(before.sealed_credentials)
})

test('records of another workspace, and of another kind, are not found', async () => {
  const { bots, agentApps } = rooms
  const { id } = await bots.create(owner, baseId, BOT)
  const stranger = await rooms.joinWorkspace()
  const asked = [
    bots.get(stranger, id),
    bots.change(stranger, id, { enabled: false }),
    bots.remove(stranger, id),
    bots.list(stranger, baseId, { after: undefined, limit: 10 }),
    bots.create(stranger, baseId, BOT),
    agentApps.get(owner, id),
    agentApps.change(owner, id, { enabled: false }),
    agentApps.remove(owner, id),
  ]
  await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'NOT_FOUND' })))
  expect((await bots.get(owner, id)).enabled).toBe(true)
})
