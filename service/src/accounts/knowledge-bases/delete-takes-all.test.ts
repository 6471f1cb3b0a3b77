import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { createAuthorizationWorld } from '../../../test/authorization-world.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { openTestStorage } from '../../../test/test-storage.ts'

/** Kept on purpose: who did what in a workspace, and what it has used. */
const KEPT = ['activity_log', 'question_usage']

/** The index has partitions of each base, which are dropped. */
const DROPPED = ['chunk_vectors', 'chunks', 'page_words']

const TABLES = `select relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and attname = 'knowledge_base_id' and not attisdropped`

/** How many rows of a base each table has that belongs to bases, without empty ones. */
async function rowsOf({ rows }: TestService, baseId: string): Promise<Record<string, number>> {
  const tables = await rows(`${TABLES} order by name`)
  const counts = tables.map(
    ({ name }) =>
      `select '${String(name)}' as name, count(*)::integer as count from "${String(name)}" where knowledge_base_id = '${baseId}'`,
  )
  counts.push(`select 'knowledge_bases', count(*)::integer from knowledge_bases where id = '${baseId}'`)
  const counted = await rows(counts.join(' union all '))
  return Object.fromEntries(
    counted.flatMap(({ name, count }) => (count === 0 ? [] : [[String(name), Number(count)]])),
  )
}

const partitionsOf = async ({ rows }: TestService, baseId: string) =>
  (await rows(`select relname from pg_class where relname like '%${baseId.replaceAll('-', '')}%'`)).length

verifies(
  'knowledge-bases.delete-takes-all',
  'the deletion of an archived base leaves no row of it in any table, except in the log and the usage of its workspace',
  async () => {
    await using citewell = await startTestService()
    const world = createAuthorizationWorld(citewell)
    const { owner, records } = await world.addRealm(await world.addWorkspace())
    const base = records['knowledge-bases'] ?? ''
    const { token } = owner
    const rated = await world.send('PUT', `/api/v1/messages/${records['messages of the owner']}/rating`, {
      token,
      body: { vote: 'up' },
    })
    expect(rated.status).toBe(200)
    await expect
      .poll(() => citewell.rows("select id from simulations where status in ('queued', 'running')"))
      .toEqual([])

    const before = await rowsOf(citewell, base)
    expect(Object.keys(before)).toEqual(expect.arrayContaining([...KEPT, 'chunks', 'messages', 'feedback']))
    expect(Object.keys(before).length).toBeGreaterThan(30)
    expect(await partitionsOf(citewell, base)).toBeGreaterThan(0)

    const path = `/api/v1/knowledge-bases/${base}`
    expect((await world.send('POST', `${path}/archive`, { token })).status).toBe(200)
    const deleted = await world.send('DELETE', path, { token, body: { confirm: 'Realm docs' } })

    expect([deleted.status, deleted.body]).toMatchObject([200, { deleted: true, id: base }])
    expect(Object.keys(await rowsOf(citewell, base))).toEqual(KEPT)
    expect(await partitionsOf(citewell, base)).toBe(0)
    expect((await world.send('GET', path, { token })).status).toBe(404)
  },
)

verifies(
  'knowledge-bases.delete-takes-all',
  'each table of bases, also one that is empty in the tests, is emptied by the foreign key to what it belongs to',
  async () => {
    await using storage = await openTestStorage()
    const { rows } = await storage.execute(`${TABLES} and not exists (
      select from pg_constraint where conrelid = c.oid and contype = 'f' and confdeltype = 'c'
        and a.attnum = any(conkey)) order by name`)
    expect(rows.map(({ name }) => name)).toEqual([...KEPT, ...DROPPED].toSorted())
  },
)
