import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStorageOfBefore, type StorageOfBefore } from '../../../test/storage-of-before.ts'
import type { TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'
import { createSealer } from '../../platform/secrets/sealed.ts'
import { openCredentials } from './source-credentials.ts'
import { sealStoredCredentials } from './seal-stored-credentials.ts'

const CANARY = 'CANARYtoken0123456789'
const [WORKSPACE, BASE] = [newId(), newId()]
const SOURCES: [string, string, object, object][] = [
  [
    newId(),
    'repository',
    { url: `https://deploy:${CANARY}@git.example.com/x.git`, ref: 'main' },
    { url: 'https://git.example.com/x.git', ref: 'main' },
  ],
  [
    newId(),
    'openapi',
    { url: `https://a.example/openapi.json?token=${CANARY}-2` },
    { url: 'https://a.example/openapi.json' },
  ],
  [
    newId(),
    'website',
    { start_urls: [`https://me:${CANARY}@a.example/`, 'https://a.example/@me'] },
    { start_urls: ['https://a.example/', 'https://a.example/@me'] },
  ],
  [
    newId(),
    'repository',
    { url: `ssh://git:${CANARY}@git.example.com/x` },
    { url: 'ssh://git@git.example.com/x' },
  ],
  [newId(), 'repository', { url: 'git@git.example.com:x.git' }, { url: 'git@git.example.com:x.git' }],
]

/** Data as an earlier version stored it: addresses with tokens in them, and records that repeat those addresses. */
async function fill(db: StorageOfBefore): Promise<void> {
  await sql`insert into workspaces values (${WORKSPACE}, 'Test', 'enterprise', false, now(), now())`.execute(
    db,
  )
  await sql`insert into knowledge_bases
    (id, workspace_id, name, type, status, respect_robots_txt, settings, starter_questions, pii_masking,
     workspace_members_can_chat, created_at, updated_at)
    values (${BASE}, ${WORKSPACE}, 'Test', 'external', 'active', true, '{}', '{}', '{}', false, now(), now())`.execute(
    db,
  )
  for (const [id, type, config] of SOURCES) {
    await sql`insert into sources (knowledge_base_id, id, name, type, config, visibility, refresh, created_at, updated_at)
      values (${BASE}, ${id}, ${id}, ${type}, ${JSON.stringify(config)}, 'public', 'none', now(), now())`.execute(
      db,
    )
    const [sync, page] = [newId(), newId()]
    const url = 'url' in config ? String(config.url) : `https://me:${CANARY}@a.example/`
    await sql`insert into syncs (knowledge_base_id, id, source_id, status, counts, error, created_at, updated_at)
      values (${BASE}, ${sync}, ${id}, 'failed', '{}', ${`${url} could not be read: 404.`}, now(), now())`.execute(
      db,
    )
    await sql`insert into sync_errors (knowledge_base_id, sync_id, ordinal, kind, url, reason)
      values (${BASE}, ${sync}, 0, 'failed', ${url}, ${`${url} is gone`})`.execute(db)
    await sql`insert into source_pages (knowledge_base_id, source_id, url, state, updated_at)
      values (${BASE}, ${id}, ${url}, '{}', now())`.execute(db)
    await sql`insert into documents
      (knowledge_base_id, id, source_id, external_id, url, title, visibility, live_version, latest_version, chunk_count,
       created_at, updated_at)
      values (${BASE}, ${page}, ${id}, ${page}, ${`${url}#listPets`}, 'Pets', 'public', 1, 1, 1, now(), now())`.execute(
      db,
    )
  }
}

const sealer = createSealer(['a master key of tests, long enough to be one'])
let storage: TestStorage
beforeAll(async () => {
  storage = await openStorageOfBefore('0022-narrow-to-sources', fill)
}, 120_000)
afterAll(() => storage.close())

const rowsOf = async (table: string) =>
  (await storage.execute(`select to_jsonb(t) as row from ${table} t`)).rows.map(
    ({ row }) => row as Record<string, unknown>,
  )

test('credentials that an earlier version stored in plain text are sealed, and redacted from stored records', async () => {
  expect(await sealStoredCredentials(storage.db, sealer, () => new Date())).toBe(4)
  const stored = new Map((await rowsOf('sources')).map((row) => [row['id'], row]))
  for (const [id, , , config] of SOURCES) expect(stored.get(id)?.['config']).toEqual(config)
  const opened = SOURCES.map(([id]) =>
    openCredentials(sealer, id, (stored.get(id)?.['sealed_credentials'] ?? null) as string | null),
  )
  expect(opened).toEqual([
    { user: 'deploy', password: CANARY },
    { query: { token: `${CANARY}-2` } },
    undefined,
    undefined,
    undefined,
  ])
  for (const table of ['sources', 'syncs', 'sync_errors', 'source_pages', 'documents']) {
    expect(JSON.stringify([table, await rowsOf(table)])).not.toContain(CANARY)
  }
  const urls = (await rowsOf('documents')).map(({ url }) => url)
  // One secret contains the other: which is redacted first depends on the ids.
  expect(urls.map(String).some((url) => url.startsWith('https://a.example/openapi.json'))).toBe(true)
})

test('sealing a second time changes nothing', async () => {
  const before = await rowsOf('sources')
  expect(await sealStoredCredentials(storage.db, sealer, () => new Date())).toBe(0)
  expect(await rowsOf('sources')).toEqual(before)
})
