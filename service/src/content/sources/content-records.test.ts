import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let api: TestManagement
let baseId: string

beforeAll(async () => {
  api = await openTestManagement()
  baseId = (await api.ask<{ id: string }>('POST', '/knowledge-bases', { name: 'Acme docs' })).id
})
afterAll(() => api.close())

const anId = expect.stringMatching(/^[0-9a-f]{8}-/)
const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/)
const times = { created_at: aTime, updated_at: aTime }

verifies(
  ['source-groups.record', 'source-groups.create', 'source-groups.list', 'source-groups.change'],
  'a group needs a name, may have a description, and can be listed and changed',
  async () => {
    const path = `/knowledge-bases/${baseId}/source-groups`
    const created = await api.send('POST', path, { name: 'Version 2' })
    const record = { id: anId, knowledge_base_id: baseId, name: 'Version 2', description: null, ...times }
    expect(created).toMatchObject({ status: 201, body: record })
    expect(Object.keys(created.body).toSorted()).toEqual(Object.keys(record).toSorted())
    expect((await api.send('POST', path, { description: 'No name' })).status).toBe(400)
    expect((await api.send('POST', path, { name: ' ' })).status).toBe(400)
    const changed = await api.ask('PATCH', `/source-groups/${String(created.body['id'])}`, {
      description: 'Old',
    })
    expect(changed).toMatchObject({ name: 'Version 2', description: 'Old' })
    expect(await api.ask('GET', path)).toEqual({ data: [changed], next_cursor: null })
  },
)

verifies('source-groups.enterprise', 'a source group is refused below the Enterprise plan', async () => {
  for (const [plan, status] of [
    ['free', 403],
    ['pro', 403],
    ['enterprise', 201],
  ] as const) {
    await api.db.updateTable('workspaces').set({ plan }).execute()
    const made = await api.send('POST', `/knowledge-bases/${baseId}/source-groups`, { name: 'v3' })
    expect(made.status).toBe(status)
    expect(made.body['code']).toBe(status === 403 ? 'PLAN_REQUIRED' : undefined)
  }
})

verifies(
  [
    'sources.record',
    'sources.read',
    'versions.label',
    'documents.record',
    'documents.chunks',
    'traps.version-label',
  ],
  'sources and documents have their fields, and a document also shows fields of its source',
  async () => {
    const group = await api.ask('POST', `/knowledge-bases/${baseId}/source-groups`, { name: 'v4' })
    const given = {
      type: 'push',
      name: 'FAQ',
      version_label: 'v4 – “next”',
      source_group_id: group['id'],
      visibility: 'restricted',
      refresh: 'none',
    }
    const source = await api.ask<{ id: string }>('POST', `/knowledge-bases/${baseId}/sources`, given)
    const record = {
      ...given,
      id: anId,
      knowledge_base_id: baseId,
      config: {},
      has_credentials: false,
      next_sync_at: null,
      hold_back_drop: null,
      held_sync_id: null,
      connection_id: null,
      status: 'idle',
      document_count: 0,
      last_sync: null,
      ...times,
    }
    expect(source).toEqual(record)
    expect(await api.ask('GET', `/sources/${source.id}`)).toEqual(record)
    const refused = ['v'.repeat(65), 'two\nlines']
    for (const version_label of refused) {
      expect((await api.send('PATCH', `/sources/${source.id}`, { version_label })).status).toBe(400)
    }

    const pushed = await api.ask<{ documents: { id: string }[] }>('PUT', `/sources/${source.id}/documents`, {
      documents: [
        {
          external_id: 'a',
          title: 'Keys',
          url: 'https://docs.test/keys',
          markdown: '## Rotation\n\nKeys rotate daily.',
        },
      ],
    })
    const document = await api.ask('GET', `/documents/${pushed.documents[0]?.id}`)
    expect(document).toEqual({
      id: pushed.documents[0]?.id,
      knowledge_base_id: baseId,
      source_id: source.id,
      source_group_id: group['id'],
      title: 'Keys',
      url: 'https://docs.test/keys',
      visibility: 'restricted',
      version_label: given.version_label,
      indexed_at: aTime,
      source_modified_at: null,
      chunk_count: 1,
      left_out: [],
      withheld: false,
      chunks: [{ id: anId, heading_path: ['Rotation'], anchor: 'rotation', text: 'Keys rotate daily.' }],
      ...times,
    })
    await api.ask('PATCH', `/sources/${source.id}`, { version_label: null, source_group_id: null })
    expect(await api.ask('GET', `/documents/${pushed.documents[0]?.id}`)).toMatchObject({
      version_label: null,
      source_group_id: null,
    })
  },
)
