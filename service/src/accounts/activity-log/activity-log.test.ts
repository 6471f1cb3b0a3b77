import { verifies } from '@citewell/spec/verifies'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { actionOfOperation } from './action-of-operation.ts'
import type { ActivityDb } from './activity-log-store.ts'
import { auditActivity, recordActivity } from './activity-log.ts'
import { canonicalJson } from './canonical-json.ts'

let api: TestManagement
let workspaceId: string

interface Entry {
  id: string
  sequence: number
  action: string
  actor: { user_id: string; email: string; token_name: string | null }
  target: { type: string; id: string; name: string | null }
  details: Record<string, unknown>
  knowledge_base_id: string | null
  created_at: string
}

beforeAll(async () => {
  api = await openTestManagement()
  const me = await api.ask<{ workspaces: { id: string }[] }>('GET', '/me')
  workspaceId = me.workspaces[0]?.id ?? ''
})
afterAll(() => api.close())

/** The storage as a recording room sees it. */
const log = (): ActivityDb => api.db

const read = async (query = '') =>
  await api.ask<{ data: Entry[]; next_cursor: string | null }>(
    'GET',
    `/workspaces/${workspaceId}/activity${query}`,
  )

const append = async (workspace: string, name: string) =>
  await log()
    .transaction()
    .execute(
      async (transaction: ActivityDb) =>
        await recordActivity(transaction, {
          workspaceId: workspace,
          actor: { system: 'test' },
          action: 'thing.done',
          target: { type: 'thing', id: name, name },
          details: { order: [3, { b: 1, a: 'é\uD800\0' }], none: undefined, number: 0.1 },
          at: new Date(),
        }),
    )

verifies(
  ['activity-log.entries', 'activity-log.archive', 'activity-log.restore', 'activity-log.delete'],
  'archive, restore and delete are recorded with actor, target and time, and the entries outlive the base',
  async () => {
    const base = await api.ask('POST', '/knowledge-bases', { name: 'Short-lived docs' })
    await api.ask('PATCH', `/knowledge-bases/${base['id']}`, {
      type: 'internal',
      description: 'secret plans',
    })
    await api.ask('POST', `/knowledge-bases/${base['id']}/archive`)
    await api.ask('POST', `/knowledge-bases/${base['id']}/restore`)
    await api.ask('DELETE', `/knowledge-bases/${base['id']}`, { confirm: 'Short-lived docs' })

    const { data } = await read(`?knowledge_base_id=${base['id']}`)

    expect(data.map(({ action }) => action)).toEqual([
      'knowledge_base.deleted',
      'knowledge_base.restored',
      'knowledge_base.archived',
      'knowledge_base.type_changed',
      'knowledge_base.created',
    ])
    expect(data[0]).toMatchObject({
      knowledge_base_id: base['id'],
      actor: { type: 'person', email: 'owner@localhost', token_name: 'Command line' },
      target: { type: 'knowledge_base', id: base['id'], name: 'Short-lived docs' },
      created_at: '2026-03-09T10:00:00.000Z',
    })
    expect(data[3]?.details).toEqual({ fields: ['description', 'type'], from: 'external', to: 'internal' })
    expect(JSON.stringify(data)).not.toContain('secret plans')
  },
)

verifies(
  'activity-log.newest-first',
  'the log is read newest first, in pages, and filtered by action or person',
  async () => {
    for (const name of ['One', 'Two', 'Three'])
      await api.ask('POST', '/knowledge-bases', { name: `${name} docs` })

    const pages: Entry[] = []
    let cursor = ''
    do {
      const page = await read(`?limit=2${cursor}`)
      pages.push(...page.data)
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
    } while (cursor !== '')
    const sequences = pages.map(({ sequence }) => sequence)

    expect(sequences).toEqual(sequences.toSorted((one, other) => other - one))
    expect(sequences.at(-1)).toBe(1)
    expect(new Set(sequences).size).toBe(sequences[0])
    const created = await read('?action=knowledge_base.created&limit=3')
    expect(created.data.map(({ target }) => target.name)).toEqual(['Three docs', 'Two docs', 'One docs'])
    const actor = pages[0]?.actor.user_id
    expect((await read(`?actor_id=${actor}`)).data.length).toBeGreaterThan(3)
    expect((await read(`?actor_id=${workspaceId}`)).data).toEqual([])
  },
)

verifies(
  'activity-log.who-reads',
  'owners and admins read the activity log, members and non-members do not',
  async () => {
    const status = async (role: 'admin' | 'member', workspace?: string) => {
      const caller = await api.joinWorkspace({
        role,
        ...(workspace !== undefined && { workspaceId: workspace }),
      })
      const { token } = await api.accessTokens.create(caller, {
        name: 'x',
        scopes: ['read'],
        expiresAt: undefined,
      })
      return (await api.send('GET', `/workspaces/${workspaceId}/activity`, undefined, token)).status
    }
    expect(await status('admin', workspaceId)).toBe(200)
    expect(await status('member', workspaceId)).toBe(403)
    expect(await status('admin')).toBe(404)
  },
)

verifies(
  'activity-log.in-its-transaction',
  'a refused or rolled-back change leaves no activity entry',
  async () => {
    const count = async () => (await read('?limit=1')).data[0]?.sequence
    const before = await count()
    const base = (await api.ask<{ data: { id: string }[] }>('GET', '/knowledge-bases?limit=1')).data[0]?.id
    expect((await api.send('POST', `/knowledge-bases/${base}/restore`)).status).toBe(409)
    expect((await api.send('DELETE', `/knowledge-bases/${base}`, { confirm: 'not its name' })).status).toBe(
      409,
    )
    const undone = log()
      .transaction()
      .execute(async (transaction: ActivityDb) => {
        await recordActivity(transaction, {
          workspaceId,
          actor: { system: 'test' },
          action: 'thing.done',
          target: { type: 'thing', id: 'x' },
          at: new Date(),
        })
        throw new Error('undone')
      })
    await expect(undone).rejects.toThrow('undone')
    expect(await count()).toBe(before)
  },
)

verifies('activity-log.no-secrets', 'an activity entry contains no key, token or code', async () => {
  const base = await api.ask<{ id: string; client_key: { key: string } }>('POST', '/knowledge-bases', {
    name: 'Keys',
  })
  const pair = await api.ask('POST', `/knowledge-bases/${base.id}/client-keys`, {
    name: 'server',
    kind: 'secret',
  })
  const token = await api.ask('POST', '/access-tokens', { name: 'script' })
  const invited = await api.ask<{ invitation: { url: string } }>(
    'POST',
    `/workspaces/${workspaceId}/members`,
    {
      email: 'eve@example.com',
    },
  )
  const secrets = [
    base.client_key.key,
    pair['client_secret'],
    pair['client_id'],
    token['token'],
    invited.invitation.url.split('code=')[1],
  ]
  const { rows } = await sql<{ text: string }>`select to_jsonb(a)::text as text from activity_log a`.execute(
    api.db,
  )
  for (const secret of secrets) {
    expect(secret).toMatch(/^cw_/)
    expect(rows.filter(({ text }) => text.includes(secret ?? ''))).toEqual([])
  }
})

verifies(
  'activity-log.append-only',
  'the database refuses to update, delete or truncate the activity log',
  async () => {
    for (const statement of [
      sql`update activity_log set action = 'x'`,
      sql`delete from activity_log`,
      sql`truncate activity_log`,
    ]) {
      await expect(statement.execute(api.db)).rejects.toThrow('only ever appended to')
    }
  },
)

verifies(
  'activity-log.chain',
  '400 parallel writers in four workspaces leave four unbroken chains without gaps',
  async () => {
    const workspaces = Array.from({ length: 4 }, () => crypto.randomUUID())
    const writes = Array.from({ length: 400 }, (_, number) =>
      append(workspaces[number % 4] ?? '', `n${number}`),
    )
    await Promise.all(writes)

    const { rows } = await sql<{
      entries: number
      last: number
    }>`select count(*)::int as entries, max(sequence)::int as last
      from activity_log where workspace_id = any(${workspaces}) group by workspace_id`.execute(api.db)
    expect(rows).toEqual(Array.from({ length: 4 }, () => ({ entries: 100, last: 100 })))
    expect((await auditActivity(api.db)).faults).toEqual([])
  },
  { timeout: 60_000, tags: ['long'] },
)

/** As an attacker with direct access to the database would do it. */
async function tamper(statement: ReturnType<typeof sql>): Promise<string[]> {
  await sql`alter table activity_log disable trigger all`.execute(api.db)
  await statement.execute(api.db)
  const { faults } = await auditActivity(api.db)
  await sql`alter table activity_log enable trigger all`.execute(api.db)
  return faults
}

verifies(
  'activity-log.audit',
  'the audit finds and locates a changed byte, a removed row and a truncated chain',
  async () => {
    const workspace = crypto.randomUUID()
    for (let number = 1; number <= 5; number += 1) await append(workspace, `n${number}`)
    const of = sql`workspace_id = ${workspace}`
    const { rows } = await sql<{
      id: string
      target_name: string
    }>`select * from activity_log where ${of} and sequence = 3`.execute(api.db)
    const broken = `workspace ${workspace}: entry 3 (${rows[0]?.id}, thing.done) was changed after it was written`
    expect((await auditActivity(api.db)).faults).toEqual([])

    expect(
      await tamper(sql`update activity_log set target_name = 'n4' where ${of} and sequence = 3`),
    ).toEqual([broken])
    expect(
      await tamper(sql`update activity_log set target_name = 'n3' where ${of} and sequence = 3`),
    ).toEqual([])
    const day = sql`interval '1 day'`
    expect(await tamper(sql`update activity_log set at = at + ${day} where ${of} and sequence = 3`)).toEqual([
      broken,
    ])
    expect(await tamper(sql`update activity_log set at = at - ${day} where ${of} and sequence = 3`)).toEqual(
      [],
    )
    const kept = sql`create table cut_off as select * from activity_log where ${of} and sequence in (3, 5)`
    await kept.execute(api.db)
    const last = await tamper(sql`delete from activity_log where ${of} and sequence = 5`)
    expect(last).toEqual([`workspace ${workspace}: entry 5 is missing`])
    expect(await tamper(sql`delete from activity_log where ${of} and sequence = 3`)).toEqual([
      `workspace ${workspace}: entry 3 is missing`,
    ])
    await sql`insert into activity_log select * from cut_off`.execute(api.db)
    expect((await auditActivity(api.db)).faults).toEqual([])
    expect(await tamper(sql`delete from activity_heads where ${of}`)).toEqual([
      `workspace ${workspace}: the head of its chain is missing`,
    ])
  },
)

test('canonical JSON of a value does not depend on the order of its keys', () => {
  expect(canonicalJson({ b: [1, { d: undefined, c: 'é"' }], a: null })).toBe(
    '{"a":null,"b":[1,{"c":"é\\""}]}',
  )
  expect(canonicalJson({ a: null, b: [1, { c: 'é"' }] })).toBe(
    canonicalJson({ b: [1, { c: 'é"' }], a: null }),
  )
})

test('the action and the target type are derived from the name of the operation', () => {
  const actions = [
    'createSource',
    'updateSourceGroup',
    'cancelSync',
    'pushDocuments',
    'startSync',
    'purgeConversations',
  ]
  expect(actions.map((operationId) => actionOfOperation(operationId).action)).toEqual([
    'source.created',
    'source_group.updated',
    'sync.cancelled',
    'documents.pushed',
    'sync.started',
    'conversations.purged',
  ])
})
