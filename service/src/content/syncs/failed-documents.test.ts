import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startFakeSite, textFile } from '../../../test/fake-site.ts'
import { startStandIn } from '../../../test/connectors/stand-in-server.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { openTestManagement } from '../../../test/test-management.ts'

interface Sync {
  id: string
  status: string
  counts: Record<string, number>
  errors: { kind: string; url: string; reason: string }[]
}

/** Texts that the storage refuses, for whatever reason. */
async function refuseUnluckyTexts({ storage }: Pick<TestService, 'storage'>) {
  await sql`create function refuse_unlucky() returns trigger language plpgsql as $$
    begin
      if new.text like '%unlucky%' then raise exception 'too long' using errcode = '54000'; end if;
      return new;
    end $$`.execute(storage.db)
  await sql`create trigger refuse_unlucky before insert on chunks for each row execute function refuse_unlucky()`.execute(
    storage.db,
  )
}

/** A service reads the embedding model, and its threads their modules. */
const TIMEOUT = { timeout: 120_000 }

test(
  'a document that cannot be indexed does not fail the others, in a sync or in a push',
  TIMEOUT,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'citewell-failed-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'a.md'), '# A\n\nThe first page is well.\n')
    writeFileSync(join(folder, 'b.md'), `# B\n\n${'aB'.repeat(400_000)}\n`)
    writeFileSync(join(folder, 'c.md'), '# C\n\nThe unlucky page.\n')
    writeFileSync(join(folder, 'd.md'), '# D\n\nThe last page is well too.\n')
    await using citewell = await startTestService({ CITEWELL_LOCAL_PATHS: folder })
    await refuseUnluckyTexts(citewell)
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Failing' })
    const sources = `/api/v1/knowledge-bases/${base.id}/sources`
    const source = await citewell.json<{ id: string }>('POST', sources, {
      type: 'repository',
      name: 'folder',
      config: { url: folder },
    })
    const started = await citewell.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`)
    const sync = await citewell.until<Sync>(
      `/api/v1/syncs/${started.id}`,
      ({ status }) => status !== 'queued' && status !== 'running',
    )
    expect(sync).toMatchObject({ status: 'partial', counts: { added: 3, failed: 1 } })
    expect(sync.errors).toEqual([
      {
        kind: 'failed',
        url: expect.stringContaining('c.md'),
        reason: expect.stringContaining('cannot be stored'),
      },
    ])

    const push = await citewell.json<{ id: string }>('POST', sources, {
      type: 'push',
      name: 'push',
      config: {},
    })
    const pushed = (id: string, markdown: string) => ({
      external_id: id,
      title: id,
      url: `https://example.com/${id}`,
      markdown,
    })
    const answer = await citewell.send('PUT', `/api/v1/sources/${push.id}/documents`, {
      documents: [pushed('one', 'Well.'), pushed('two', 'Another unlucky page.')],
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'documents.1.markdown', message: expect.stringContaining('cannot be stored') }],
    })
  },
)

test(
  'an operation that could not be indexed is read again, although its description is unchanged',
  { tags: ['long'] },
  async () => {
    const operation = (summary: string) => ({ get: { summary, description: `Reads ${summary}.` } })
    const description = {
      openapi: '3.1.0',
      info: { title: 'Pets' },
      paths: { '/cats': operation('cats'), '/dogs': operation('unlucky dogs'), '/fish': operation('fish') },
    }
    await using site = await startFakeSite({
      '/openapi.json': textFile(JSON.stringify(description), 'application/json'),
    })
    await using citewell = await startTestService()
    await refuseUnluckyTexts(citewell)
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
      name: 'Operations',
    })
    const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
      type: 'openapi',
      name: 'pets',
      config: { url: `${site.origin}/openapi.json` },
    })
    const sync = async () => {
      const { id } = await citewell.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`)
      const ended = ({ status }: Sync) => status !== 'queued' && status !== 'running'
      return await citewell.until<Sync>(`/api/v1/syncs/${id}`, ended)
    }
    expect(await sync()).toMatchObject({ status: 'partial', counts: { added: 3, failed: 1 } })
    await sql`drop trigger refuse_unlucky on chunks`.execute(citewell.storage.db)
    expect(await sync()).toMatchObject({ status: 'succeeded', counts: { added: 1, unchanged: 3 } })
    site.forget()
    expect(await sync()).toMatchObject({ status: 'succeeded', counts: { unchanged: 4, fetched: 0 } })
    expect(site.bodies()).toEqual([])
  },
)

/** Archives of mailing lists with a mail each, and a source that reads them. Its syncs run when the test says so. */
async function openArchives(etags: readonly string[]) {
  const archives = await startStandIn(({ path, headers }) => {
    const name = path.slice(1)
    const etag = etags[Number(name)] ?? ''
    if (headers['if-none-match'] === etag) return { status: 304, body: '' }
    return {
      headers: { 'content-type': 'application/mbox', etag },
      body: `From ada at x.example  Mon Nov 23 03:00:00 2026\nFrom: ada@x.example\nSubject: Keys\nMessage-ID: <${name}@x.example>\n\nKeys rotate daily.\n\n`,
    }
  })
  const api = await openTestManagement()
  const base = await api.ask('POST', '/knowledge-bases', { name: 'Lists' })
  const source = await api.ask('POST', `/knowledge-bases/${base['id']}/sources`, {
    type: 'mail_archive',
    name: 'lists',
    config: { urls: etags.map((_, at) => `${archives.origin}/${at}`) },
  })
  return {
    api,
    baseId: base['id'] ?? '',
    sourceId: source['id'] ?? '',
    work: async () => {
      api.clock.time = new Date(api.clock.time.getTime() + 60_000)
      await api.syncs.jobs[0]?.handle({}, new AbortController().signal)
    },
    syncOf: async (id: string | undefined) => await api.ask<Sync>('GET', `/syncs/${id}`),
    [Symbol.asyncDispose]: async () => {
      await api.close()
      await archives[Symbol.asyncDispose]()
    },
  }
}

test(
  'a document that the storage could not take for a moment is taken when the sync goes on',
  { ...TIMEOUT, tags: ['long'] },
  async () => {
    await using world = await openArchives(['"1"'])
    const { api, work, syncOf } = world
    await sql`create function refuse_all() returns trigger language plpgsql as $$
    begin raise exception 'too busy' using errcode = '53000'; end $$`.execute(api.db)
    await sql`create trigger refuse_all before insert on chunks for each row execute function refuse_all()`.execute(
      api.db,
    )
    const { id } = await api.ask('POST', `/sources/${world.sourceId}/sync`)
    await work()
    // Neither is it the fault of the document, nor is the source read from behind it.
    expect((await syncOf(id)).status).toBe('running')
    await sql`drop trigger refuse_all on chunks`.execute(api.db)
    api.clock.time = new Date(api.clock.time.getTime() + 60_000)
    await api.syncs.recover(0)
    await work()
    expect(await syncOf(id)).toMatchObject({ status: 'succeeded', counts: { added: 1 } })
  },
)

test(
  'a source that goes on at too many places is not read at all, and says so',
  { ...TIMEOUT, tags: ['long'] },
  async () => {
    await using world = await openArchives(Array.from({ length: 9 }, () => `"${'x'.repeat(8_000)}"`))
    const { id } = await world.api.ask('POST', `/sources/${world.sourceId}/sync`)
    await world.work()
    expect(await world.syncOf(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('This source has too many parts to remember where each goes on.'),
    })
  },
)

test('a sync that begins when its base is archived reads nothing', async () => {
  await using world = await openArchives(['"1"'])
  await world.api.ask('POST', `/knowledge-bases/${world.baseId}/archive`)
  const { id } = await world.api.syncs.request(world.baseId, world.sourceId)
  await world.work()
  expect(await world.syncOf(id)).toMatchObject({
    status: 'cancelled',
    error: 'The knowledge base is archived. Restore it to sync its sources.',
    counts: { discovered: 0, added: 0 },
  })
})
