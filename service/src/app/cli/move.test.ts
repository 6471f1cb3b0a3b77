import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthorizationWorld, type Realm } from '../../../test/authorization-world.ts'
import { freePort } from '../../../test/free-port.ts'
import { runCommand } from '../../../test/run-command.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { databaseUrlOf, onServer } from '../../../test/test-server.ts'
import { lockDirectory } from '../../platform/storage/embedded/directory-lock.ts'
import { openEmbeddedStorage, openPostgresStorage } from '../../platform/storage/storage.ts'

const serverUrl = process.env['DATABASE_URL']
const folder = mkdtempSync(join(tmpdir(), 'citewell-move-'))
afterAll(() => rmSync(folder, { recursive: true }))

const move = (databaseUrl: string | undefined, words: string[] = [], data = folder) =>
  runCommand(['move', ...words], {
    CITEWELL_DATA_DIR: data,
    CITEWELL_LOG_LEVEL: 'silent',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  })

test('says what is missing: the database to move to, or that to move from', async () => {
  const { exitCode, stderr } = await move(undefined)
  expect(stderr).toContain('Set DATABASE_URL to the empty PostgreSQL database to move to.')
  expect(exitCode).toBe(5)
  const nowhere = await move(`postgres://127.0.0.1:${await freePort()}/none`)
  expect(nowhere.stderr).toContain(`There is no embedded database in ${folder}.`)
})

describe.skipIf(serverUrl === undefined)('an embedded database is moved to a server', () => {
  const databases: string[] = []
  async function createDatabase(): Promise<string> {
    const database = `citewell_move_${process.pid}_${randomBytes(6).toString('hex')}`
    await onServer(serverUrl ?? '', `create database ${database}`)
    databases.push(database)
    return databaseUrlOf(serverUrl ?? '', database)
  }
  const startOn = (storage: Awaited<ReturnType<typeof openPostgresStorage>>): Promise<TestService> =>
    startTestService(
      { CITEWELL_DATA_DIR: folder, CITEWELL_PUBLIC_URL: 'https://citewell.example.com' },
      { storage },
    )
  const openEmbedded = () => openEmbeddedStorage({ directory: join(folder, 'database'), isDurable: false })

  let realm: Realm
  let index: string
  let before: Record<string, unknown>

  /** What the owner of the realm, a reader and the operator see. */
  async function look(citewell: TestService): Promise<Record<string, unknown>> {
    const world = createAuthorizationWorld(citewell)
    const base = realm.records['knowledge-bases']
    const see = async (path: string) => {
      const { status, body } = await world.send('GET', path, { token: realm.owner.token })
      expect({ path, status }).toEqual({ path, status: 200 })
      return body
    }
    const found = await world.send('POST', `/api/v1/public/knowledge-bases/${base}/search`, {
      headers: { 'x-client-key': realm.key },
      body: { query: 'faq' },
    })
    return {
      found: found.status,
      results: (found.body['results'] as { url: string }[] | undefined)?.map(({ url }) => url),
      base: await see(`/api/v1/knowledge-bases/${base}`),
      documents: await see(`/api/v1/knowledge-bases/${base}/documents`),
      sources: await see(`/api/v1/knowledge-bases/${base}/sources`),
      conversations: await see(`/api/v1/knowledge-bases/${base}/conversations`),
      triggers: await see(`/api/v1/knowledge-bases/${base}/webhook-triggers`),
      members: await see(`/api/v1/workspaces/${realm.workspaceId}/members`),
      activity: await see(`/api/v1/workspaces/${realm.workspaceId}/activity?limit=200`),
      storage: await citewell.rows(
        'select workspace_id, bytes::text from workspace_storage order by workspace_id',
      ),
    }
  }

  const deliver = (citewell: TestService, delivery: string) =>
    citewell.storage.execute(
      `insert into platform_events (knowledge_base_id, integration_id, delivery_id, lane, status, attempts, received_at, updated_at)
       select knowledge_base_id, id, '${delivery}', 'lane', 'done', 0, now(), now() from integrations limit 1`,
    )

  beforeAll(async () => {
    await using citewell = await startOn(await openEmbedded())
    const world = createAuthorizationWorld(citewell)
    realm = await world.addRealm(await world.addWorkspace())
    // As a base with many passages has one of its own.
    const hex = realm.records['knowledge-bases']?.replaceAll('-', '')
    index = `hnsw_${hex}_of_test`
    await citewell.storage.execute(
      `create index ${index} on chunk_vectors_${hex} using hnsw ((embedding::vector(384)) vector_cosine_ops)`,
    )
    await deliver(citewell, 'before the move')
    before = await look(citewell)
  }, 120_000)
  afterAll(async () => {
    for (const database of databases)
      await onServer(serverUrl ?? '', `drop database if exists ${database} with (force)`)
  })

  test('with all rows, and the service goes on there: keys, tokens, search, files, chains', async () => {
    expect(before).toMatchObject({ found: 200 })
    expect(before['results']).not.toEqual([])
    const databaseUrl = await createDatabase()
    const { exitCode, stdout, stderr } = await move(databaseUrl)
    expect(stderr).toContain('From now on start the service with DATABASE_URL')
    expect(stdout).toMatch(/^Moved [\d,]+ rows of \d+ tables, and compared each with what was there\.\n$/)
    expect(exitCode).toBe(0)

    await using citewell = await startOn(await openPostgresStorage(databaseUrl))
    expect(await look(citewell)).toEqual(before)
    expect(await citewell.rows(`select indexname from pg_indexes where indexname = '${index}'`)).toHaveLength(
      1,
    )
    expect(
      await citewell.rows(`select tgname from pg_trigger where not tgisinternal and tgenabled = 'D'`),
    ).toEqual([])
    const audit = await runCommand(['doctor', '--audit', '--json'], {
      CITEWELL_URL: citewell.address,
      CITEWELL_TOKEN: citewell.service.operatorToken,
    })
    expect(audit.stdout).toMatch(/every chain whole/)
    // Numbers go on behind those that were moved.
    await deliver(citewell, 'after the move')
    const events = await citewell.rows(
      'select delivery_id, seq::int as seq from platform_events order by seq',
    )
    const [first, last] = events
    expect(events.map((event) => event['delivery_id'])).toEqual(['before the move', 'after the move'])
    expect(last?.['seq']).toBeGreaterThan(Number(first?.['seq']))

    const again = await move(databaseUrl)
    expect(again.stderr).toMatch(/The database of DATABASE_URL is not empty: its table \w+ has rows/)
    expect(again.exitCode).toBe(1)
  }, 120_000)

  test('or nothing is: a move that is interrupted leaves the server empty and the embedded database whole', async () => {
    const databaseUrl = await createDatabase()
    const stop = new AbortController()
    const { exitCode } = await runCommand(
      ['move'],
      { CITEWELL_DATA_DIR: folder, DATABASE_URL: databaseUrl, CITEWELL_LOG_LEVEL: 'silent' },
      { signal: stop.signal, isTerminal: true, onStderr: (text) => text.includes('Moving') && stop.abort() },
    )
    expect(exitCode).toBe(130)
    const lock = lockDirectory(folder)
    expect((await move(databaseUrl)).stderr).toContain('is using the data directory')
    lock.release()
    expect((await move(databaseUrl)).exitCode).toBe(0)
  }, 120_000)
})
