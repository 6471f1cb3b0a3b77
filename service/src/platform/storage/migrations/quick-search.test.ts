import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestStorage, type TestStorage } from '../../../../test/test-storage.ts'
import { newId } from '../../../kernel/ids.ts'

const KEY = 'space'
const GROUP = newId()

/** A base of pages about one word each: the first half in a group, the last one restricted. Ten passages per page. */
async function fill({ db }: TestStorage, words: readonly string[]): Promise<string> {
  const [workspace, base, grouped, open] = [newId(), newId(), newId(), newId()]
  await sql`insert into workspaces values (${workspace}, 'Test', 'enterprise', false, now(), now())`.execute(
    db,
  )
  await sql`insert into knowledge_bases
    (id, workspace_id, name, type, status, respect_robots_txt, settings, starter_questions, pii_masking,
     workspace_members_can_chat, created_at, updated_at)
    values (${base}, ${workspace}, 'Test', 'external', 'active', true, '{}', '{}', '{}', false, now(), now())`.execute(
    db,
  )
  await sql`insert into source_groups (knowledge_base_id, id, name, created_at, updated_at)
    values (${base}, ${GROUP}, 'Group', now(), now())`.execute(db)
  for (const [id, group] of [
    [grouped, GROUP],
    [open, null],
  ] as const) {
    await sql`insert into sources
      (knowledge_base_id, id, name, type, config, source_group_id, visibility, refresh, created_at, updated_at)
      values (${base}, ${id}, ${id}, 'push', '{}', ${group}, 'public', 'none', now(), now())`.execute(db)
  }
  for (const table of ['chunks', 'chunk_vectors', 'page_words']) {
    const partition = sql.table(`${table}_${base.replaceAll('-', '')}`)
    await sql`create table ${partition} partition of ${sql.table(table)} for values in (${sql.lit(base)})`.execute(
      db,
    )
  }
  for (const [place, word] of words.entries()) {
    const source = place < words.length / 2 ? grouped : open
    const visibility = place === words.length - 1 ? 'restricted' : 'public'
    const page = newId()
    await sql`insert into documents
      (knowledge_base_id, id, source_id, external_id, url, title, visibility, live_version, latest_version, chunk_count,
       created_at, updated_at)
      values (${base}, ${page}, ${source}, ${page}, 'https://a.example/', ${word}, ${visibility}, 1, 1, 10, now(), now())`.execute(
      db,
    )
    await sql`insert into page_words values (${base}, ${page}, 1, ${word})`.execute(db)
    await sql`insert into chunks
      (knowledge_base_id, id, document_id, version, ordinal, heading_path, text, terms, embedded_hash)
      select ${base}, gen_random_uuid(), ${page}, 1, n, '{}', ${word}, ${word} || repeat(' filler', n), 'hash'
      from generate_series(0, 9) n`.execute(db)
  }
  // Each passage has its own direction.
  await sql`insert into chunk_vectors (knowledge_base_id, chunk_id, document_id, version, embedding_key, embedding)
    select c.knowledge_base_id, c.id, c.document_id, 1, ${KEY},
      array[1, (row_number() over (order by c.terms, c.id)) / 50.0, 1]::vector from chunks c`.execute(db)
  return base
}

const titles = (found: { rows: unknown[] }) => found.rows.map((row) => (row as { title: string }).title)

test('the score from the index equals that of the operator, and rows without any of the words are omitted', async () => {
  await using storage = await openTestStorage()
  if (storage.lexical !== 'bm25') return
  const base = await fill(storage, ['pluto', 'mars', 'pluto venus', 'earth'])

  const { rows } = await sql<{ given: number; computed: number }>`
    select found.score as given, -(c.terms <@> 'pluto') as computed
    from search_chunks_by_terms(${base}, 'pluto', false, null, 100) found
    join ${sql.table(`chunks_${base.replaceAll('-', '')}`)} c on c.id = found.chunk_id`.execute(storage.db)
  const pages =
    await sql`select d.title from search_pages_by_terms(${base}, 'venus pluto', false, null, 100) found
    join documents d on d.id = found.document_id`.execute(storage.db)

  expect(rows).toHaveLength(20)
  for (const { given, computed } of rows) expect(given).toBeCloseTo(computed, 3)
  expect(titles(pages)).toEqual(['pluto venus', 'pluto'])
})

test('few and many passages are separated exactly at the limit, counting only readable ones', async () => {
  await using storage = await openTestStorage()
  const base = await fill(storage, ['a', 'b', 'c', 'd'])
  const hasFew = async (few: number, group: string | null, restricted: boolean) => {
    const found = await sql<{ is: boolean }>`
      select has_few_readable_chunks(${base}, ${restricted}, ${group === null ? null : [group]}::uuid[], ${few}) as is`.execute(
      storage.db,
    )
    return found.rows[0]?.is
  }

  expect([await hasFew(30, null, false), await hasFew(29, null, false)]).toEqual([true, false])
  expect([await hasFew(40, null, true), await hasFew(39, null, true)]).toEqual([true, false])
  expect([await hasFew(20, GROUP, false), await hasFew(19, GROUP, false)]).toEqual([true, false])
  expect(await hasFew(0, newId(), true)).toBe(true)
})

test('an exact comparison and the index find the same nearest passages', async () => {
  await using storage = await openTestStorage()
  const base = await fill(storage, ['a', 'b', 'c', 'd'])
  const nearest = async (exactUpTo: number, group: string | null) => {
    const found = await sql<{ chunk_id: string; similarity: number }>`
      select chunk_id, similarity from search_chunks_by_vector(
        ${base}, '[1,.3,1]'::vector, ${KEY}, false, ${group === null ? null : [group]}::uuid[], 7, ${exactUpTo})`.execute(
      storage.db,
    )
    return found.rows.map(({ chunk_id: id, similarity }) => [id, similarity.toFixed(5)])
  }

  expect(await nearest(1_000, null)).toHaveLength(7)
  expect(await nearest(1_000, null)).toEqual(await nearest(0, null))
  expect(await nearest(1_000, GROUP)).toEqual(await nearest(0, GROUP))
  expect(await nearest(1_000, newId())).toEqual([])
})

test('a source limits each search function as its group does: by words, by exact and indexed vectors, and when candidates are read', async () => {
  await using storage = await openTestStorage()
  const base = await fill(storage, ['pluto', 'mars', 'pluto', 'earth'])
  const { rows: sources } = await sql<{ id: string }>`
    select id from sources where knowledge_base_id = ${base} and source_group_id = ${GROUP}`.execute(
    storage.db,
  )
  const question = sql`'[1,0.1,1]'::vector`
  const found = async (only: string | null) => {
    const ids = sql`${only === null ? null : [only]}::uuid[]`
    const { rows } = await sql<{ by: string; place: string }>`
      select 'words' as by, chunk_id::text as place from search_chunks_by_terms(${base}, 'pluto', false, ${ids}, 100)
      union all select 'pages', document_id::text from search_pages_by_terms(${base}, 'pluto', false, ${ids}, 100)
      union all select 'compared', chunk_id::text
        from search_chunks_by_vector(${base}, ${question}, ${KEY}, false, ${ids}, 100, 1000)
      union all select 'walked', chunk_id::text
        from search_chunks_by_vector(${base}, ${question}, ${KEY}, false, ${ids}, 100, 0)
      union all select 'few', has_few_readable_chunks(${base}, false, ${ids}, 20)::text
      union all select 'read', id::text
        from read_candidates(${base}, '{}', '{}', ${question}, ${KEY}, false, ${ids}, 100, 0)
      union all select 'found', id::text
        from find_candidates(${base}, 'pluto', ${question}, ${KEY}, false, ${ids}, 100, 40, 30, 0)
      order by 1, 2`.execute(storage.db)
    return rows
  }

  const bySource = await found(sources[0]?.id ?? '')
  expect(bySource).toEqual(await found(GROUP))
  expect(new Set(bySource.map(({ by }) => by))).toEqual(
    new Set(['compared', 'few', 'found', 'pages', 'read', 'walked', 'words']),
  )
  expect(bySource.length).toBeLessThan((await found(null)).length)
  expect((await found(newId())).map(({ by }) => by)).toEqual(['few'])
})

test('one statement finds what the words, the vectors and the pages without a found passage give, with the places on their lists', async () => {
  await using storage = await openTestStorage()
  const base = await fill(storage, ['pluto', 'mars', 'pluto venus', 'earth'])
  const found = async (words: string, vector: string | null, pagesTaken = 30, exactUpTo = 1_000) => {
    const { rows } = await sql<{
      title: string
      ordinal: number
      word_rank: number | null
      lexical_score: number | null
      page_word_rank: number | null
      similarity: number | null
      compared_all: boolean | null
    }>`select * from find_candidates(
      ${base}, ${words}, ${vector}::vector, ${KEY}, false, null::uuid[], 3, 40, ${pagesTaken}, ${exactUpTo})`.execute(
      storage.db,
    )
    return rows
  }

  const byWords = await found('venus', null)
  expect(new Set(byWords.map((row) => row.word_rank))).toEqual(new Set([0, 1, 2]))
  expect(byWords.every((row) => row.title === 'pluto venus' && row.page_word_rank === 0)).toBe(true)
  expect(byWords.every((row) => (row.lexical_score ?? 0) > 0 && row.similarity === null)).toBe(true)
  expect(byWords.map((row) => row.compared_all)).toEqual([null, null, null])

  // Three passages of "pluto venus" are found by words; the page "pluto" is on the list of pages, and gives its first or its nearest passage.
  const pages = await found('venus pluto', null)
  expect(pages.filter((row) => row.title === 'pluto').map((row) => [row.ordinal, row.word_rank])).toEqual([
    [0, null],
  ])
  expect((await found('venus pluto', null, 0)).map((row) => row.title)).not.toContain('pluto')
  const near = await found('venus pluto', '[1,0.1,1]')
  expect(
    near.filter((row) => row.word_rank === null && row.page_word_rank === null).length,
  ).toBeLessThanOrEqual(3)
  expect(new Set(near.map((row) => row.title))).toContain('pluto')
  expect(near.every((row) => row.similarity !== null && row.compared_all === true)).toBe(true)

  // Without words only the vectors decide; the index and the comparison of all find the same.
  const compared = await found('', '[1,0.1,1]')
  const walked = await found('', '[1,0.1,1]', 30, 0)
  const idsOf = (rows: typeof near) => rows.map((row) => `${row.title} ${row.ordinal}`).toSorted()
  expect(compared).toHaveLength(3)
  expect(idsOf(walked)).toEqual(idsOf(compared))
  expect(walked.map((row) => row.compared_all)).toEqual([false, false, false])
  expect(compared.every((row) => row.word_rank === null && row.lexical_score === null)).toBe(true)
})

test('a group of few passages is searched by its documents, with the results, places and scores of a search row by row', async () => {
  await using storage = await openTestStorage()
  const base = await fill(storage, ['pluto', 'mars', 'pluto venus', 'pluto earth'])
  const rowsOf = async (ids: string | null, exactUpTo: number, vector: string | null, restricted = false) => {
    const { rows } = await sql<{ id: string; title: string; compared_all: boolean | null }>`
      select * from find_candidates(${base}, 'venus pluto', ${vector}::vector, ${KEY}, ${restricted},
        ${ids === null ? null : [ids]}::uuid[], 15, 40, 30, ${exactUpTo}) order by word_rank, id`.execute(
      storage.db,
    )
    return rows
  }
  const { rows: sources } = await sql<{ id: string; source_group_id: string | null }>`
    select id, source_group_id from sources where knowledge_base_id = ${base}`.execute(storage.db)
  const open = sources.find((source) => source.source_group_id === null)?.id ?? ''
  const without = (rows: { compared_all: boolean | null }[]) =>
    rows.map(({ compared_all: _compared, ...rest }) => rest)

  for (const vector of [null, '[1,0.1,1]'])
    for (const ids of [GROUP, open])
      for (const restricted of [false, true]) {
        const byDocuments = await rowsOf(ids, 20, vector, restricted)
        expect(without(byDocuments)).toEqual(without(await rowsOf(ids, 0, vector, restricted)))
        expect(new Set(byDocuments.map((row) => row.compared_all))).toEqual(new Set([true]))
      }
  const titlesOf = (rows: readonly { title: string }[]) => new Set(rows.map(({ title }) => title))
  expect(titlesOf(await rowsOf(GROUP, 20, null))).toEqual(new Set(['pluto']))
  expect(titlesOf(await rowsOf(open, 20, null))).toEqual(new Set(['pluto venus']))
  expect(titlesOf(await rowsOf(open, 20, null, true))).toEqual(new Set(['pluto venus', 'pluto earth']))
  // One passage more than the limit: row by row, and the caller hears of it.
  expect(new Set((await rowsOf(GROUP, 19, null)).map((row) => row.compared_all))).toEqual(new Set([false]))
  expect(await rowsOf(newId(), 20, '[1,0.1,1]', true)).toEqual([])
})

test('vectors stay in their rows in new partitions, so that comparing them reads one table', async () => {
  await using storage = await openTestStorage()
  const base = await fill(storage, ['a'])
  const { rows } = await sql`select attstorage from pg_attribute
    where attrelid = ${`chunk_vectors_${base.replaceAll('-', '')}`}::regclass and attname = 'embedding'`.execute(
    storage.db,
  )
  expect(rows).toEqual([{ attstorage: 'm' }])
})
