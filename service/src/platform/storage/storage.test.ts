import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { embeddedTemplate } from '../../../test/test-storage.ts'
import { startPglite } from './embedded/pglite-client.ts'
import { openEmbeddedStorage } from './storage.ts'

test('embedded storage keeps committed data, rolls back the rest, and can be reopened', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'citewell-storage-'))
  const workspace = (id: string) => ({
    id,
    name: 'Acme',
    plan: 'free' as const,
    zero_data_retention: false,
    created_at: new Date(),
    updated_at: new Date(),
  })
  // The tests of the first steps make a database from nothing, which takes seconds.
  const made = startPglite({ directory, template: embeddedTemplate(), isDurable: true })
  await made.opened()
  await made.close()
  const first = await openEmbeddedStorage({ directory, isDurable: true })
  expect(first.lexical).toBe('bm25')
  const fsync = await sql<{ fsync: string }>`show fsync`.execute(first.db)
  expect(fsync.rows[0]?.fsync).toBe('on')
  await first.db.insertInto('workspaces').values(workspace('00000000-0000-7000-8000-000000000001')).execute()
  await expect(
    first.db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('workspaces')
        .values(workspace('00000000-0000-7000-8000-000000000002'))
        .execute()
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  await first.close()

  const second = await openEmbeddedStorage({ directory, isDurable: true })
  const kept = await second.db.selectFrom('workspaces').select(['id', 'created_at']).execute()
  expect(kept.map((row) => row.id)).toEqual(['00000000-0000-7000-8000-000000000001'])
  expect(kept[0]?.created_at).toBeInstanceOf(Date)
  await second.close()
  rmSync(directory, { recursive: true })
}, 120_000)
