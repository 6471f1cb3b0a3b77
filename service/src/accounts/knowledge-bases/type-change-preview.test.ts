import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { TypeChangePreview } from '@citewell/contract/type-change'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDocument, makeSource } from '../../../test/make-records.ts'
import { sampleBody } from '../../../test/sample-body.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let api: TestManagement
beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

async function openFilled() {
  const made = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
  const base = `/knowledge-bases/${String(made['id'])}`
  const add = async (noun: string, body: unknown) => await api.ask('POST', `${base}/${noun}`, body)
  const sampleOf = (endpoint: Parameters<typeof sampleBody>[0]) => sampleBody(endpoint) as object
  const revoked = await add('client-keys', { name: 'Old' })
  await api.ask('DELETE', `/client-keys/${String(revoked['id'])}`)
  await add('client-keys', { name: 'Server' })
  const off = await add('widgets', { name: 'Off' })
  await api.ask('PATCH', `/widgets/${String(off['id'])}`, { enabled: false })
  const server = `docs-${String(made['id'])}`.slice(0, 40)
  await add('mcp-servers', { server_name: server, sign_in_type: 'public' })
  await add('form-deflectors', { ...sampleOf(ENDPOINTS.createFormDeflector), name: 'Support form' })
  await add('bots', { ...sampleOf(ENDPOINTS.createBot), name: 'Community' })
  await add('helpdesk-integrations', { ...sampleOf(ENDPOINTS.createHelpdeskIntegration), name: 'Desk' })
  const id = String(made['id'])
  const source = await makeSource(api.db, id)
  await makeDocument(api.db, id, source, { title: 'Open' })
  await makeDocument(api.db, id, source, { title: 'Closed', visibility: 'restricted' })
  return { id, base, server, workspaceId: String(made['workspace_id']) }
}

const previewOf = async (base: string) =>
  await api.ask<TypeChangePreview>('GET', `${base}/type-change-preview?to=internal`)

const one = (...names: string[]) => ({ count: names.length, names })
const none = one()

verifies(
  ['knowledge-bases.type-preview', 'bots.internal-keep-answering', 'traps.bots-of-an-internal-base'],
  'before a base turns internal, what stops, what goes on and what is restricted is told by name; afterwards it is so',
  async () => {
    const { id, base, server } = await openFilled()
    await openFilled()
    expect(await previewOf(base)).toEqual({
      knowledge_base_id: id,
      name: 'Acme docs',
      to: 'internal',
      stops: {
        client_keys: one('Acme docs', 'Server'),
        widgets: one('Acme docs'),
        mcp_servers: one(server),
        form_deflectors: one('Support form'),
        helpdesk_integrations: one('Desk'),
      },
      goes_on: { bots: one('Community') },
      becomes_restricted: { documents: one('Open') },
    })

    await api.ask('PATCH', base, { type: 'internal' })
    const live = await api.db
      .selectFrom('client_keys')
      .select('id')
      .where('knowledge_base_id', '=', id)
      .where('status', '=', 'live')
      .execute()
    const { data } = await api.ask<{ data: { visibility: string }[] }>('GET', `${base}/documents`)
    expect(live).toEqual([])
    expect(data.map(({ visibility }) => visibility)).toEqual(['restricted', 'restricted'])
    expect(await previewOf(base)).toMatchObject({
      stops: {
        client_keys: none,
        widgets: none,
        mcp_servers: none,
        form_deflectors: none,
        helpdesk_integrations: none,
      },
      goes_on: { bots: one('Community') },
      becomes_restricted: { documents: none },
    })
  },
)

verifies('knowledge-bases.type-preview', 'all records are counted, and the first twenty named', async () => {
  const { id, base } = await openFilled()
  const source = await makeSource(api.db, id)
  for (let page = 10; page < 40; page += 1) await makeDocument(api.db, id, source, { title: `A${page}` })
  const { documents } = (await previewOf(base)).becomes_restricted
  expect(documents.count).toBe(31)
  expect(documents.names).toHaveLength(20)
  expect(documents.names[0]).toBe('A10')
})

test('only who may change the type sees it, and only for a change to internal', async () => {
  const { base, workspaceId } = await openFilled()
  const member = await api.joinWorkspace({ role: 'member', workspaceId })
  const path = `${base}/type-change-preview`
  expect((await api.send('GET', `${path}?to=internal`, undefined, member.token)).status).toBe(403)
  expect((await api.send('GET', `${path}?to=external`)).status).toBe(400)
  expect((await api.send('GET', path)).status).toBe(200)
})
