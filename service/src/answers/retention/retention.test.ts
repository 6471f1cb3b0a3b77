import { verifies } from '@citewell/spec/verifies'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { newId, newTicketId } from '../../kernel/ids.ts'

let api: TestManagement
let base: Record<string, string>
beforeAll(async () => {
  api = await openTestManagement()
  base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
})
afterAll(() => api.close())

const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000)

/** Creates conversations of one rated message each. */
async function converse(userRef: string | null, daysAgo: number, count = 1): Promise<void> {
  const times = { created_at: at(daysAgo), updated_at: at(daysAgo) }
  const of = { knowledge_base_id: base['id'] ?? '', ...times }
  const threads = Array.from({ length: count }, () => ({
    ...of,
    id: newTicketId(),
    client_key_id: null,
    surface: 'api',
    user_ref: userRef,
  }))
  const messages = threads.map(({ id }) => ({
    ...of,
    id: newTicketId(),
    thread_id: id,
    query: 'Why?',
    answer: 'So.',
    citations: '[]',
    covered: true,
    confidence: 1,
    trace: '{}',
  }))
  const rated = { ...of, vote: 'up' as const, comment: 'Thanks', source: 'api' }
  const feedback = messages.map(({ id }) => ({ ...rated, id: newId(), message_id: id }))
  await api.db.insertInto('threads').values(threads).execute()
  await api.db.insertInto('messages').values(messages).execute()
  await api.db.insertInto('feedback').values(feedback).execute()
}

const left = async () => {
  const counts = await Promise.all(
    (['threads', 'messages', 'feedback'] as const).map(async (table) => {
      const rows = await api.db.selectFrom(table).select('id').execute()
      return rows.length
    }),
  )
  return counts.every((count) => count === counts[0]) ? counts[0] : counts
}

const setDays = (days: number | null) =>
  api.ask('PATCH', `/workspaces/${base['workspace_id']}`, { retention_days: days })
const purge = (body: unknown) => api.send('POST', `/workspaces/${base['workspace_id']}/purge`, body)
const NEVER = new AbortController().signal

verifies(
  ['retention.days', 'retention.takes-along', 'retention.keeps-by-default'],
  'conversations inactive beyond the retention period are deleted with all dependent records, in batches; without a period none is',
  async () => {
    const { retention } = api
    await converse('ada', 31, 205)
    await converse('ada', 29)

    expect(await retention.purgeOld(NEVER)).toMatchObject({ conversations: 0 })
    expect(await left()).toBe(206)

    await setDays(30)
    await expect(retention.purgeOld(AbortSignal.abort(new Error('The service stops.')))).rejects.toThrow(
      'stops',
    )
    expect(await left()).toBe(206)
    expect(await retention.purgeOld(NEVER)).toMatchObject({ conversations: 205 })
    expect(await left()).toBe(1)
    await setDays(null)
  },
)

verifies(
  ['retention.purge-reader', 'retention.purge-everything'],
  'conversations of one reader are purged by name or pseudonym; those of all readers only on explicit request',
  async () => {
    await purge({ everything: true })
    await converse('ada@example.com', 0)
    await converse(api.service.platform.pseudonymOf('ada@example.com'), 0)
    await converse('bob', 0)

    expect(await purge({})).toMatchObject({
      status: 400,
      body: { error: 'The body must have either user or everything: true.' },
    })
    expect((await purge({ user: 'bob', everything: true })).status).toBe(400)
    expect((await purge({ user: 'nobody' })).body).toMatchObject({ conversations: 0, reports: 0 })
    expect((await purge({ user: 'ada@example.com' })).body).toMatchObject({ conversations: 2, reports: 0 })
    expect(await left()).toBe(1)
    expect((await purge({ everything: true, knowledge_base_id: newId() })).status).toBe(404)
    expect((await purge({ everything: true, knowledge_base_id: base['id'] })).body).toMatchObject({
      conversations: 1,
      reports: 0,
    })
    expect(await left()).toBe(0)
  },
)

verifies('retention.purge-permission', 'purging another workspace is a 404', async () => {
  const other = await api.send('POST', `/workspaces/${newId()}/purge`, { everything: true })
  expect(other.status).toBe(404)
})

test('a purge goes on where another one took some of its batch', async () => {
  await converse('ada', 1, 205)
  // What a concurrent deletion does to this one: a row of the batch is not there to be deleted.
  await sql`create function keep_one() returns trigger language plpgsql as
    $$ begin return case when exists (select from kept where id = old.id) then null else old end; end $$`.execute(
    api.db,
  )
  await sql`create table kept as select id from threads order by updated_at limit 1`.execute(api.db)
  await sql`create trigger keep_one before delete on threads for each row execute function keep_one()`.execute(
    api.db,
  )
  try {
    expect((await purge({ everything: true })).body).toMatchObject({ conversations: 204 })
    expect(await left()).toBe(1)
  } finally {
    await sql`drop function keep_one cascade`.execute(api.db)
    await sql`drop table kept`.execute(api.db)
  }
  expect((await purge({ everything: true })).body).toMatchObject({ conversations: 1 })
})
