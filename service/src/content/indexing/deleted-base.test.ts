import { verifies } from '@citewell/spec/verifies'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeSource } from '../../../test/make-records.ts'
import { openTestRooms } from '../../../test/test-rooms.ts'
import { ensurePartitions } from './index-partitions-store.ts'
import { INDEX_TABLES } from './indexing-tables.ts'

verifies(
  'knowledge-bases.delete-while-indexing',
  'a base deleted at any moment while it is being indexed leaves no row and no empty table',
  async () => {
    await using rooms = await openTestRooms()
    const owner = await rooms.joinWorkspace()
    const signal = new AbortController().signal
    const text = Array.from(
      { length: 110 },
      (_, index) => `## Part ${index}\n\nKey ${index} rotates daily.`,
    ).join('\n\n')
    // Each base is deleted a little later: before the first document, between its statements, after it.
    for (let life = 0; life < 3; life += 1) {
      const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
      const { source } = await rooms.sources.create(owner, base.id, {
        type: 'push',
        name: 'FAQ',
        config: {},
        version_label: null,
        source_group_id: null,
        visibility: 'public',
        refresh: 'none',
      })
      const pushes = Array.from({ length: 4 }, (_, index) =>
        rooms.push.push(
          owner,
          source.id,
          [{ external_id: `d${index}`, title: 'Keys', url: 'https://example.com/keys', markdown: text }],
          signal,
        ),
      )
      const ended = Promise.allSettled(pushes)
      for (let turn = 0; turn < life * 12; turn += 1) await sql`select 1`.execute(rooms.db)
      await rooms.knowledgeBases.remove(owner, base.id, 'Acme docs')
      for (const push of await ended) {
        if (push.status === 'rejected') expect(['NOT_FOUND', 'CONFLICT']).toContain(push.reason.code)
      }

      // A sync that was running ends, and a page that it had read is indexed.
      await rooms.indexing.refreshStatistics(base.id, 0)
      const page = { title: 'Keys', language: 'en', blocks: [] }
      const of = {
        knowledgeBaseId: base.id,
        sourceId: source.id,
        externalId: 'late',
        url: 'https://example.com/late',
      }
      const said = { document: page, language: 'en', visibility: undefined, sourceModifiedAt: undefined }
      expect(await rooms.indexing.indexDocument({ ...of, ...said }, signal, async () => {})).toBe('gone')

      const hex = base.id.replaceAll('-', '')
      const tables = await sql`select relname from pg_class where relname like ${`%${hex}%`}`.execute(
        rooms.db,
      )
      expect(tables.rows).toEqual([])
      for (const table of [...INDEX_TABLES, 'documents', 'sources'] as const) {
        const rows = rooms.db
          .selectFrom(table)
          .select('knowledge_base_id')
          .where('knowledge_base_id', '=', base.id)
        expect(await rows.execute()).toEqual([])
      }
    }
  },
)

test('a page of a deleted source is gone, also while its base has another source', async () => {
  await using rooms = await openTestRooms()
  const owner = await rooms.joinWorkspace()
  const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  const make = async (name: string) =>
    await rooms.sources.create(owner, base.id, {
      type: 'push',
      name,
      config: {},
      version_label: null,
      source_group_id: null,
      visibility: 'public',
      refresh: 'none',
    })
  const { source: deleted } = await make('FAQ')
  await make('Handbook')
  await rooms.sources.remove(owner, deleted.id)
  const page = {
    knowledgeBaseId: base.id,
    sourceId: deleted.id,
    externalId: 'late',
    url: 'https://example.com/late',
    document: { title: 'Keys', language: 'en', blocks: [] },
    language: 'en',
    visibility: undefined,
    sourceModifiedAt: undefined,
  }
  const never = new AbortController().signal
  expect(await rooms.indexing.indexDocument(page, never, async () => {})).toBe('gone')
})

test.skipIf(process.env['DATABASE_URL'] !== undefined)(
  'the embedded engine counts the rows of a base when it is told to, and says what it cannot count',
  async () => {
    await using rooms = await openTestRooms()
    const owner = await rooms.joinWorkspace()
    const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
    const table = `page_words_${base.id.replaceAll('-', '')}`
    const counted = async () =>
      (await sql`select reltuples from pg_class where relname = ${table}`.execute(rooms.db)).rows
    await ensurePartitions(rooms.db, base.id)
    expect(await counted()).toEqual([{ reltuples: -1 }])
    await rooms.indexing.refreshStatistics(base.id, 0)
    expect(await counted()).toEqual([{ reltuples: 0 }])

    const page = {
      knowledgeBaseId: base.id,
      sourceId: await makeSource(rooms.db, base.id),
      externalId: 'keys',
      url: 'https://example.com/keys',
      document: {
        title: 'Keys',
        language: 'en',
        blocks: [{ kind: 'paragraph' as const, markdown: 'Keys rotate daily.' }],
      },
      language: 'en',
      visibility: undefined,
      sourceModifiedAt: undefined,
    }
    const never = new AbortController().signal
    expect(await rooms.indexing.indexDocument(page, never, async () => {})).toBe('added')
    await rooms.indexing.refreshStatistics(base.id, 0)
    expect(await counted()).toEqual([{ reltuples: 1 }])

    await sql`drop table ${sql.table(table)}`.execute(rooms.db)
    // Nothing was written since.
    await rooms.indexing.refreshStatistics(base.id, 0)
    await expect(rooms.indexing.refreshStatistics(base.id, 0.1)).rejects.toThrow('does not exist')
  },
)

test('the hourly job drops the index of a base whose deletion was interrupted, and no other index', async () => {
  await using rooms = await openTestRooms()
  const owner = await rooms.joinWorkspace()
  const names = ['Kept docs', 'Lost docs']
  const [kept, lost] = await Promise.all(
    names.map(async (name) => (await rooms.knowledgeBases.create(owner, undefined, { name })).base.id),
  )
  for (const base of [kept, lost]) await ensurePartitions(rooms.db, base ?? '')
  await rooms.db
    .deleteFrom('knowledge_bases')
    .where('id', '=', lost ?? '')
    .execute()
  const [job] = rooms.indexing.jobs
  await job?.handle({}, new AbortController().signal)

  const { rows } = await sql<{
    relname: string
  }>`select relname from pg_class where relkind = 'r' and relname like 'chunks_%'`.execute(rooms.db)
  const tables = rows.map(({ relname }) => relname)
  expect(tables).not.toContain(`chunks_${lost?.replaceAll('-', '')}`)
  expect(tables).toContain(`chunks_${kept?.replaceAll('-', '')}`)
})
