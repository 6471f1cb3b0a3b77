import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { newId } from '../../kernel/ids.ts'

let api: TestManagement

beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

const make = async (body: object = {}) =>
  await api.ask('POST', '/knowledge-bases', { name: 'Acme docs', ...body })

test('a missing or wrong token is a 401, and one with too small a scope a 403', async () => {
  const withoutToken = await api.send('GET', '/knowledge-bases', undefined, '')
  expect(withoutToken).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  expect(withoutToken.headers.get('www-authenticate')).toMatch(/^Bearer/)
  expect(await api.send('GET', '/knowledge-bases', undefined, 'nonsense')).toMatchObject({ status: 401 })
  const { token } = await api.ask('POST', '/access-tokens', { name: 'reader', scopes: ['read'] })
  expect(await api.send('GET', '/knowledge-bases', undefined, token)).toMatchObject({ status: 200 })
  expect(await api.send('POST', '/knowledge-bases', { name: 'Acme docs' }, token)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' },
  })
})

verifies(
  ['knowledge-bases.create', 'knowledge-bases.read', 'knowledge-bases.comes-with'],
  'creating a base returns its key and its widget, and the record can be read back unchanged',
  async () => {
    const created = await api.send('POST', '/knowledge-bases', { name: 'Acme docs', language: 'en' })
    expect(created.status).toBe(201)
    const { client_key: key, widget, ...record } = created.body
    expect(key).toMatchObject({
      kind: 'public',
      allow_mcp_access: true,
      key: expect.stringMatching(/^cw_pk_/),
    })
    expect(widget).toMatchObject({ name: 'Acme docs', enabled: true })
    expect(await api.ask('GET', `/knowledge-bases/${String(record['id'])}`)).toEqual(record)
    expect(await make({ type: 'internal' })).toMatchObject({ client_key: null, widget: null })
  },
)

verifies(
  ['knowledge-bases.name', 'limits.knowledge-base-name'],
  'names of 2 to 100 characters are accepted, unknown fields are refused',
  async () => {
    const statusOf = async (body: object) => (await api.send('POST', '/knowledge-bases', body)).status
    expect(await statusOf({ name: 'A' })).toBe(400)
    expect(await statusOf({ name: '🎉' })).toBe(400)
    expect(await statusOf({ name: 'AB' })).toBe(201)
    expect(await statusOf({ name: '漢'.repeat(100) })).toBe(201)
    expect(await statusOf({ name: 'A'.repeat(101) })).toBe(400)
    expect(await statusOf({ name: 'Acme', colour: 'red' })).toBe(400)
  },
)

verifies(
  ['knowledge-bases.patch-merges', 'knowledge-bases.change', 'conventions.patch-merges'],
  'a patch keeps the other settings, and returns the full record',
  async () => {
    const { id } = await make({ tone: 'short' })
    const patched = await api.send('PATCH', `/knowledge-bases/${id}`, {
      settings: { mcp_documents_enabled: true },
    })
    expect(patched).toMatchObject({
      status: 200,
      body: { tone: 'short', settings: { mcp_documents_enabled: true } },
    })
  },
)

verifies(
  ['knowledge-bases.confirmation', 'knowledge-bases.delete-answer'],
  'a deletion needs the exact name, and reports what it deleted',
  async () => {
    const { id } = await make()
    const preview = await api.ask<{ counts: object }>('GET', `/knowledge-bases/${id}/deletion-preview`)
    expect(preview).toMatchObject({ knowledge_base_id: id, name: 'Acme docs', requires_confirmation: true })
    for (const body of [undefined, {}, ...['', 'acme docs', 'Acme docs '].map((confirm) => ({ confirm }))]) {
      expect([body, await api.send('DELETE', `/knowledge-bases/${id}`, body)]).toMatchObject([
        body,
        { status: 409, body: { code: 'CONFIRMATION_REQUIRED' } },
      ])
    }
    const deleted = await api.send('DELETE', `/knowledge-bases/${id}`, { confirm: 'Acme docs' })
    expect(deleted).toMatchObject({ status: 200, body: { deleted: true, id, counts: preview.counts } })
    expect((await api.send('GET', `/knowledge-bases/${id}`)).status).toBe(404)

    // An internal base begins without a key and a widget.
    const empty = await make({ type: 'internal' })
    const path = `/knowledge-bases/${empty['id']}`
    expect(await api.ask('GET', `${path}/deletion-preview`)).toMatchObject({ requires_confirmation: false })
    expect((await api.send('DELETE', path)).status).toBe(200)
  },
)

verifies(
  ['knowledge-bases.archive', 'knowledge-bases.restore'],
  'archive and restore return the record, and a second call is a conflict',
  async () => {
    const { id } = await make()
    expect(await api.ask('POST', `/knowledge-bases/${id}/archive`)).toMatchObject({ status: 'archived' })
    expect((await api.send('POST', `/knowledge-bases/${id}/archive`)).status).toBe(409)
    expect(await api.send('PATCH', `/knowledge-bases/${id}`, { name: 'Other' })).toMatchObject({
      status: 403,
      body: { code: 'KNOWLEDGE_BASE_ARCHIVED' },
    })
    expect(await api.ask('POST', `/knowledge-bases/${id}/restore`)).toMatchObject({ status: 'active' })
  },
)

verifies('knowledge-bases.list', 'paging through the list returns each base of the caller once', async () => {
  await api.empty()
  const { token } = await freshOwner()
  const stranger = await api.joinWorkspace()
  expect(await api.send('POST', '/knowledge-bases', { name: 'Theirs' }, stranger.token)).toMatchObject({
    status: 201,
  })
  const made: string[] = []
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) {
    made.push(String((await api.send('POST', '/knowledge-bases', { name }, token)).body['id']))
  }
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await api.send('GET', `/knowledge-bases?limit=2${cursor}`, undefined, token)
    const page = body as { data: { id: string }[]; next_cursor: string | null }
    expect(page.data.length).toBeLessThanOrEqual(2)
    seen.push(...page.data.map((base) => base.id))
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
  } while (cursor !== '')
  expect(seen).toEqual(made)
  expect((await api.send('GET', '/knowledge-bases?cursor=nonsense', undefined, token)).status).toBe(400)
  expect((await api.send('GET', '/knowledge-bases?limit=201', undefined, token)).status).toBe(400)
})

async function freshOwner(): Promise<{ token: string }> {
  await api.workspaces.bootstrap({ bootstrapToken: undefined, plan: 'enterprise' })
  return { token: await api.workspaces.createOperatorToken() }
}

test('an unknown id is a 404, a malformed id a 400', async () => {
  const { token } = await freshOwner()
  expect((await api.send('GET', `/knowledge-bases/${newId()}`, undefined, token)).status).toBe(404)
  expect((await api.send('GET', '/knowledge-bases/acme', undefined, token)).status).toBe(400)
})

test('GET /me identifies the caller', async () => {
  const { token } = await freshOwner()
  const { body } = await api.send('GET', '/me', undefined, token)
  expect(body).toMatchObject({
    workspaces: [{ plan: 'enterprise', role: 'owner' }],
    token: { name: 'Command line', scopes: ['read', 'config', 'admin'] },
  })
})

test('an access token is shown once, listed without it, and deleted', async () => {
  const { token: owner } = await freshOwner()
  const { body } = await api.send('POST', '/access-tokens', { name: 'deploy', scopes: ['config'] }, owner)
  expect(body['token']).toMatch(/^cw_pat_/)
  const listed = await api.send('GET', '/access-tokens', undefined, owner)
  expect(JSON.stringify(listed.body)).not.toContain(body['token'])
  expect((await api.send('DELETE', `/access-tokens/${String(body['id'])}`, undefined, owner)).status).toBe(
    204,
  )
  expect((await api.send('GET', '/me', undefined, String(body['token']))).status).toBe(401)
})
