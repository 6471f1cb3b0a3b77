import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { makeGroup } from '../../../test/make-records.ts'

interface KeyRecord {
  id: string
  key: string
  client_id: string
  client_secret?: string
  [field: string]: unknown
}
type Headers = Record<string, string>

let team: TestManagement
let api: Awaited<ReturnType<typeof startPublicApi>>

beforeAll(async () => {
  team = await openTestManagement()
  api = await startPublicApi({ storage: team.storage })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await team.close()
})

const makeBase = () =>
  team.ask<{ id: string; client_key: KeyRecord }>('POST', '/knowledge-bases', { name: 'Acme' })
const makeKey = (baseId: string, body: object) =>
  team.ask<KeyRecord>('POST', `/knowledge-bases/${baseId}/client-keys`, { name: 'Website', ...body })

const search = (baseId: string, headers: Headers, body: object = {}, at = api) =>
  at.send(`/public/knowledge-bases/${baseId}/search`, { headers, body: { query: 'keys', ...body } })

async function outcome(response: Response) {
  const { code } = (await response.json()) as { code?: string }
  return [response.status, code]
}

verifies(
  [
    'client-keys.kinds',
    'client-keys.prefixes',
    'client-keys.create',
    'client-keys.record',
    'client-keys.secret-once',
    'client-keys.mcp-access-default',
    'client-keys.list',
    'authentication.public-key',
    'authentication.secret-pair',
  ],
  'public and secret keys are created, shown and used as documented',
  async () => {
    const base = await makeBase()
    const path = `/knowledge-bases/${base.id}/client-keys`
    const made = await team.send('POST', path, { name: 'Website' })
    const pair = await makeKey(base.id, { kind: 'secret', allow_mcp_access: false })

    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      knowledge_base_id: base.id,
      name: 'Website',
      kind: 'public',
      key: expect.stringMatching(/^cw_pk_[0-9A-Za-z]{34}$/),
      allow_mcp_access: true,
      allowed_origins: [],
      allowed_source_group_ids: [],
      status: 'live',
      last_used_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(pair).toMatchObject({
      kind: 'secret',
      client_id: expect.stringMatching(/^cw_id_[0-9A-Za-z]{34}$/),
      client_secret: expect.stringMatching(/^cw_sk_[0-9A-Za-z]{34}$/),
      allow_mcp_access: false,
    })
    expect(pair).not.toHaveProperty('key')
    const listed = await team.send('GET', path)
    expect((listed.body['data'] as KeyRecord[]).map(({ id }) => id)).toEqual([
      base.client_key.id,
      made.body['id'],
      pair.id,
    ])
    const secret = pair.client_secret ?? ''
    expect(JSON.stringify(listed.body)).not.toContain(secret)
    const rows = await team.db.selectFrom('client_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect((await search(base.id, { 'X-Client-Key': String(made.body['key']) })).status).toBe(200)
    const ofPair = { 'X-Client-Id': pair.client_id, 'X-Client-Secret': secret }
    expect((await search(base.id, ofPair)).status).toBe(200)
  },
)

verifies(
  'authentication.one-kind',
  'no credentials, half a pair, and both kinds together are refused with 401',
  async () => {
    const base = await makeBase()
    const pair = await makeKey(base.id, { kind: 'secret' })
    const other = await makeKey(base.id, { kind: 'secret' })
    const secret = pair.client_secret ?? ''
    const wrong: Headers[] = [
      {},
      { 'x-client-id': pair.client_id },
      { 'x-client-secret': secret },
      { 'x-client-key': base.client_key.key, 'x-client-id': pair.client_id, 'x-client-secret': secret },
      { 'x-client-id': pair.client_id, 'x-client-secret': other.client_secret ?? '' },
      { 'x-client-key': pair.client_id },
      { authorization: `Bearer ${base.client_key.key}` },
      { authorization: `Bearer ${team.token}` },
    ]

    for (const headers of wrong)
      expect(await outcome(await search(base.id, headers))).toEqual([401, 'UNAUTHENTICATED'])
  },
)

verifies('client-keys.checksum', 'a mistyped key is refused without a query to the storage', async () => {
  const base = await makeBase()
  const { key } = base.client_key
  const mistyped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
  let looks = 0
  const counting = new Proxy(team.db, {
    get: (db, name) => {
      looks += 1
      const value: unknown = Reflect.get(db, name, db)
      return typeof value === 'function' ? (value.bind(db) as unknown) : value
    },
  })
  await using counted = await startPublicApi({ storage: { ...team.storage, db: counting } })

  expect(await outcome(await search(base.id, { 'x-client-key': mistyped }, {}, counted))).toEqual([
    401,
    'UNAUTHENTICATED',
  ])
  expect(looks).toBe(0)
  expect((await search(base.id, { 'x-client-key': key }, {}, counted)).status).toBe(200)
  expect(looks).toBeGreaterThan(0)
})

verifies(
  ['client-keys.mcp-access-fixed', 'client-keys.change'],
  'name, origins and groups of a key can be changed, MCP access cannot',
  async () => {
    const base = await makeBase()
    const { id, key } = await makeKey(base.id, {})
    const path = `/client-keys/${id}`

    const refused = await team.send('PATCH', path, { allow_mcp_access: false })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'allow_mcp_access' }] })
    const changed = await team.send('PATCH', path, {
      name: 'Docs',
      allowed_origins: ['https://docs.example.com'],
    })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ id, name: 'Docs', allow_mcp_access: true })
    const fromElsewhere = { 'x-client-key': key, origin: 'https://elsewhere.example' }
    expect(await outcome(await search(base.id, fromElsewhere))).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
  },
)

verifies(
  ['client-keys.groups', 'client-keys.groups-only-narrowed', 'authentication.key-scope-narrows'],
  'a key is limited to groups of its base, and a request to the groups of its key',
  async () => {
    const [base, other] = [await makeBase(), await makeBase()]
    const [one, two] = [await makeGroup(team.db, base.id), await makeGroup(team.db, base.id)]
    const foreign = await makeGroup(team.db, other.id)
    const path = `/knowledge-bases/${base.id}/client-keys`
    const refused = await team.send('POST', path, { name: 'x', allowed_source_group_ids: [one, foreign] })
    const { key } = await makeKey(base.id, { allowed_source_group_ids: [one.toUpperCase()] })
    const asking = (groupIds: string[]) => search(base.id, { 'x-client-key': key }, { group_ids: groupIds })

    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ details: [{ path: 'allowed_source_group_ids.1' }] })
    expect((await asking([one])).status).toBe(200)
    expect((await asking([])).status).toBe(200)
    for (const wider of [[two], [one, two], [foreign], ['no-id']])
      expect(await outcome(await asking(wider))).toEqual([403, 'GROUP_NOT_ALLOWED'])
  },
)

verifies(
  [
    'client-keys.with-a-base',
    'client-keys.not-for-internal',
    'client-keys.stop-on-internal',
    'authentication.not-on-internal',
  ],
  'an internal base has no key, and the keys of a base that becomes internal are revoked for good',
  async () => {
    const base = await makeBase()
    const internal = await team.ask<object>('POST', '/knowledge-bases', { name: 'Team', type: 'internal' })
    const headers = { 'x-client-key': base.client_key.key }
    expect(base.client_key).toMatchObject({ kind: 'public', status: 'live', name: 'Acme' })
    expect(internal).toMatchObject({ client_key: null })
    expect((await search(base.id, headers)).status).toBe(200)

    await team.ask('PATCH', `/knowledge-bases/${base.id}`, { type: 'internal' })
    expect(await outcome(await search(base.id, headers))).toEqual([403, 'KNOWLEDGE_BASE_INTERNAL'])
    const refused = await team.send('POST', `/knowledge-bases/${base.id}/client-keys`, { name: 'Website' })
    expect([refused.status, refused.body['code']]).toEqual([403, 'KNOWLEDGE_BASE_INTERNAL'])
    await team.ask('PATCH', `/knowledge-bases/${base.id}`, { type: 'external' })
    expect(await outcome(await search(base.id, headers))).toEqual([401, 'UNAUTHENTICATED'])
  },
)

verifies(
  'client-keys.last-used',
  'a use of a key is written, and the next within a minute is not',
  async () => {
    const base = await makeBase()
    const { id, key } = base.client_key
    const lastUse = async () => {
      const listed = await team.send('GET', `/knowledge-bases/${base.id}/client-keys`)
      return (listed.body['data'] as KeyRecord[]).find((one) => one.id === id)?.['last_used_at']
    }

    expect(await lastUse()).toBeNull()
    await search(base.id, { 'x-client-key': key })
    await vi.waitFor(async () => expect(await lastUse()).not.toBeNull())
    const first = await lastUse()
    await Promise.all(Array.from({ length: 5 }, () => search(base.id, { 'x-client-key': key })))
    expect(await lastUse()).toBe(first)
  },
)

verifies(
  'client-keys.owned',
  'keys are counted in the deletion preview, and stop working with the deletion',
  async () => {
    const base = await makeBase()
    await makeKey(base.id, {})
    const preview = await team.send('GET', `/knowledge-bases/${base.id}/deletion-preview`)

    expect(preview.body).toMatchObject({ counts: { client_keys: 2 } })
    await team.ask('DELETE', `/knowledge-bases/${base.id}`, { confirm: 'Acme' })
    expect(await outcome(await search(base.id, { 'x-client-key': base.client_key.key }))).toEqual([
      401,
      'UNAUTHENTICATED',
    ])
  },
)

verifies(
  'authentication.shared-rate-limit',
  'readers with the same key share its rate limit, those with another key do not',
  async () => {
    const base = await makeBase()
    const other = await makeKey(base.id, {})
    await using limited = await startPublicApi({ storage: team.storage, limits: { searchPerKey: 2 } })
    const from = (key: string, address: string) =>
      search(base.id, { 'x-client-key': key, 'x-forwarded-for': address }, {}, limited)

    expect((await from(base.client_key.key, '198.51.100.1')).status).toBe(200)
    expect((await from(base.client_key.key, '198.51.100.2')).status).toBe(200)
    expect(await outcome(await from(base.client_key.key, '198.51.100.3'))).toEqual([429, 'RATE_LIMITED'])
    expect((await from(other.key, '198.51.100.3')).status).toBe(200)
  },
)
