import type { NewSource } from '@citewell/contract/sources'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifies } from '@citewell/spec/verifies'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { newId } from '../../kernel/ids.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { Connector } from '../connectors/connectors.ts'
import { presentSource } from './present-source.ts'
import { findSourceToSync } from './sources.ts'

let rooms: TestRooms
let owner: Caller
let baseId: string

beforeAll(async () => {
  rooms = await openTestRooms()
})
beforeEach(async () => {
  owner = await rooms.joinWorkspace()
  baseId = (await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })).base.id
})
afterAll(() => rooms.close())

const PAGE = { type: undefined, after: undefined, limit: 10 }
const COMMON = { version_label: null, source_group_id: null, visibility: 'public', refresh: 'none' } as const
const WEBSITE: NewSource = {
  ...COMMON,
  type: 'website',
  name: 'docs',
  config: {
    start_urls: ['https://docs.example.com/'],
    include: [],
    exclude: [],
    max_pages: 100,
    max_depth: null,
    content_selector: null,
    render_js: 'auto',
    use_sitemap: true,
  },
}
const PUSH: NewSource = { ...COMMON, type: 'push', name: 'FAQ', config: {} }

const pushOne = async (sourceId: string) => {
  const document = {
    external_id: 'a',
    title: 'Keys',
    url: 'https://example.com/keys',
    markdown: 'Keys rotate daily.',
  }
  const [pushed] = await rooms.push.push(owner, sourceId, [document], new AbortController().signal)
  return pushed?.id ?? ''
}

test('a new source is idle and has no sync', async () => {
  const created = await rooms.sources.create(owner, baseId, WEBSITE)
  expect(presentSource(created)).toMatchObject({
    status: 'idle',
    document_count: 0,
    last_sync: null,
    type: 'website',
  })
  expect(await rooms.sources.get(owner, created.source.id)).toEqual(created)
})

verifies('sources.status', 'the status of a source follows its last sync', async () => {
  const { source } = await rooms.sources.create(owner, baseId, WEBSITE)
  const statuses: string[] = []
  for (const status of ['queued', 'running', 'failed', 'queued', 'cancelled'] as const) {
    rooms.clock.time = new Date(rooms.clock.time.getTime() + 1_000)
    const sync = await rooms.sources.requestSync(owner, source.id)
    const finished_at = status === 'queued' || status === 'running' ? null : rooms.clock.time
    await rooms.db.updateTable('syncs').set({ status, finished_at }).where('id', '=', sync.id).execute()
    const shown = presentSource(await rooms.sources.get(owner, source.id))
    expect(shown.last_sync).toMatchObject({ id: sync.id, status })
    statuses.push(shown.status)
  }
  expect(statuses).toEqual(['queued', 'syncing', 'failed', 'queued', 'idle'])
  expect((await rooms.sources.list(owner, baseId, PAGE))[0]?.lastSync?.status).toBe('cancelled')
})

verifies(
  'sources.change',
  'a changed config is merged key by key and validated by the type of the source',
  async () => {
    const { source } = await rooms.sources.create(owner, baseId, WEBSITE)
    const changed = await rooms.sources.change(owner, source.id, { config: { max_pages: 7 } })
    expect(changed.source.config).toEqual({ ...WEBSITE.config, max_pages: 7 })
    await expect(
      rooms.sources.change(owner, source.id, { config: { max_pages: 0, depth: 1 } }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: expect.arrayContaining([expect.objectContaining({ path: 'config.max_pages' })]),
    })
    expect((await rooms.sources.get(owner, source.id)).source.config['max_pages']).toBe(7)
  },
)

verifies('source-groups.one-each', 'a source can be in groups of its own base only', async () => {
  const { base: other } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Other' })
  const foreign = await rooms.sourceGroups.create(owner, other.id, { name: 'v2', description: null })
  const own = await rooms.sourceGroups.create(owner, baseId, { name: 'v2', description: null })
  const { source } = await rooms.sources.create(owner, baseId, { ...WEBSITE, source_group_id: own.id })
  const refused = [
    rooms.sources.create(owner, baseId, { ...WEBSITE, source_group_id: foreign.id }),
    rooms.sources.change(owner, source.id, { source_group_id: foreign.id }),
    rooms.sources.change(owner, source.id, { source_group_id: newId() }),
  ]
  await Promise.all(
    refused.map((one) => expect(one).rejects.toMatchObject({ details: [{ path: 'source_group_id' }] })),
  )
  const moved = await rooms.sources.change(owner, source.id, { source_group_id: null, version_label: 'v3' })
  expect(moved.source).toMatchObject({ source_group_id: null, version_label: 'v3', name: 'docs' })
})

verifies(
  ['visibility.source-at-once', 'visibility.document-wins'],
  'making a source restricted or public changes its documents, except for those with a visibility of their own',
  async () => {
    const { source } = await rooms.sources.create(owner, baseId, PUSH)
    const documentId = await pushOne(source.id)
    const visibility = async () => (await rooms.documents.get(owner, documentId)).row.visibility
    rooms.announced.length = 0
    await rooms.sources.change(owner, source.id, { visibility: 'restricted' })
    expect(await visibility()).toBe('restricted')
    expect(rooms.announced).toEqual([
      { name: 'document.visibility-changed', payload: { knowledgeBaseId: baseId, documentId } },
    ])
    await rooms.sources.change(owner, source.id, { visibility: 'public' })
    expect(await visibility()).toBe('public')

    // An explicit visibility, although it does not change anything at that moment.
    await rooms.documents.changeVisibility(owner, documentId, 'public')
    await rooms.sources.change(owner, source.id, { visibility: 'restricted' })
    expect(await visibility()).toBe('public')
    await rooms.documents.changeVisibility(owner, documentId, 'restricted')
    await rooms.sources.change(owner, source.id, { visibility: 'public' })
    expect(await visibility()).toBe('restricted')
  },
)

verifies(
  'visibility.internal-indexes-restricted',
  'documents of an internal base are restricted, whatever the visibility of their source',
  async () => {
    const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Wiki', type: 'internal' })
    const { source } = await rooms.sources.create(owner, base.id, PUSH)
    expect(source.visibility).toBe('restricted')
    expect((await rooms.sources.change(owner, source.id, { visibility: 'public' })).source.visibility).toBe(
      'restricted',
    )
    expect((await rooms.documents.get(owner, await pushOne(source.id))).row.visibility).toBe('restricted')
  },
)

test('deleting a source deletes its documents, passages and syncs', async () => {
  const kept = await rooms.sources.create(owner, baseId, PUSH)
  const keptDocument = await pushOne(kept.source.id)
  const { source } = await rooms.sources.create(owner, baseId, PUSH)
  await pushOne(source.id)
  await rooms.sources.remove(owner, source.id)
  await expect(rooms.sources.get(owner, source.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  for (const table of ['documents', 'chunks'] as const) {
    const rows = rooms.db.selectFrom(table).selectAll().where('knowledge_base_id', '=', baseId)
    expect(await rows.execute()).toHaveLength(1)
  }
  expect((await rooms.documents.get(owner, keptDocument)).chunks).toHaveLength(1)
})

test('deleting a source while documents are pushed to it leaves nothing behind', async () => {
  const { source } = await rooms.sources.create(owner, baseId, PUSH)
  await pushOne(source.id)
  const documents = Array.from({ length: 40 }, (_, index) => ({
    external_id: `d${index}`,
    title: 'Keys',
    url: 'https://example.com/keys',
    markdown: `Key ${index} rotates daily.`,
  }))
  const push = (document: (typeof documents)[number]) =>
    rooms.push.push(owner, source.id, [document], new AbortController().signal)
  const before = documents.slice(0, 20).map(push)
  await Promise.race(before)
  const removing = rooms.sources.remove(owner, source.id)
  const after = documents.slice(20).map(push)
  await Promise.allSettled([...before, ...after])
  await removing
  for (const table of ['documents', 'chunks'] as const) {
    const rows = rooms.db.selectFrom(table).selectAll().where('knowledge_base_id', '=', baseId)
    expect(await rows.execute()).toEqual([])
  }
})

test('a push source cannot be synced; an archived base starts no sync', async () => {
  const push = await rooms.sources.create(owner, baseId, PUSH)
  await expect(rooms.sources.requestSync(owner, push.source.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  const website = await rooms.sources.create(owner, baseId, WEBSITE)
  await rooms.knowledgeBases.archive(owner, baseId)
  await expect(rooms.sources.requestSync(owner, website.source.id)).rejects.toMatchObject({
    code: 'KNOWLEDGE_BASE_ARCHIVED',
  })
})

test('a sync gets the settings of its base', async () => {
  const { source } = await rooms.sources.create(owner, baseId, WEBSITE)
  const connector: Connector<unknown> = {
    type: 'website',
    read: () => {
      throw new Error('not read here')
    },
  }
  const connectorOf = (type: string) => (type === 'website' ? connector : undefined)
  const find = (sourceId: string) =>
    findSourceToSync(
      rooms.db,
      connectorOf,
      { sealer: rooms.sealer, accessOf: () => undefined },
      { knowledgeBaseId: baseId, sourceId },
    )
  const external = { isActive: true, respectRobotsTxt: true, language: undefined }
  expect(await find(source.id)).toMatchObject({ ...external, connector, config: WEBSITE.config })
  await rooms.knowledgeBases.change(owner, baseId, {
    type: 'internal',
    language: 'de',
    respect_robots_txt: false,
  })
  await rooms.knowledgeBases.archive(owner, baseId)
  expect(await find(source.id)).toMatchObject({
    isActive: false,
    respectRobotsTxt: false,
    language: 'de',
  })
  const push = await rooms.sources.create(owner, (await newBase()).id, PUSH)
  expect(await find(push.source.id)).toBeUndefined()
  expect(await find(newId())).toBeUndefined()
})

const newBase = async () => (await rooms.knowledgeBases.create(owner, undefined, { name: 'Another' })).base

test('sources of another workspace are not found', async () => {
  const stranger = await rooms.joinWorkspace()
  const { source } = await rooms.sources.create(owner, baseId, PUSH)
  const asked = [
    rooms.sources.list(stranger, baseId, PAGE),
    rooms.sources.get(stranger, source.id),
    rooms.sources.create(stranger, baseId, PUSH),
    rooms.sources.change(stranger, source.id, { name: 'Mine' }),
    rooms.sources.requestSync(stranger, source.id),
    rooms.sources.remove(stranger, source.id),
    rooms.push.push(stranger, source.id, [], new AbortController().signal),
    rooms.push.remove(stranger, source.id, 'a'),
  ]
  await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'NOT_FOUND' })))
  expect((await rooms.sources.get(owner, source.id)).source.name).toBe('FAQ')
})
