import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let api: TestManagement

beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

const make = async (body: object = {}) =>
  await api.ask<Record<string, unknown> & { id: string }>('POST', '/knowledge-bases', {
    name: 'Acme docs',
    ...body,
  })

const makeSource = async (baseId: string, body: object = {}) =>
  await api.ask('POST', `/knowledge-bases/${baseId}/sources`, { type: 'push', name: 'FAQ', ...body })

const push = async (sourceId: string | undefined, externalId: string) => {
  const document = {
    external_id: externalId,
    title: 'Keys',
    url: 'https://example.com/keys',
    markdown: 'Keys rotate.',
  }
  const { documents } = await api.ask<{ documents: { id: string }[] }>(
    'PUT',
    `/sources/${sourceId}/documents`,
    {
      documents: [document],
    },
  )
  return documents[0]?.id ?? ''
}

const visibilityOf = async (documentId: string) =>
  (await api.ask('GET', `/documents/${documentId}`))['visibility']

const DEFAULTS = {
  name: 'Acme docs',
  description: null,
  type: 'external',
  status: 'active',
  language: null,
  respect_robots_txt: true,
  settings: { mcp_documents_enabled: false },
  starter_questions: { mode: 'generated', questions: [] },
  scheduled_crawling: null,
  persona: null,
  tone: null,
  standing_instructions: null,
  pii_masking: { mask: [], custom_patterns: [], allow_list: [] },
  workspace_members_can_chat: true,
  document_count: 0,
}

verifies(
  [
    'knowledge-bases.record',
    'knowledge-bases.description',
    'knowledge-bases.robots',
    'knowledge-bases.settings',
    'knowledge-bases.members-switch',
    'knowledge-bases.type',
    'knowledge-bases.starter-questions',
  ],
  'a new base has every field, with defaults for those that were not sent',
  async () => {
    const { client_key: _key, widget: _widget, ...record } = await make()
    expect(record).toEqual({
      ...DEFAULTS,
      id: expect.any(String),
      workspace_id: expect.any(String),
      your_permissions: ['chat', 'config', 'edit-config'],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(await make({ type: 'internal' })).toMatchObject({ type: 'internal' })
  },
)

verifies(
  [
    'knowledge-bases.all-changeable',
    'knowledge-bases.type',
    'knowledge-bases.answer-style',
    'knowledge-bases.pii-masking',
    'knowledge-bases.starter-questions',
  ],
  'every field of a base can be changed after creation',
  async () => {
    const { id } = await make()
    const changes = {
      name: 'Other docs',
      description: 'About keys',
      type: 'internal',
      language: 'de',
      respect_robots_txt: false,
      settings: { mcp_documents_enabled: true },
      starter_questions: { mode: 'own', questions: ['q'.repeat(200), 'Two?'] },
      scheduled_crawling: 'weekly',
      persona: 'An engineer',
      tone: 'Short',
      standing_instructions: 'Name the version.',
      pii_masking: { mask: ['email'], custom_patterns: ['ID-[0-9]+'], allow_list: ['help@example.com'] },
      workspace_members_can_chat: false,
    }
    expect(Object.keys(changes).sort()).toEqual(
      Object.keys(DEFAULTS)
        .filter((field) => !['status', 'document_count'].includes(field))
        .sort(),
    )
    expect(await api.ask('PATCH', `/knowledge-bases/${id}`, changes)).toMatchObject(changes)
    expect(await api.ask('GET', `/knowledge-bases/${id}`)).toMatchObject(changes)
    expect(await api.ask('PATCH', `/knowledge-bases/${id}`, { type: 'external' })).toMatchObject({
      type: 'external',
    })
    await api.ask('PATCH', `/knowledge-bases/${id}`, { starter_questions: { mode: 'none' } })
    expect(await api.ask('GET', `/knowledge-bases/${id}`)).toMatchObject({
      starter_questions: { ...changes.starter_questions, mode: 'none' },
    })
    for (const questions of [Array.from({ length: 9 }, () => 'Why?'), ['q'.repeat(201)]]) {
      const refused = await api.send('PATCH', `/knowledge-bases/${id}`, { starter_questions: { questions } })
      expect(refused.status).toBe(400)
    }
  },
)

verifies(
  'knowledge-bases.preview',
  'the preview counts everything that a deletion removes; an external base always has its key and its widget',
  async () => {
    const { id } = await make()
    const nothing = await api.ask('GET', `/knowledge-bases/${id}/deletion-preview`)
    expect(nothing).toEqual({
      knowledge_base_id: id,
      name: 'Acme docs',
      requires_confirmation: true,
      counts: {
        sources: 0,
        documents: 0,
        conversations: 0,
        custom_answers: 0,
        client_keys: 1,
        widgets: 1,
        bots: 0,
        helpdesk_integrations: 0,
        agent_apps: 0,
        form_deflectors: 0,
        mcp_servers: 0,
      },
    })
    await push((await makeSource(id))['id'], 'a')
    await api.ask('POST', `/knowledge-bases/${id}/custom-answers`, { question: 'Why?', answer: 'Because.' })
    const something = await api.ask<{ counts: object }>('GET', `/knowledge-bases/${id}/deletion-preview`)
    expect(something.counts).toMatchObject({ sources: 2, documents: 2, custom_answers: 1 })

    const empty = await make({ type: 'internal' })
    expect(await api.ask('GET', `/knowledge-bases/${empty.id}/deletion-preview`)).toMatchObject({
      requires_confirmation: false,
    })
    expect((await api.send('DELETE', `/knowledge-bases/${empty.id}`)).status).toBe(200)
  },
)

verifies(
  'knowledge-bases.archived-read-only',
  'everything in an archived base can be read, and nothing changed',
  async () => {
    const { id, client_key: key, widget } = await make()
    const source = await makeSource(id)
    const documentId = await push(source['id'], 'a')
    const group = await api.ask('POST', `/knowledge-bases/${id}/source-groups`, { name: 'v2' })
    const answer = await api.ask('POST', `/knowledge-bases/${id}/custom-answers`, {
      question: 'Why?',
      answer: 'So.',
    })
    const keyId = (key as { id: string }).id
    const widgetId = (widget as { id: string }).id
    await api.ask('POST', `/knowledge-bases/${id}/archive`)

    const paths = [
      '',
      '/sources',
      '/documents',
      '/source-groups',
      '/custom-answers',
      '/client-keys',
      '/widgets',
      '/deletion-preview',
    ]
    for (const path of paths) {
      expect((await api.send('GET', `/knowledge-bases/${id}${path}`)).status).toBe(200)
    }
    const changes: [string, string, object?][] = [
      ['PATCH', `/knowledge-bases/${id}`, { name: 'Other' }],
      ['POST', `/knowledge-bases/${id}/sources`, { type: 'push', name: 'FAQ' }],
      ['PATCH', `/sources/${source['id']}`, { name: 'Other' }],
      ['DELETE', `/sources/${source['id']}`],
      ['POST', `/sources/${source['id']}/sync`],
      [
        'PUT',
        `/sources/${source['id']}/documents`,
        { documents: [{ external_id: 'b', title: 'B', url: 'https://example.com/b', markdown: 'B' }] },
      ],
      ['PATCH', `/documents/${documentId}`, { visibility: 'restricted' }],
      ['DELETE', `/documents/${documentId}`],
      ['POST', `/knowledge-bases/${id}/source-groups`, { name: 'v3' }],
      ['PATCH', `/source-groups/${group['id']}`, { name: 'v3' }],
      ['DELETE', `/source-groups/${group['id']}`],
      ['POST', `/knowledge-bases/${id}/custom-answers`, { question: 'How?', answer: 'So.' }],
      ['PATCH', `/custom-answers/${answer['id']}`, { answer: 'Other.' }],
      ['DELETE', `/custom-answers/${answer['id']}`],
      ['POST', `/knowledge-bases/${id}/client-keys`, { name: 'Key', kind: 'public' }],
      ['PATCH', `/client-keys/${keyId}`, { name: 'Other' }],
      ['PATCH', `/widgets/${widgetId}`, { name: 'Other' }],
    ]
    for (const [method, path, body] of changes) {
      expect(await api.send(method, path, body)).toMatchObject({
        status: 403,
        body: { code: 'KNOWLEDGE_BASE_ARCHIVED' },
      })
    }
    await api.ask('POST', `/knowledge-bases/${id}/restore`)
    expect((await api.send('PATCH', `/sources/${source['id']}`, { name: 'Other' })).status).toBe(200)
  },
)

verifies(
  'knowledge-bases.archived-syncs-nothing',
  'archiving cancels running syncs, and no sync starts until the base is restored',
  async () => {
    const { id } = await make()
    const website = { type: 'website', config: { start_urls: ['https://docs.example.com/'] } }
    const [waiting, running] = [await makeSource(id, website), await makeSource(id, website)]
    const syncs = [
      await api.ask('POST', `/sources/${waiting['id']}/sync`),
      await api.ask('POST', `/sources/${running['id']}/sync`),
    ]
    await api.db
      .updateTable('syncs')
      .set({ status: 'running' })
      .where('id', '=', syncs[1]?.['id'] ?? '')
      .execute()
    await api.ask('POST', `/knowledge-bases/${id}/archive`)

    expect(await api.ask('GET', `/syncs/${syncs[0]?.['id']}`)).toMatchObject({ status: 'cancelled' })
    // Its worker learns of it at its next heartbeat.
    const cancelRequests = await api.db
      .selectFrom('syncs')
      .select('cancel_requested')
      .where('id', '=', syncs[1]?.['id'] ?? '')
      .execute()
    expect(cancelRequests).toEqual([{ cancel_requested: true }])
    expect((await api.send('POST', `/sources/${waiting['id']}/sync`)).status).toBe(403)
    await api.ask('POST', `/knowledge-bases/${id}/restore`)
    expect(await api.ask('POST', `/sources/${waiting['id']}/sync`)).toMatchObject({ status: 'queued' })
  },
)

verifies(
  'visibility.back-to-external',
  'in a base that becomes external again, documents indexed before and meanwhile stay restricted, and new ones follow their source',
  async () => {
    const { id } = await make()
    const open = (await makeSource(id))['id']
    const closed = (await makeSource(id, { visibility: 'restricted' }))['id']
    const before = await push(open, 'before')
    await api.ask('PATCH', `/knowledge-bases/${id}`, { type: 'internal' })
    const meanwhile = await push(open, 'meanwhile')
    expect(await visibilityOf(before)).toBe('restricted')
    await api.ask('PATCH', `/knowledge-bases/${id}`, { type: 'external' })

    expect(await visibilityOf(before)).toBe('restricted')
    expect(await visibilityOf(meanwhile)).toBe('restricted')
    expect(await visibilityOf(await push(open, 'before'))).toBe('restricted')
    expect(await visibilityOf(await push(open, 'after'))).toBe('public')
    expect(await visibilityOf(await push(closed, 'after'))).toBe('restricted')
    await api.ask('PATCH', `/documents/${before}`, { visibility: 'public' })
    expect(await visibilityOf(before)).toBe('public')
  },
)
