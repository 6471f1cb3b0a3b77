import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failingEmbedder } from '../../../test/failing-embedder.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'
import { createIndexing, type Indexing } from '../indexing/indexing.ts'
import type { ParsedDocument } from '../parsing/parsing.ts'
import { createPageCounter } from './count-pages.ts'
import { createSearch, type SearchRequest } from './search.ts'
import { testAddresses } from '../../../test/test-addresses.ts'

const ACME = newId()
const OTHER = newId()
const GUIDE_GROUP = newId()
const API_GROUP = newId()

let storage: TestStorage
let indexing: Indexing

const page = (title: string, paragraph: string): ParsedDocument => ({
  title,
  language: 'en',
  blocks: [{ kind: 'paragraph', markdown: paragraph }],
})

/** A base with a source in each group; returns the ids of the sources by group. */
async function makeBase(knowledgeBaseId: string, groups: readonly (string | null)[]): Promise<string[]> {
  const now = new Date()
  const times = { created_at: now, updated_at: now }
  const workspaceId = newId()
  await storage.db
    .insertInto('workspaces')
    .values({ id: workspaceId, name: 'w', plan: 'enterprise', zero_data_retention: false, ...times })
    .execute()
  await storage.db
    .insertInto('knowledge_bases')
    .values({
      id: knowledgeBaseId,
      workspace_id: workspaceId,
      name: 'base',
      description: null,
      type: 'external',
      status: 'active',
      language: null,
      respect_robots_txt: true,
      settings: '{}',
      starter_questions: '{}',
      scheduled_crawling: null,
      persona: null,
      tone: null,
      standing_instructions: null,
      pii_masking: '{}',
      workspace_members_can_chat: true,
      ...times,
    })
    .execute()
  const sources = groups.map((group) => ({
    knowledge_base_id: knowledgeBaseId,
    id: newId(),
    name: 'source',
    type: 'push',
    config: '{}',
    version_label: null,
    source_group_id: group,
    visibility: 'public' as const,
    refresh: 'none' as const,
    next_refresh_at: null,
    ...times,
  }))
  await storage.db.insertInto('sources').values(sources).execute()
  return sources.map((source) => source.id)
}

async function index(
  knowledgeBaseId: string,
  sourceId: string,
  externalId: string,
  document: ParsedDocument,
  visibility: 'public' | 'restricted' | 'unsaid' = 'public',
) {
  return await indexing.indexDocument(
    {
      knowledgeBaseId,
      sourceId,
      externalId,
      url: `https://docs.example.com/${externalId}`,
      document,
      language: 'en',
      visibility: visibility === 'unsaid' ? undefined : visibility,
      sourceModifiedAt: undefined,
    },
    new AbortController().signal,
    async () => {},
  )
}

const asked = (given: Partial<SearchRequest>): SearchRequest => ({
  knowledgeBaseId: ACME,
  query: 'how are signing keys rotated',
  language: 'en',
  groupIds: undefined,
  includeRestricted: false,
  limit: 10,
  signal: new AbortController().signal,
  ...given,
})

let guideSource: string
let apiSource: string

beforeAll(async () => {
  storage = await openTestStorage()
  indexing = createIndexing({
    db: storage.db,
    engine: storage.engine,
    embedder: () => undefined,
    newId,
    now: () => new Date(),
  })
  const [guide = '', api = ''] = await makeBase(ACME, [GUIDE_GROUP, API_GROUP])
  guideSource = guide
  apiSource = api
  const [other = ''] = await makeBase(OTHER, [GUIDE_GROUP])
  await index(ACME, guide, 'keys', page('Signing keys', 'Signing keys are rotated every ninety days.'))
  await index(
    ACME,
    guide,
    'secret',
    page('Secret rotation', 'Signing keys are rotated by the night shift.'),
    'restricted',
  )
  await index(ACME, api, 'api-keys', page('Rotate a signing key', 'POST /keys/rotate rotates signing keys.'))
  await index(ACME, api, 'weather', page('Weather', 'It rains in November.'))
  await index(OTHER, other, 'keys', page('Signing keys', 'Signing keys of the other base are rotated.'))
})

afterAll(async () => {
  await storage[Symbol.asyncDispose]()
})

const titlesOf = async (request: SearchRequest) => {
  const search = createSearch({
    db: storage.db,
    embedder: () => undefined,
    addressOf: testAddresses.addressOf,
  })
  const { passages } = await search.findPages(request)
  return passages.map((passage) => passage.title)
}

describe('search scope', () => {
  test('a search finds documents of one base only, and no restricted ones', async () => {
    const found = await titlesOf(asked({}))
    expect(found.toSorted()).toEqual(['Rotate a signing key', 'Signing keys'])
  })

  test('a search counts the pages that the caller may read, in the groups or sources that it names', async () => {
    const search = createSearch({
      db: storage.db,
      embedder: () => undefined,
      addressOf: testAddresses.addressOf,
    })
    const pagesOf = async (given: Partial<SearchRequest>) => (await search.findPassages(asked(given))).pages
    expect(await pagesOf({})).toBe(3)
    expect(await pagesOf({ includeRestricted: true })).toBe(4)
    expect(await pagesOf({ groupIds: [API_GROUP] })).toBe(2)
    expect(await pagesOf({ sourceIds: [guideSource] })).toBe(1)
    expect(await pagesOf({ sourceIds: [guideSource], groupIds: [API_GROUP] })).toBe(0)
    expect(await pagesOf({ knowledgeBaseId: OTHER })).toBe(1)
  })

  test(
    'the pages of a scope are counted again after five seconds, while they are few',
    { tags: ['long'] },
    async () => {
      const base = newId()
      const [source = ''] = await makeBase(base, [null])
      await index(base, source, 'one', page('One', 'One page.'))
      const clock = { ms: 0 }
      const count = createPageCounter(storage.db, () => clock.ms)
      const scope = { knowledgeBaseId: base, groupIds: undefined, includeRestricted: false }
      const counts = [await count(scope)]
      await index(base, source, 'two', page('Two', 'Two pages.'))
      for (clock.ms of [4_999, 5_000]) counts.push(await count(scope))
      expect(counts).toEqual([1, 1, 2])

      // No more than a thousand scopes are remembered.
      await index(base, source, 'three', page('Three', 'Three pages.'))
      await Promise.all(Array.from({ length: 1_000 }, () => count({ ...scope, groupIds: [newId()] })))
      expect(await count(scope)).toBe(3)
    },
  )

  test('where the embedding model fails, words alone are searched, and it is told; under zero retention without the question', async () => {
    const told: unknown[] = []
    const failing = failingEmbedder((text) => new Error(`no vector of ${text}`))
    const search = createSearch({
      db: storage.db,
      embedder: () => failing,
      addressOf: testAddresses.addressOf,
      onEmbedderFailed: (fault) => told.push(fault),
    })
    for (const zeroRetention of [false, true]) {
      const { mode, passages } = await search.findPages(asked({ zeroRetention }))
      expect([mode, passages.length]).toEqual(['lexical', 2])
    }
    expect(told).toHaveLength(2)
    expect(String(told[0])).toContain('how are signing keys rotated')
    expect(String(told[1])).not.toContain('how are signing keys rotated')
  })

  test('a search that nobody waits for any more is not finished', async () => {
    const signal = AbortSignal.abort(new Error('The reader has left.'))
    await expect(titlesOf(asked({ signal }))).rejects.toThrow('The reader has left.')
  })

  test('a search finds restricted documents if the caller may read them', async () => {
    expect(await titlesOf(asked({ includeRestricted: true }))).toContain('Secret rotation')
  })

  test('a search with groups finds documents of those groups only', async () => {
    expect(await titlesOf(asked({ groupIds: [API_GROUP] }))).toEqual(['Rotate a signing key'])
    expect(await titlesOf(asked({ groupIds: [newId()] }))).toEqual([])
    // A question that names a version also reads the version labels of the sources.
    expect(await titlesOf(asked({ groupIds: [], query: 'signing keys in v3' }))).toEqual([])
  })

  test('a source moved to another group is found there immediately, without a new sync', async () => {
    await storage.db
      .updateTable('sources')
      .set({ source_group_id: API_GROUP })
      .where('knowledge_base_id', '=', ACME)
      .where('id', '=', guideSource)
      .execute()
    expect(await titlesOf(asked({ groupIds: [API_GROUP] }))).toContain('Signing keys')
    expect(await titlesOf(asked({ groupIds: [GUIDE_GROUP] }))).toEqual([])
  })
})

describe('visibility of a new document', () => {
  const secret = () => page('Night shift', 'The night shift guards the vault.')
  const asVault = (includeRestricted: boolean) => asked({ query: 'who guards the vault', includeRestricted })

  test('a new document without a visibility takes that of its source at that moment', async () => {
    const setSource = (visibility: 'public' | 'restricted') =>
      storage.db.updateTable('sources').set({ visibility }).where('id', '=', apiSource).execute()
    await setSource('restricted')
    await index(ACME, apiSource, 'vault', secret(), 'unsaid')
    await setSource('public')
    expect(await titlesOf(asVault(false))).not.toContain('Night shift')
    expect(await titlesOf(asVault(true))).toContain('Night shift')
  })

  test('a new document of an internal base is restricted, even if sent as public', async () => {
    const setType = (type: 'internal' | 'external') =>
      storage.db.updateTable('knowledge_bases').set({ type }).where('id', '=', ACME).execute()
    await setType('internal')
    await index(ACME, apiSource, 'vault-2', page('Day shift', 'The day shift guards the vault.'), 'public')
    await setType('external')
    expect(await titlesOf(asVault(false))).not.toContain('Day shift')
    expect(await titlesOf(asVault(true))).toContain('Day shift')
  })
})

describe('a changed document', () => {
  test('a changed document is found by its new words and no longer by its old ones', async () => {
    expect(await index(ACME, apiSource, 'moon', page('Moon', 'The moon is made of gorgonzola.'))).toBe(
      'added',
    )
    expect(await index(ACME, apiSource, 'moon', page('Moon', 'The moon is made of basalt.'))).toBe('changed')
    expect(await titlesOf(asked({ query: 'basalt' }))).toEqual(['Moon'])
    expect(await titlesOf(asked({ query: 'gorgonzola' }))).toEqual([])
    expect(await index(ACME, apiSource, 'moon', page('Moon', 'The moon is made of basalt.'))).toBe(
      'unchanged',
    )
  })

  test('a removed document is immediately gone from search', async () => {
    await index(ACME, apiSource, 'mars', page('Mars', 'Mars has two moons, Phobos and Deimos.'))
    const search = createSearch({
      db: storage.db,
      embedder: () => undefined,
      addressOf: testAddresses.addressOf,
    })
    const { passages } = await search.findPages(asked({ query: 'phobos' }))
    const documentId = passages[0]?.documentId ?? ''
    await indexing.removeDocuments(ACME, [documentId])
    expect(await titlesOf(asked({ query: 'phobos' }))).toEqual([])
  })

  test('a document is always found, in its old or new version, while it is being replaced', async () => {
    const search = createSearch({
      db: storage.db,
      embedder: () => undefined,
      addressOf: testAddresses.addressOf,
    })
    await index(ACME, apiSource, 'pluto', page('Pluto', 'Pluto was a planet, edition 0.'))
    const progress = { isDone: false }
    const replacing = (async () => {
      for (let edition = 1; edition <= 40; edition += 1) {
        await index(ACME, apiSource, 'pluto', page('Pluto', `Pluto was a planet, edition ${edition}.`))
      }
      progress.isDone = true
    })()
    const seen: number[] = []
    while (!progress.isDone) {
      const { passages } = await search.findPassages(asked({ query: 'pluto planet' }))
      seen.push(passages.filter((passage) => passage.title === 'Pluto').length)
    }
    await replacing
    expect(seen.length).toBeGreaterThan(3)
    expect(new Set(seen)).toEqual(new Set([1]))
  })

  test('replacing and removing documents leaves the index consistent', async () => {
    const found = await indexing.inspectIndex()
    expect(found.chunks).toBeGreaterThan(0)
    expect(found.documentsWithoutChunks + found.documentsWithOtherCount + found.unseenChunks).toBe(0)
  })
})
