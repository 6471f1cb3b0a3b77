import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { newId } from '../../kernel/ids.ts'

interface DocumentPage {
  data: { id: string; title: string; visibility: string }[]
  next_cursor: string | null
}

let api: TestManagement
let baseId: string

beforeAll(async () => {
  api = await openTestManagement()
})
beforeEach(async () => {
  baseId = (await api.ask<{ id: string }>('POST', '/knowledge-bases', { name: 'Acme docs' })).id
  await push('v1', ['Rotating keys', 'alarms', 'Budgets 100%'])
  await push('v2', ['Rotating keys', 'Größe', '"Quoted" under_score'])
})
afterAll(() => api.close())

async function push(label: string, titles: readonly string[]): Promise<void> {
  const source = { type: 'push', name: label, config: {}, version_label: label }
  const { id } = await api.ask<{ id: string }>('POST', `/knowledge-bases/${baseId}/sources`, source)
  await api.ask('PUT', `/sources/${id}/documents`, {
    documents: titles.map((title, at) => ({
      external_id: `${label}-${at}`,
      title,
      url: `https://example.com/${label}/${at}`,
      markdown: `${'Words and words. '.repeat(at * 200)}About ${title}.`,
    })),
  })
}

const list = async (query = '') =>
  await api.ask<DocumentPage>('GET', `/knowledge-bases/${baseId}/documents${query}`)
const titlesOf = async (query: string) => (await list(query)).data.map(({ title }) => title)
const counts = async (query = '') =>
  await api.ask('GET', `/knowledge-bases/${baseId}/document-counts${query}`)

/** Reads the list in pages of one. */
async function titlesInPages(sort: string): Promise<string[]> {
  const titles: string[] = []
  let cursor: string | null = ''
  do {
    const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: DocumentPage = await list(`?limit=1&sort=${sort}${at}`)
    titles.push(...page.data.map(({ title }) => title))
    cursor = page.next_cursor
  } while (cursor !== null)
  return titles
}

verifies(
  'documents.list-filters',
  'documents are found by a part of their title or address, and by the version label of their source, and counted',
  async () => {
    expect(await titlesOf('?q=KEYS')).toEqual(['Rotating keys', 'Rotating keys'])
    expect(await titlesOf('?q=%20KEYS%20&label=v2')).toEqual(['Rotating keys'])
    expect(await titlesOf('?q=gr%C3%B6sse')).toEqual([])
    expect(await titlesOf('?q=GR%C3%96%C3%9FE')).toEqual(['Größe'])
    expect(await titlesOf('?q=example.com/v1/2')).toEqual(['Budgets 100%'])
    // Nothing in it is a wildcard.
    expect(await titlesOf('?q=%25')).toEqual(['Budgets 100%'])
    expect(await titlesOf('?q=r_s')).toEqual(['"Quoted" under_score'])
    expect(await counts('?q=keys')).toEqual({ total: 2, public: 2, restricted: 0 })
    expect(await counts('?label=v1&visibility=restricted')).toEqual({ total: 0, public: 0, restricted: 0 })
    expect(await counts()).toEqual({ total: 6, public: 6, restricted: 0 })
    expect((await api.send('GET', `/knowledge-bases/${baseId}/documents?q=${'x'.repeat(201)}`)).status).toBe(
      400,
    )
  },
)

verifies(
  'documents.list-order',
  'documents are listed in an order, each once, also in pages, and a cursor of another order is refused',
  async () => {
    const byTitle = [
      '"Quoted" under_score',
      'alarms',
      'Budgets 100%',
      'Größe',
      'Rotating keys',
      'Rotating keys',
    ]
    expect(await titlesOf('?sort=title')).toEqual(byTitle)
    expect(await titlesInPages('title')).toEqual(byTitle)
    expect(await titlesInPages('-title')).toEqual(byTitle.toReversed())
    expect(await titlesInPages('-chunk_count')).toEqual(await titlesOf('?sort=-chunk_count'))
    expect((await titlesOf('?sort=-chunk_count')).slice(0, 2).toSorted()).toEqual([
      '"Quoted" under_score',
      'Budgets 100%',
    ])
    expect((await titlesInPages('indexed_at')).slice(0, 3).toSorted()).toEqual([
      'Budgets 100%',
      'Rotating keys',
      'alarms',
    ])
    const { next_cursor: cursor } = await list('?limit=1&sort=title')
    for (const query of [
      `sort=-title&cursor=${cursor}`,
      `cursor=${cursor}`,
      'sort=title&cursor=W10',
      `sort=title&cursor=${Buffer.from(JSON.stringify(['title', 'a\0', baseId])).toString('base64url')}`,
      'sort=url',
    ])
      expect((await api.send('GET', `/knowledge-bases/${baseId}/documents?${query}`)).status).toBe(400)
  },
)

test('an address with an escaped character that no address can have names no document', async () => {
  for (const url of ['https://docs.example.com/%00', '%00', 'https://docs.example.com/%ED%A0%80'])
    expect(await list(`?url=${encodeURIComponent(url)}`)).toMatchObject({ data: [] })
})

test('a cursor of the longest title that there can be is a cursor', { tags: ['long'] }, async () => {
  const title = '"\u{1F511}ß'.repeat(150)
  await push('v3', [title, title])
  const { next_cursor: cursor } = await list('?limit=1&sort=-title')
  expect(cursor?.length).toBeLessThan(500)
  expect((await titlesInPages('-title')).length).toBe(8)
})

verifies(
  'documents.change-many',
  'several documents are made restricted at once, and those of another base are skipped',
  async () => {
    const { data } = await list('?q=keys')
    const ids = data.map(({ id }) => id)
    const other = await api.ask<{ id: string }>('POST', '/knowledge-bases', { name: 'Other docs' })
    const change = async (base: string, visibility: string, named = ids) =>
      await api.send('PATCH', `/knowledge-bases/${base}/documents`, { ids: named, visibility })
    expect(await change(other.id, 'restricted')).toMatchObject({ status: 200, body: { changed: 0 } })
    expect(await counts()).toEqual({ total: 6, public: 6, restricted: 0 })

    const [first = ''] = ids
    await api.ask('PATCH', `/documents/${first}`, { visibility: 'restricted' })
    expect(await change(baseId, 'restricted')).toMatchObject({ status: 200, body: { changed: 1 } })
    expect(await counts()).toEqual({ total: 6, public: 4, restricted: 2 })
    const unknown = Array.from({ length: 200 - ids.length }, () => newId())
    expect(await change(baseId, 'public', [...unknown, ...ids])).toMatchObject({
      status: 200,
      body: { changed: 2 },
    })
    expect(await counts()).toEqual({ total: 6, public: 6, restricted: 0 })
    expect((await change(baseId, 'restricted', [...unknown, ...ids, newId()])).status).toBe(400)
    expect((await change(baseId, 'restricted', [...ids, 'no id'])).status).toBe(400)
    expect(await counts()).toEqual({ total: 6, public: 6, restricted: 0 })

    await api.ask('PATCH', `/knowledge-bases/${baseId}`, { type: 'internal' })
    expect(await change(baseId, 'public')).toMatchObject({
      status: 403,
      body: { code: 'KNOWLEDGE_BASE_INTERNAL' },
    })
    expect((await change(baseId, 'restricted', [])).status).toBe(400)
    await api.ask('POST', `/knowledge-bases/${baseId}/archive`)
    expect(await change(baseId, 'restricted')).toMatchObject({
      status: 403,
      body: { code: 'KNOWLEDGE_BASE_ARCHIVED' },
    })
  },
  { tags: ['long'] },
)

verifies(
  'documents.change-many',
  'if one of several documents cannot be changed, none is',
  async () => {
    const { data } = await list()
    const ids = data.map(({ id }) => id)
    const stored = async () =>
      await api.db
        .selectFrom('documents')
        .select(['id', 'visibility', 'is_visibility_own'])
        .where('knowledge_base_id', '=', baseId)
        .orderBy('id')
        .execute()
    const before = await stored()
    await api.storage.execute(`create function refuse_change() returns trigger language plpgsql
      as $$ begin raise exception 'This document cannot be changed.'; end $$`)
    await api.storage.execute(`create trigger refuse_change before update of visibility on documents
      for each row when (old.id = '${ids.at(-1)}') execute function refuse_change()`)
    try {
      const change = { ids, visibility: 'restricted' }
      expect((await api.send('PATCH', `/knowledge-bases/${baseId}/documents`, change)).status).toBe(500)
      expect(await stored()).toEqual(before)
    } finally {
      await api.storage.execute('drop trigger refuse_change on documents')
      await api.storage.execute('drop function refuse_change')
    }
  },
  { tags: ['long'] },
)
