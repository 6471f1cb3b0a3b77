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

test('credentials are deleted when the address changes to a host that they were not given for', async () => {
  const api_url = 'https://slack-gov.com/api'
  const made = { ...BOT, config: { channel: 'a' }, credentials: { token: 'a' } }
  const { id } = await rooms.bots.create(owner, baseId, made)
  const change = async (changes: Parameters<typeof rooms.bots.change>[2]) =>
    (await rooms.bots.change(owner, id, changes)).has_credentials
  const renew = async () => expect(await change({ credentials: { token: 'b' } })).toBe(true)
  expect(await change({ config: { api_url } })).toBe(false)
  expect((await readRow(id)).sealed_credentials).toBeNull()
  await renew()
  expect(await change({ name: 'Other', config: { api_url: `${api_url}/v2`, channel: 'b' } })).toBe(true)
  for (const elsewhere of ['https://evil.example', 'http://evil.example', 'https://evil.example:8443', 7]) {
    await renew()
    expect(await change({ config: { api_url: elsewhere } })).toBe(false)
  }
  expect(await change({ config: { api_url }, credentials: { token: 'c' } })).toBe(true)
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
