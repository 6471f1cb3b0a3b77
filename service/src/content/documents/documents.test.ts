import { verifies } from '@citewell/spec/verifies'
import type { PushedDocument } from '@citewell/contract/pushed-documents'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createKeptParsing } from '../../../test/kept-parsing.ts'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { newId } from '../../kernel/ids.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { testAddresses } from '../../../test/test-addresses.ts'

let rooms: TestRooms
let owner: Caller
let baseId: string
let sourceId: string

const PAGE = { sourceId: undefined, visibility: undefined, page: undefined, after: undefined, limit: 10 }
const COMMON = {
  version_label: 'v2',
  source_group_id: null,
  visibility: 'public',
  refresh: 'none',
  config: {},
} as const

beforeAll(async () => {
  rooms = await openTestRooms()
})
beforeEach(async () => {
  owner = await rooms.joinWorkspace()
  baseId = (await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })).base.id
  sourceId = (await rooms.sources.create(owner, baseId, { ...COMMON, type: 'push', name: 'FAQ' })).source.id
  rooms.announced.length = 0
})
afterAll(() => rooms.close())

const documentOf = (external_id: string, given: Partial<PushedDocument> = {}): PushedDocument => ({
  external_id,
  title: `About ${external_id}`,
  url: `https://example.com/${external_id}`,
  ...(given.html === undefined && { markdown: `# Intro\n\nThis is about ${external_id}.` }),
  ...given,
})

const push = async (...documents: PushedDocument[]) =>
  await rooms.push.push(owner, sourceId, documents, new AbortController().signal)

const list = async (of = {}) => await rooms.documents.list(owner, baseId, { ...PAGE, ...of })

verifies(
  'documents.push',
  'documents pushed as Markdown or HTML can be read when the call returns',
  async () => {
    const outcomes = await push(
      documentOf('keys', { markdown: '# Keys\n\n## Rotation\n\nKeys rotate daily.' }),
      documentOf('limits', { html: '<h2 id="rate">Rate</h2><p>Sixty a minute, größer nie.</p>' }),
    )
    expect(outcomes).toMatchObject([
      { external_id: 'keys', outcome: 'added' },
      { external_id: 'limits', outcome: 'added' },
    ])
    const [keys, limits] = await Promise.all(outcomes.map(({ id }) => rooms.documents.get(owner, id)))
    expect(keys?.row).toMatchObject({
      title: 'About keys',
      url: 'https://example.com/keys',
      version_label: 'v2',
    })
    expect(keys?.chunks.map((chunk) => chunk.text).join('\n')).toContain('Keys rotate daily.')
    expect(limits?.chunks.map((chunk) => chunk.text).join('\n')).toContain('größer nie')
    expect(keys?.row.chunk_count).toBe(keys?.chunks.length)
  },
)

verifies(
  'documents.upsert',
  'pushing a known external_id replaces its document; pushing the same content again changes nothing',
  async () => {
    const [first] = await push(documentOf('a'))
    expect(await push(documentOf('a'))).toEqual([{ ...first, outcome: 'unchanged' }])
    expect(await push(documentOf('a', { markdown: 'Other words.' }))).toEqual([
      { ...first, outcome: 'changed' },
    ])
    const { chunks } = await rooms.documents.get(owner, first?.id ?? '')
    expect(chunks.map((chunk) => chunk.text)).toEqual(['Other words.'])
    expect(await list()).toHaveLength(1)
  },
)

test('if one call has the same external_id twice, the last document is kept', async () => {
  const [first, second] = await push(
    documentOf('a', { markdown: 'First.' }),
    documentOf('a', { markdown: 'Second.' }),
  )
  expect(first?.id).toBe(second?.id)
  expect((await rooms.documents.get(owner, first?.id ?? '')).chunks.map((chunk) => chunk.text)).toEqual([
    'Second.',
  ])
})

test('one document without text refuses the whole call, and nothing is changed', async () => {
  await expect(push(documentOf('a'), documentOf('b', { markdown: ' \n ' }))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    details: [{ path: 'documents.1.markdown', message: 'contains no text' }],
  })
  expect(await list()).toEqual([])
})

verifies(
  ['documents.pushed-visibility', 'sources.visibility'],
  'a pushed document has the visibility that was sent, else that of its source, until another one is sent',
  async () => {
    const visibilities = async () =>
      Object.fromEntries((await list()).map((row) => [row.external_id, row.visibility]))
    await push(documentOf('a', { visibility: 'restricted' }), documentOf('b'))
    expect(await visibilities()).toEqual({ a: 'restricted', b: 'public' })
    await push(documentOf('a', { markdown: 'New.' }), documentOf('b', { visibility: 'restricted' }))
    expect(await visibilities()).toEqual({ a: 'restricted', b: 'restricted' })
    await push(documentOf('a', { markdown: 'New.', visibility: 'public' }))
    expect(await visibilities()).toEqual({ a: 'public', b: 'restricted' })
    expect(rooms.announced).toHaveLength(2)
    const { source } = await rooms.sources.create(owner, baseId, {
      ...COMMON,
      visibility: 'restricted',
      type: 'push',
      name: 'Internal',
    })
    await rooms.push.push(owner, source.id, [documentOf('c')], new AbortController().signal)
    expect(await visibilities()).toMatchObject({ c: 'restricted' })
  },
)

test('a document can be made restricted and public again, with one event each', async () => {
  const [pushed] = await push(documentOf('a'))
  const id = pushed?.id ?? ''
  for (const visibility of ['restricted', 'restricted', 'public'] as const) {
    expect((await rooms.documents.changeVisibility(owner, id, visibility)).row.visibility).toBe(visibility)
  }
  expect(rooms.announced).toHaveLength(2)
})

test('a document of an internal base cannot be made public', async () => {
  const [pushed] = await push(documentOf('a'))
  await rooms.knowledgeBases.change(owner, baseId, { type: 'internal' })
  await expect(rooms.documents.changeVisibility(owner, pushed?.id ?? '', 'public')).rejects.toMatchObject({
    code: 'KNOWLEDGE_BASE_INTERNAL',
  })
  await push(documentOf('b', { visibility: 'public' }))
  expect((await list()).map((row) => row.visibility)).toEqual(['restricted', 'restricted'])
})

test('lists can be filtered by source, visibility and address, and continue after a cursor', async () => {
  await push(documentOf('a'), documentOf('b', { visibility: 'restricted' }), documentOf('c'))
  const names = async (of: object) => (await list(of)).map((row) => row.external_id)
  expect(await names({})).toEqual(['a', 'b', 'c'])
  expect(await names({ visibility: 'restricted' })).toEqual(['b'])
  expect(await names({ page: testAddresses.parseAddress('https://example.com/c#top') })).toEqual(['c'])
  expect(await names({ sourceId: newId() })).toEqual([])
  const [first] = await list({ limit: 1 })
  expect(await names({ after: first?.id, limit: 1 })).toEqual(['b'])
})

verifies('documents.delete', 'deleting a document deletes its passages', async () => {
  const [deleted, taken] = await push(documentOf('a'), documentOf('b'))
  await rooms.documents.remove(owner, deleted?.id ?? '')
  await rooms.push.remove(owner, sourceId, 'b')
  await expect(rooms.documents.get(owner, taken?.id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(rooms.push.remove(owner, sourceId, 'b')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await list()).toEqual([])
  const chunks = rooms.db.selectFrom('chunks').select('id').where('knowledge_base_id', '=', baseId)
  expect(await chunks.execute()).toEqual([])
})

verifies('documents.delete', 'deleting the document of an uploaded file also deletes the file', async () => {
  const files = (await rooms.sources.create(owner, baseId, { ...COMMON, type: 'files', name: 'Files' }))
    .source.id
  const form = new FormData()
  form.append('file', new File(['Keys rotate daily.'], 'keys.txt'))
  const whole = new Response(form)
  const headers = { 'content-type': whole.headers.get('content-type') ?? '' }
  const request = new Request('http://localhost/', {
    method: 'POST',
    body: await whole.arrayBuffer(),
    headers,
  })
  await rooms.uploads.upload(owner, files, request)
  await rooms.indexing.indexDocument(
    {
      knowledgeBaseId: baseId,
      sourceId: files,
      externalId: 'keys.txt',
      url: 'keys.txt',
      document: {
        title: 'Keys',
        language: 'en',
        blocks: [{ kind: 'paragraph', markdown: 'Keys rotate daily.' }],
      },
      language: undefined,
      visibility: 'public',
      sourceModifiedAt: undefined,
    },
    new AbortController().signal,
    () => Promise.resolve(),
  )
  const [document] = await list({ sourceId: files })
  await rooms.documents.remove(owner, document?.id ?? '')
  expect(
    await rooms.db.selectFrom('source_files').select('name').where('source_id', '=', files).execute(),
  ).toEqual([])
})

test('documents of another workspace are not found, and only push sources take documents', async () => {
  const stranger = await rooms.joinWorkspace()
  const [pushed] = await push(documentOf('a'))
  const id = pushed?.id ?? ''
  const asked = [
    rooms.documents.list(stranger, baseId, PAGE),
    rooms.documents.get(stranger, id),
    rooms.documents.changeVisibility(stranger, id, 'restricted'),
    rooms.documents.remove(stranger, id),
  ]
  await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'NOT_FOUND' })))
  expect((await rooms.documents.get(owner, id)).row.visibility).toBe('public')
  sourceId = (await rooms.sources.create(owner, baseId, { ...COMMON, type: 'files', name: 'Files' })).source
    .id
  await expect(push(documentOf('a'))).rejects.toMatchObject({ code: 'CONFLICT' })
})

test.each(['Other words.', 'The same words.'])(
  'a document that is pushed as public while its base becomes internal stays restricted: %s',
  async (markdown) => {
    let whileReading = () => Promise.resolve()
    await using own = await openTestRooms({
      surroundings: {
        createParsing: (limits) => {
          const parsing = createKeptParsing(limits)
          const parse: typeof parsing.parse = async (...given) => {
            await whileReading()
            return await parsing.parse(...given)
          }
          return { ...parsing, parse }
        },
      },
    })
    const member = await own.joinWorkspace()
    const { base } = await own.knowledgeBases.create(member, undefined, { name: 'Acme docs' })
    const { source } = await own.sources.create(member, base.id, { ...COMMON, type: 'push', name: 'FAQ' })
    const { signal } = new AbortController()
    const before = documentOf('a', { markdown: 'The same words.', visibility: 'restricted' })
    await own.push.push(member, source.id, [before], signal)

    whileReading = async () => void (await own.knowledgeBases.change(member, base.id, { type: 'internal' }))
    const after = documentOf('a', { markdown, visibility: 'public' })
    const [pushed] = await own.push.push(member, source.id, [after], signal)
    const { row } = await own.documents.get(member, pushed?.id ?? '')
    expect(row.visibility).toBe('restricted')
  },
)
