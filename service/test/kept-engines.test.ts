import { expect, inject, test } from 'vitest'
import { StorageUnavailable } from '../src/platform/storage/storage-unavailable.ts'
import { embeddedStorage, type Storage } from '../src/platform/storage/storage.ts'
import { borrowEngine } from './kept-engines.ts'
import { snapshotStorage } from './snapshot-storage.ts'

const start = inject('storageTemplate')

/** The number of the next transaction: a database that starts from the template begins again. */
const transactionOf = async (storage: Storage) =>
  Number((await storage.execute('select txid_current() as id')).rows[0]?.['id'])

test.skipIf(start.kind !== 'embedded')(
  'a database that was used is given on as if it were new, and only to the next one',
  async () => {
    const file = start.kind === 'embedded' ? start.file : ''
    // The one that was given back last is borrowed next.
    const open = async () => embeddedStorage(await borrowEngine(file), 'bm25')
    const first = await open()
    const asNew = await snapshotStorage(first)
    await first.execute(
      `insert into workspaces (id, name, plan, created_at, updated_at)
       values (gen_random_uuid(), 'Acme', 'free', now(), now())`,
    )
    await first.execute(
      `create table chunks_of_a_base partition of chunks for values in ('00000000-0000-7000-8000-000000000001')`,
    )
    await first.execute(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger refuse before insert on chunks for each row execute function refuse()
    `)
    await first.execute('set time zone 8; analyze workspaces')
    const before = await transactionOf(first)
    await first.close()
    await expect(first.execute('select 1')).rejects.toThrow(StorageUnavailable)

    const second = await open()
    expect(await transactionOf(second), 'it is the same engine').toBeGreaterThan(before)
    expect(await snapshotStorage(second)).toEqual(asNew)
    const settings = await second.execute(
      `select current_setting('TimeZone') as zone, (select reltuples from pg_class where oid = 'workspaces'::regclass) as rows,
       (select count(*)::int from pg_statistic where starelid = 'workspaces'::regclass) as statistics`,
    )
    const triggers = await second.execute(`select tgname from pg_trigger where tgname = 'refuse'`)
    expect(triggers.rows).toEqual([])
    expect(settings.rows).toEqual([{ zone: 'GMT', rows: -1, statistics: 0 }])
    await second.execute('alter table workspaces add column colour text')
    await second.close()

    // Changed as no running service changes it: it is not given on.
    const third = await open()
    await expect(third.execute('select colour from workspaces')).rejects.toThrow('does not exist')
    await third.close()
  },
)
