import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { newId } from '../../kernel/ids.ts'
import { createSealer } from '../../platform/secrets/sealed.ts'
import { createBots } from '../bots/bots.ts'
import { createIntegrations, sealedCredentialsContext } from './integrations.ts'

let rooms: TestRooms
let owner: Caller
let baseId: string
let integrations: ReturnType<typeof createIntegrations>
const sealer = createSealer(['a-master-key-of-the-tests-0123456789'])

beforeAll(async () => {
  rooms = await openTestRooms()
  owner = await rooms.joinWorkspace()
  baseId = (await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })).base.id
  const deps = { db: rooms.db, knowledgeBases: rooms.knowledgeBases, sealer, newId, now: () => new Date() }
  integrations = createIntegrations('bot', deps)
})
afterAll(() => rooms.close())

const BOT = { name: 'Help', enabled: true, config: { channel: 'a', more: 1 }, platform: 'slack' as const }

verifies('bots.credentials-kept', 'credentials are stored only encrypted', async () => {
  const bot = await createBots(integrations).create(owner, baseId, {
    ...BOT,
    acknowledge_internal: false,
    credentials: { token: 'xoxb-very-secret' },
  })
  expect(bot).toMatchObject({ has_credentials: true })
  const row = await rooms.db
    .selectFrom('integrations')
    .selectAll()
    .where('id', '=', bot.id)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify([bot, row])).not.toContain('very-secret')
  const opened = sealer.open(row.sealed_credentials ?? '', sealedCredentialsContext(bot.id))
  expect(JSON.parse(opened)).toEqual({ token: 'xoxb-very-secret' })
  const forgotten = await integrations.change(owner, bot.id, { credentials: null })
  expect(forgotten.row.sealed_credentials).toBeNull()
})

test('a change merges config key by key, and keeps other fields', async () => {
  const { row } = await integrations.create(owner, baseId, { ...BOT, credentials: { token: 'a' } })
  const changed = await integrations.change(owner, row.id, { enabled: false, config: { channel: 'b' } })
  expect(changed.row).toMatchObject({
    name: 'Help',
    enabled: false,
    config: { channel: 'b', more: 1 },
    sealed_credentials: row.sealed_credentials,
  })
})

test('records of another workspace, and of another kind, are not found', async () => {
  const { row } = await integrations.create(owner, baseId, BOT)
  const stranger = await rooms.joinWorkspace()
  const agents = createIntegrations('agent_app', {
    db: rooms.db,
    knowledgeBases: rooms.knowledgeBases,
    sealer,
    newId,
    now: () => new Date(),
  })
  const asked = [
    integrations.get(stranger, row.id),
    integrations.change(stranger, row.id, { enabled: false }),
    integrations.remove(stranger, row.id),
    integrations.list(stranger, baseId, { after: undefined, limit: 10 }),
    integrations.create(stranger, baseId, BOT),
    agents.get(owner, row.id),
    agents.remove(owner, row.id),
  ]
  await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'NOT_FOUND' })))
  expect((await integrations.get(owner, row.id)).row.enabled).toBe(true)
})
