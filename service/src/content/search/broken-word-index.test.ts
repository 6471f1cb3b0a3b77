import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestService } from '../../../test/start-service.ts'
import { isBrokenWordIndex } from './broken-word-index.ts'

const UNREADABLE =
  'Invalid logical page 19 (max 18), logical_offset=155192, BLCKSZ=8192, reader->num_pages=19'

test('an unreadable word index is distinguished from every other error', () => {
  const broken = [new Error(UNREADABLE), Object.assign(new Error('index is corrupt'), { code: 'XX002' })]
  const others = [
    new Error('terminating connection'),
    Object.assign(new Error('x'), { code: '57P01' }),
    undefined,
  ]
  expect(broken.map(isBrokenWordIndex)).toEqual([true, true])
  expect(others.map(isBrokenWordIndex)).toEqual([false, false, false])
})

test('when the word index cannot be read, passages are found by meaning and the index is rebuilt', async () => {
  await using citewell = await startTestService()
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Keys' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'push',
    config: {},
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      { external_id: 'a', title: 'Keys', url: 'https://example.com/a', markdown: 'API keys rotate daily.' },
    ],
  })
  const search = `/api/v1/knowledge-bases/${base.id}/search`
  const asked = { query: 'How often do API keys rotate?' }
  const find = async () => await citewell.json<{ results: { title: string }[] }>('POST', search, asked)
  const files = async () =>
    await citewell.rows(`select index.relname as name, index.relfilenode::text as file
      from pg_index join pg_class index on index.oid = pg_index.indexrelid
      join pg_class of on of.oid = pg_index.indrelid
      where of.relname in ('chunks_${base.id.replaceAll('-', '')}', 'page_words_${base.id.replaceAll('-', '')}') order by 1`)
  const before = await files()
  expect(before.length).toBeGreaterThan(2)

  // Replaces the engine's own function with one that fails as it does in the field.
  const { db } = citewell.storage
  await sql`alter function search_chunks_by_terms(uuid, text, boolean, uuid[], integer) rename to healthy`.execute(
    db,
  )
  const failWith = async (fault: string) => {
    await sql`create or replace function search_chunks_by_terms(uuid, text, boolean, uuid[], integer)
      returns table (chunk_id uuid, score double precision) language plpgsql as ${sql.lit(
        `begin raise exception '${fault}'; end`,
      )}`.execute(db)
    // The caller's plan would still call the renamed function.
    await sql`discard plans`.execute(db)
  }
  // Any other fault is one: what is found by meaning alone would look like everything.
  await failWith('cache lookup failed')
  expect((await citewell.send('POST', search, asked)).status).toBe(500)
  await failWith(UNREADABLE)
  expect((await find()).results[0]?.title).toBe('Keys')
  await expect
    .poll(async () => (await files()).filter(({ file }, place) => file === before[place]?.['file']))
    .toEqual([])

  await sql`drop function search_chunks_by_terms`.execute(db)
  await sql`alter function healthy rename to search_chunks_by_terms`.execute(db)
  await sql`discard plans`.execute(db)
  expect((await find()).results[0]?.title).toBe('Keys')
})
