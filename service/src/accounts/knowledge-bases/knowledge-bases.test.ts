import { verifies } from '@citewell/spec/verifies'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { maxKnowledgeBases } from '../plans/plans.ts'

let rooms: TestRooms

beforeAll(async () => {
  rooms = await openTestRooms()
})
afterAll(() => rooms.close())

const FIRST_PAGE = { workspaceId: undefined, status: undefined, after: undefined, limit: 51 }

test('an external base is created with a public client key and a widget of its name', async () => {
  const owner = await rooms.joinWorkspace()
  const { base, extras } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  expect(base).toMatchObject({
    type: 'external',
    status: 'active',
    respect_robots_txt: true,
    document_count: 0,
  })
  expect(base.starter_questions).toEqual({ mode: 'generated', questions: [] })
  expect(extras?.widget).toMatchObject({ knowledge_base_id: base.id, name: 'Acme docs', enabled: true })
  const key = extras?.client_key?.key ?? ''
  expect(await rooms.clientKeys.authenticateClient({ key })).toMatchObject({
    knowledgeBaseId: base.id,
    kind: 'public',
  })
})

test('an internal base is created without a client key or a widget', async () => {
  const owner = await rooms.joinWorkspace()
  const { base, extras } = await rooms.knowledgeBases.create(owner, undefined, {
    name: 'Wiki',
    type: 'internal',
  })
  expect(extras).toEqual({})
  expect((await rooms.knowledgeBases.previewDeletion(owner, base.id)).requiresConfirmation).toBe(false)
})

test.for(['free', 'pro'] as const)('the limit of the %s plan holds under parallel calls', async (plan) => {
  const owner = await rooms.joinWorkspace({ plan })
  const calls = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      rooms.knowledgeBases.create(owner, undefined, { name: `Base ${index}` }),
    ),
  )
  const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason as unknown] : []))
  const most = maxKnowledgeBases(plan) ?? 0
  expect(calls.length - refused.length).toBe(most)
  for (const reason of refused) expect(reason).toMatchObject({ code: 'PROJECT_LIMIT_REACHED' })
  expect(await rooms.knowledgeBases.list(owner, FIRST_PAGE)).toHaveLength(most)
})

verifies(
  'knowledge-bases.archived-not-counted',
  'archiving a base frees its place under the plan limit, and it can be restored only if there is a free place',
  async () => {
    const owner = await rooms.joinWorkspace({ plan: 'free' })
    const { knowledgeBases } = rooms
    const { base: first } = await knowledgeBases.create(owner, undefined, { name: 'First' })
    await expect(knowledgeBases.create(owner, undefined, { name: 'Second' })).rejects.toMatchObject({
      code: 'PROJECT_LIMIT_REACHED',
    })
    expect((await knowledgeBases.archive(owner, first.id)).status).toBe('archived')
    await expect(knowledgeBases.archive(owner, first.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    const { base: second } = await knowledgeBases.create(owner, undefined, { name: 'Second' })
    await expect(knowledgeBases.restore(owner, first.id)).rejects.toMatchObject({
      code: 'PROJECT_LIMIT_REACHED',
    })
    await knowledgeBases.remove(owner, second.id, 'Second')
    expect((await knowledgeBases.restore(owner, first.id)).status).toBe('active')
    await expect(knowledgeBases.restore(owner, first.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  },
)

test('of many parallel restores as many succeed as the plan allows', async () => {
  const owner = await rooms.joinWorkspace({ plan: 'enterprise' })
  const { knowledgeBases } = rooms
  const ids: string[] = []
  for (let made = 0; made < 8; made += 1) {
    const { base } = await knowledgeBases.create(owner, undefined, { name: `Base ${made}` })
    await knowledgeBases.archive(owner, base.id)
    ids.push(base.id)
  }
  await rooms.db.updateTable('workspaces').set({ plan: 'pro' }).where('id', '=', owner.workspaceId).execute()
  const restored = await Promise.allSettled(ids.map((id) => knowledgeBases.restore(owner, id)))
  expect(restored.filter((one) => one.status === 'fulfilled')).toHaveLength(5)
})

test('an archived base can be read and deleted, but not changed', async () => {
  const owner = await rooms.joinWorkspace()
  const { knowledgeBases } = rooms
  const { base } = await knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  await knowledgeBases.archive(owner, base.id)
  expect((await knowledgeBases.get(owner, base.id)).status).toBe('archived')
  const refused = [
    knowledgeBases.change(owner, base.id, { name: 'Other' }),
    rooms.widgets.create(owner, base.id, { name: 'New', enabled: true, allowed_origins: [], config: {} }),
  ]
  await Promise.all(
    refused.map((one) => expect(one).rejects.toMatchObject({ code: 'KNOWLEDGE_BASE_ARCHIVED' })),
  )
  expect((await knowledgeBases.remove(owner, base.id, 'Acme docs')).widgets).toBe(1)
})

test('a change keeps the fields that it does not name: objects are merged key by key', async () => {
  const owner = await rooms.joinWorkspace()
  const { knowledgeBases } = rooms
  const { base } = await knowledgeBases.create(owner, undefined, {
    name: 'Acme docs',
    tone: 'short',
    pii_masking: { mask: ['email'], allow_list: ['help@example.com'] },
  })
  await knowledgeBases.change(owner, base.id, { settings: { mcp_documents_enabled: true }, tone: null })
  const { base: changed } = await knowledgeBases.change(owner, base.id, {
    pii_masking: { mask: ['phone'] },
    starter_questions: { mode: 'own', questions: ['How do keys rotate?'] },
  })
  expect(changed).toMatchObject({
    name: 'Acme docs',
    tone: null,
    settings: { mcp_documents_enabled: true },
    pii_masking: { mask: ['phone'], custom_patterns: [], allow_list: ['help@example.com'] },
    starter_questions: { mode: 'own', questions: ['How do keys rotate?'] },
  })
})

test('concurrent changes do not overwrite each other', async () => {
  const owner = await rooms.joinWorkspace()
  const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  await Promise.all([
    rooms.knowledgeBases.change(owner, base.id, { pii_masking: { mask: ['email'] } }),
    rooms.knowledgeBases.change(owner, base.id, { pii_masking: { allow_list: ['a'] } }),
    rooms.knowledgeBases.change(owner, base.id, { pii_masking: { custom_patterns: ['b'] } }),
  ])
  expect((await rooms.knowledgeBases.get(owner, base.id)).pii_masking).toEqual({
    mask: ['email'],
    allow_list: ['a'],
    custom_patterns: ['b'],
  })
})

verifies(
  ['knowledge-bases.internal-keys', 'visibility.internal-restricts'],
  'a base that becomes internal loses its live keys, and its documents become restricted, for good',
  async () => {
    const owner = await rooms.joinWorkspace()
    const { knowledgeBases } = rooms
    const { base, extras } = await knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
    const key = extras?.client_key?.key ?? ''
    const { source } = await rooms.sources.create(owner, base.id, pushSource('public'))
    const [pushed] = await push(source.id, 'Keys rotate daily.', owner)
    const visibility = async () => (await rooms.documents.get(owner, pushed?.id ?? '')).row.visibility
    expect(await visibility()).toBe('public')

    await knowledgeBases.change(owner, base.id, { type: 'internal' })
    await expect(rooms.clientKeys.authenticateClient({ key })).rejects.toMatchObject({
      code: 'KNOWLEDGE_BASE_INTERNAL',
    })
    expect(await visibility()).toBe('restricted')

    await knowledgeBases.change(owner, base.id, { type: 'external' })
    await expect(rooms.clientKeys.authenticateClient({ key })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    expect(await visibility()).toBe('restricted')
  },
)

verifies(
  'knowledge-bases.delete-takes-all',
  'a deletion previews what it removes, needs the exact name, and leaves nothing behind',
  async () => {
    const owner = await rooms.joinWorkspace()
    const { knowledgeBases, db } = rooms
    const { base } = await knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
    const { source } = await rooms.sources.create(owner, base.id, pushSource('public'))
    await push(source.id, 'Keys rotate daily.', owner)
    const preview = await knowledgeBases.previewDeletion(owner, base.id)
    expect(preview.requiresConfirmation).toBe(true)
    expect(preview.counts).toMatchObject({
      sources: 1,
      documents: 1,
      client_keys: 1,
      widgets: 1,
      conversations: 0,
    })
    for (const confirm of [undefined, 'acme docs', 'Acme docs ']) {
      await expect(knowledgeBases.remove(owner, base.id, confirm)).rejects.toMatchObject({
        code: 'CONFIRMATION_REQUIRED',
      })
    }
    expect(await knowledgeBases.remove(owner, base.id, 'Acme docs')).toEqual(preview.counts)
    await expect(knowledgeBases.get(owner, base.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (const table of ['sources', 'documents', 'client_keys', 'widgets', 'chunks'] as const) {
      const rows = db.selectFrom(table).select('knowledge_base_id').where('knowledge_base_id', '=', base.id)
      expect(await rows.execute()).toEqual([])
    }
    const partitions = await sql<{ name: string }>`select relname as name from pg_class
    where relname like ${`chunk%${base.id.replaceAll('-', '')}`}`.execute(db)
    expect(partitions.rows).toEqual([])
  },
)

test('a base of another workspace is a 404 in every operation', async () => {
  const { knowledgeBases } = rooms
  const owner = await rooms.joinWorkspace()
  const stranger = await rooms.joinWorkspace()
  const { base } = await knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  const asked = [
    knowledgeBases.get(stranger, base.id),
    knowledgeBases.change(stranger, base.id, { name: 'Mine' }),
    knowledgeBases.archive(stranger, base.id),
    knowledgeBases.restore(stranger, base.id),
    knowledgeBases.previewDeletion(stranger, base.id),
    knowledgeBases.remove(stranger, base.id, 'Acme docs'),
    knowledgeBases.create(stranger, owner.workspaceId, { name: 'Theirs' }),
  ]
  await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'NOT_FOUND' })))
  expect(await knowledgeBases.list(stranger, FIRST_PAGE)).toEqual([])
  expect(await knowledgeBases.list(stranger, { ...FIRST_PAGE, workspaceId: owner.workspaceId })).toEqual([])
  expect((await knowledgeBases.get(owner, base.id)).name).toBe('Acme docs')
})

verifies(
  'knowledge-bases.needs-edit-config',
  'members create and read bases, but only owners and admins change them',
  async () => {
    const { knowledgeBases } = rooms
    const owner = await rooms.joinWorkspace()
    const member = await rooms.joinWorkspace({ workspaceId: owner.workspaceId, role: 'member' })
    const { base } = await knowledgeBases.create(member, undefined, { name: 'By a member' })
    expect((await knowledgeBases.get(member, base.id)).name).toBe('By a member')
    const refused = [
      knowledgeBases.change(member, base.id, { type: 'internal' }),
      knowledgeBases.archive(member, base.id),
      knowledgeBases.remove(member, base.id, 'By a member'),
    ]
    await Promise.all(refused.map((one) => expect(one).rejects.toMatchObject({ code: 'FORBIDDEN' })))
  },
)

verifies(
  'knowledge-bases.workspace-optional',
  'a member of several workspaces must name one when creating a base',
  async () => {
    const one = await rooms.joinWorkspace()
    const two = await rooms.joinWorkspace()
    const caller = { ...one, workspaces: [...one.workspaces, ...two.workspaces] }
    await expect(rooms.knowledgeBases.create(caller, undefined, { name: 'Acme docs' })).rejects.toMatchObject(
      {
        details: [{ path: 'workspace_id' }],
      },
    )
    const { base } = await rooms.knowledgeBases.create(caller, two.workspaceId, { name: 'Acme docs' })
    expect(base.workspace_id).toBe(two.workspaceId)
  },
)

test('lists continue after the last record of the previous page, and can be filtered by status', async () => {
  const owner = await rooms.joinWorkspace()
  const { knowledgeBases } = rooms
  for (const name of ['One', 'Two', 'Three']) await knowledgeBases.create(owner, undefined, { name })
  const all = await knowledgeBases.list(owner, FIRST_PAGE)
  expect(all).toHaveLength(3)
  const rest = await knowledgeBases.list(owner, { ...FIRST_PAGE, after: all[0]?.id, limit: 1 })
  expect(rest.map((base) => base.id)).toEqual([all[1]?.id])
  await knowledgeBases.archive(owner, all[2]?.id ?? '')
  expect(await knowledgeBases.list(owner, { ...FIRST_PAGE, status: 'archived' })).toMatchObject([
    { id: all[2]?.id },
  ])
})

const pushSource = (visibility: 'public' | 'restricted') =>
  ({
    type: 'push',
    name: 'FAQ',
    config: {},
    version_label: null,
    source_group_id: null,
    visibility,
    refresh: 'none',
  }) as const

async function push(sourceId: string, markdown: string, caller: Parameters<TestRooms['push']['push']>[0]) {
  const document = { external_id: 'one', title: 'Keys', url: 'https://example.com/keys', markdown }
  return await rooms.push.push(caller, sourceId, [document], new AbortController().signal)
}
