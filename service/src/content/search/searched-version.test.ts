import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBase, makeGroup, makeSource } from '../../../test/make-records.ts'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'

let rooms: TestRooms
let base: string
let oldGroup: string

/** A page of one version of the documentation: the pages of two versions differ in little else. */
async function index(knowledgeBaseId: string, version: string | null, groupId: string | null) {
  const sourceId = await makeSource(rooms.db, knowledgeBaseId, {
    version_label: version,
    source_group_id: groupId,
  })
  await rooms.indexing.indexDocument(
    {
      knowledgeBaseId,
      sourceId,
      externalId: 'target',
      url: `https://docs.example.com/${version}/target`,
      document: {
        title: `Target in ${version}`,
        language: 'en',
        blocks: [{ kind: 'paragraph', markdown: 'The build target is chosen with build.target.' }],
      },
      language: 'en',
      visibility: 'public',
      sourceModifiedAt: undefined,
    },
    new AbortController().signal,
    async () => {},
  )
}

const versionsFor = async (query: string, groupIds?: string[], knowledgeBaseId = base) => {
  const { passages } = await rooms.search.findPages({
    knowledgeBaseId,
    query,
    language: 'en',
    groupIds,
    includeRestricted: false,
    limit: 10,
    signal: new AbortController().signal,
  })
  return passages.map(({ versionLabel }) => String(versionLabel)).toSorted()
}

beforeAll(async () => {
  rooms = await openTestRooms()
  base = (await makeBase(rooms.db)).id
  oldGroup = await makeGroup(rooms.db, base)
  await index(base, 'v2', oldGroup)
  await index(base, 'v3', null)
  await index(base, 'main', null)
  await makeSource(rooms.db, base, { version_label: 'v5' })
  const other = (await makeBase(rooms.db)).id
  await index(other, 'v8', null)
})
afterAll(() => rooms.close())

test('a question that names a version is answered from the pages of this version', async () => {
  expect(await versionsFor('What is the build target in v3?')).toEqual(['v3'])
  expect(await versionsFor('What is the build target in Vite 2 and Vite 3?')).toEqual(['v2', 'v3'])
})

test('a question that names no version, or one without pages, is answered from all of them', async () => {
  expect(await versionsFor('What is the build target?')).toEqual(['main', 'v2', 'v3'])
  for (const without of ['v1', 'v5'])
    expect(await versionsFor(`What is the build target in ${without}?`)).toEqual(['main', 'v2', 'v3'])
})

test('a version above all is the newest one, also if another knowledge base has it', async () => {
  expect(await versionsFor('What is the build target in v8?')).toEqual(['main'])
})

test('a version outside of the scope is not looked for', async () => {
  expect(await versionsFor('What is the build target in v3?', [oldGroup])).toEqual(['v2'])
})

test('a version above all of the scope is its newest one, also if another part of the base has it', async () => {
  const { id } = await makeBase(rooms.db)
  const group = await makeGroup(rooms.db, id)
  await index(id, 'v2', group)
  await index(id, 'main', group)
  await index(id, 'v3', null)
  expect(await versionsFor('What is the build target in v3?', [group], id)).toEqual(['main'])
})
