import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStorageOfBefore, type StorageOfBefore } from '../../../test/storage-of-before.ts'
import type { TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'

const [USER, SERVER, WORKSPACE, BASE] = [newId(), newId(), newId(), newId()]
const [FIRST, SECOND] = [newId(), newId()]

/** The data of the version before the portal: a member with a connected tool, and a base with one page of each of two sources. */
async function fill(db: StorageOfBefore): Promise<void> {
  await sql`insert into users (id, email, name, created_at, updated_at)
    values (${USER}, 'ada@example.com', 'Ada', now(), now())`.execute(db)
  await sql`insert into oauth_records (kind, id_hash, sealed_payload, grant_hash)
    values ('Grant', 'g', 'sealed', null), ('AccessToken', 't', 'sealed', 'g')`.execute(db)
  await sql`insert into connected_tools
    (account_id, grant_hash, server_id, client_name, redirect_host, resource, last_used_at)
    values ('reader:x', 'g', ${SERVER}, 'Editor', 'localhost:1', 'https://a.example/mcp/acme', '2026-01-02T03:04:05Z'),
           ('reader:y', 'h', ${SERVER}, 'Other', 'localhost:2', 'https://a.example/mcp/acme', null)`.execute(
    db,
  )
  await sql`insert into captcha_secrets values ('altcha', 'secret-of-before', now())`.execute(db)
  await sql`insert into workspaces values (${WORKSPACE}, 'Test', 'enterprise', false, now(), now())`.execute(
    db,
  )
  await sql`insert into knowledge_bases
    (id, workspace_id, name, type, status, respect_robots_txt, settings, starter_questions, pii_masking,
     workspace_members_can_chat, created_at, updated_at)
    values (${BASE}, ${WORKSPACE}, 'Test', 'external', 'active', true, '{}', '{}', '{}', false, now(), now())`.execute(
    db,
  )
  for (const table of ['chunks', 'chunk_vectors', 'page_words']) {
    const partition = sql.table(`${table}_${BASE.replaceAll('-', '')}`)
    await sql`create table ${partition} partition of ${sql.table(table)} for values in (${sql.lit(BASE)})`.execute(
      db,
    )
  }
  for (const source of [FIRST, SECOND]) {
    const page = newId()
    await sql`insert into sources
      (knowledge_base_id, id, name, type, config, visibility, refresh, created_at, updated_at)
      values (${BASE}, ${source}, ${source}, 'push', '{}', 'public', 'none', now(), now())`.execute(db)
    await sql`insert into documents
      (knowledge_base_id, id, source_id, external_id, url, title, visibility, live_version, latest_version, chunk_count,
       created_at, updated_at)
      values (${BASE}, ${page}, ${source}, ${page}, 'https://a.example/', 'pluto', 'public', 1, 1, 1, now(), now())`.execute(
      db,
    )
    await sql`insert into chunks
      (knowledge_base_id, id, document_id, version, ordinal, heading_path, text, terms, embedded_hash)
      values (${BASE}, ${newId()}, ${page}, 1, 0, '{}', 'pluto', 'pluto', 'hash')`.execute(db)
  }
  // Syncs of more than a year, each with an error that tells its place.
  await sql`insert into syncs (knowledge_base_id, id, source_id, status, counts, created_at, updated_at)
    select ${BASE}::uuid, gen_random_uuid(), source, 'partial', '{}', now() - make_interval(days => day), now()
    from generate_series(1, 400) day, unnest(array[${FIRST}, ${SECOND}]::uuid[]) source
    where source = ${FIRST} or day = 399`.execute(db)
  await sql`insert into sync_errors (knowledge_base_id, sync_id, ordinal, kind, url, reason)
    select knowledge_base_id, id, 0, 'failed', 'https://a.example/', extract(day from now() - created_at)::text from syncs`.execute(
    db,
  )
}

let storage: TestStorage

beforeAll(async () => {
  storage = await openStorageOfBefore('0018-oauth', fill)
})

afterAll(async () => {
  await storage.close()
})

const rowsOf = async (statement: string) => (await storage.execute(statement)).rows

test('an upgrade keeps sign-ins, and no connected tool can read more than before', async () => {
  const tools = await storage.db.selectFrom('connected_tools').selectAll().orderBy('client_name').execute()

  expect(tools).toMatchObject([
    {
      account_id: 'reader:x',
      client_name: 'Editor',
      server_id: SERVER,
      last_used_at: new Date('2026-01-02T03:04:05Z'),
      reads_all: false,
      knowledge_base_ids: [],
    },
    {
      account_id: 'reader:y',
      client_name: 'Other',
      last_used_at: null,
      reads_all: false,
      knowledge_base_ids: [],
    },
  ])
  expect(new Set(tools.map(({ id }) => id)).size).toBe(2)
  expect(tools[0]?.updated_at).toBeInstanceOf(Date)
  expect(await rowsOf('select kind, sealed_payload, grant_hash from oauth_records order by kind')).toEqual([
    { kind: 'AccessToken', sealed_payload: 'sealed', grant_hash: 'g' },
    { kind: 'Grant', sealed_payload: 'sealed', grant_hash: null },
  ])
})

test('after the upgrade members have no password, no external identity and no browser session yet', async () => {
  const [row] = await rowsOf(
    `select (select count(*)::int from users) as users, (select count(*)::int from user_passwords) as passwords,
      (select count(*)::int from outside_identities) as identities, (select count(*)::int from browser_sessions) as browsers`,
  )

  expect(row).toEqual({ users: 1, passwords: 0, identities: 0, browsers: 0 })
})

test('of the syncs of a source the last hundred keep their errors, also from before older ones were deleted', async () => {
  const kept = await rowsOf(
    `select s.source_id, count(*)::int as kept, max(e.reason::int) as oldest
     from sync_errors e join syncs s on s.id = e.sync_id group by 1`,
  )
  expect(new Map(kept.map(({ source_id: source, ...row }) => [source, row]))).toEqual(
    new Map([
      [FIRST, { kept: 100, oldest: 100 }],
      [SECOND, { kept: 1, oldest: 399 }],
    ]),
  )
})

test('the secret of the proof of work is no longer stored', async () => {
  expect(await rowsOf(`select to_regclass('captcha_secrets') as found`)).toEqual([{ found: null }])
})

test('a search of content indexed before the upgrade can be limited to sources', async () => {
  const pagesOf = async (ids: readonly string[] | null) => {
    const { rows } = await sql<{ source_id: string }>`select d.source_id
      from search_chunks_by_terms(${BASE}, 'pluto', false, ${ids}::uuid[], 10) found
      join chunks c on c.knowledge_base_id = ${BASE} and c.id = found.chunk_id
      join documents d on d.knowledge_base_id = ${BASE} and d.id = c.document_id order by 1`.execute(
      storage.db,
    )
    return rows.map(({ source_id: id }) => id)
  }

  expect(await pagesOf(null)).toEqual([FIRST, SECOND].toSorted())
  expect(await pagesOf([SECOND])).toEqual([SECOND])
  expect(await pagesOf([newId()])).toEqual([])
})
