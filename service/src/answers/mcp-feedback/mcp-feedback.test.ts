import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { newId } from '../../kernel/ids.ts'

let api: TestManagement
beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

interface Base {
  id: string
  workspace_id: string
}

const makeBase = async () => await api.ask<Base>('POST', '/knowledge-bases', { name: 'Acme docs' })

/** Stores a report as the tool does. */
async function report(
  base: Base,
  message: string,
  of: { url?: string; serverName?: string; userRef?: string; keyId?: string; at?: Date } = {},
): Promise<string> {
  const id = newId()
  await api.db
    .insertInto('mcp_feedback')
    .values({
      id,
      knowledge_base_id: base.id,
      message,
      url: of.url ?? null,
      server_name: of.serverName ?? null,
      client_key_id: of.keyId ?? null,
      user_ref: of.userRef ?? null,
      created_at: of.at ?? new Date(),
    })
    .execute()
  return id
}

const messagesAt = async (base: Base, query = '') => {
  const { data } = await api.ask<{ data: { message: string | null }[] }>(
    'GET',
    `/knowledge-bases/${base.id}/reports${query}`,
  )
  return data.map(({ message }) => message)
}

verifies(
  'reports.filters',
  'reports are listed newest first, in pages, and filtered by time, server, person and text',
  async () => {
    const base = await makeBase()
    const at = (day: string) => new Date(`${day}T12:00:00.000Z`)
    await report(base, 'Keys are out of date', { at: at('2026-03-01'), serverName: 'one' })
    await report(base, 'Nothing on WEBHOOKS', { at: at('2026-03-02'), userRef: 'reader:ada' })
    const url = 'https://docs.example.com/webhooks'
    await report(base, 'Wrong 100%_sure', { at: at('2026-03-03'), url, serverName: 'one' })
    await report(await makeBase(), 'of another base')

    expect(await messagesAt(base)).toEqual(['Wrong 100%_sure', 'Nothing on WEBHOOKS', 'Keys are out of date'])
    expect(await messagesAt(base, '?from=2026-03-02&to=2026-03-02')).toEqual(['Nothing on WEBHOOKS'])
    expect(await messagesAt(base, '?server_name=one')).toEqual(['Wrong 100%_sure', 'Keys are out of date'])
    expect(await messagesAt(base, '?user=reader:ada')).toEqual(['Nothing on WEBHOOKS'])
    expect(await messagesAt(base, '?text=webhooks')).toEqual(['Wrong 100%_sure', 'Nothing on WEBHOOKS'])
    expect(await messagesAt(base, '?text=%25_')).toEqual(['Wrong 100%_sure'])
    const first = await api.ask<{ next_cursor: string }>('GET', `/knowledge-bases/${base.id}/reports?limit=2`)
    expect(await messagesAt(base, `?limit=2&cursor=${first.next_cursor}`)).toEqual(['Keys are out of date'])
    const backwards = await api.send(
      'GET',
      `/knowledge-bases/${base.id}/reports?from=2026-03-03&to=2026-03-01`,
    )
    expect(backwards.status).toBe(400)
  },
)

verifies(
  'reports.withheld',
  'reports of members, who read restricted pages, are withheld from callers without Chat, also in filters',
  async () => {
    const base = await makeBase()
    await api.ask('PATCH', `/knowledge-bases/${base.id}`, { workspace_members_can_chat: false })
    const at = new Date(Date.now() - 60_000)
    await report(base, 'Readers miss this', { userRef: 'reader:ada', url: 'https://docs.example.com/a', at })
    await report(base, 'The canary is heliotrope', {
      userRef: 'user:cora',
      url: 'https://docs.example.com/secret',
    })
    const member = await api.joinWorkspace({ role: 'member', workspaceId: base.workspace_id })
    const times = { created_at: new Date(), updated_at: new Date() }
    const of = { workspace_id: base.workspace_id, knowledge_base_id: base.id, user_id: member.userId }
    await api.db
      .insertInto('knowledge_base_grants')
      .values({ ...of, permissions: ['config'], ...times })
      .execute()
    const { token } = await api.accessTokens.create(member, {
      name: 't',
      scopes: ['config'],
      expiresAt: undefined,
    })
    const read = async (query: string) =>
      (await api.send('GET', `/knowledge-bases/${base.id}/${query}`, undefined, token)).body
    const all = await read('reports')

    expect(all['data']).toMatchObject([
      { message: null, url: null, withheld: true, user: 'user:cora' },
      { message: 'Readers miss this', withheld: false },
    ])
    expect((await read('reports?text=heliotrope'))['data']).toEqual([])
    const days = `analytics?from=${at.toISOString().slice(0, 10)}&to=${new Date().toISOString().slice(0, 10)}`
    expect((await read(days))['reports']).toEqual({
      count: 2,
      pages: [{ url: 'https://docs.example.com/a', reports: 1 }],
    })
    expect(JSON.stringify([all, await read(days)])).not.toMatch(/heliotrope|secret/)
    expect(await messagesAt(base, '?text=heliotrope')).toEqual(['The canary is heliotrope'])
  },
)

verifies(
  ['reports.deleted', 'reports.forgotten'],
  'a report is deleted individually, with its base, by a purge, and at the end of the retention period',
  async () => {
    const base = await makeBase()
    const old = new Date(Date.now() - 40 * 86_400_000)
    const one = await report(base, 'deleted by itself')
    await report(base, 'too old', { at: old })
    await report(base, 'of a reader', { userRef: 'reader:bob' })
    await report(base, 'of nobody')

    expect((await api.send('DELETE', `/reports/${one}`)).status).toBe(204)
    expect(await api.send('DELETE', `/reports/${one}`)).toMatchObject({
      status: 404,
      body: { error: 'There is no such report.' },
    })
    await api.ask('PATCH', `/workspaces/${base.workspace_id}`, { retention_days: 30 })
    await api.retention.purgeOld(new AbortController().signal)
    expect(new Set(await messagesAt(base))).toEqual(new Set(['of a reader', 'of nobody']))

    const purge = async (body: object) =>
      (await api.send('POST', `/workspaces/${base.workspace_id}/purge`, body)).body
    expect(await purge({ user: 'reader:bob' })).toMatchObject({ conversations: 0, reports: 1 })
    expect(await purge({ everything: true, knowledge_base_id: base.id })).toMatchObject({ reports: 1 })
    await report(base, 'goes with its base')
    await api.ask('DELETE', `/knowledge-bases/${base.id}`, { confirm: 'Acme docs' })
    const rows = await api.db
      .selectFrom('mcp_feedback')
      .where('knowledge_base_id', '=', base.id)
      .selectAll()
      .execute()
    expect(rows).toEqual([])
  },
)
