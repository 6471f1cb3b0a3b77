import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeSite, type FakeSite } from '../../../test/fake-site.ts'
import {
  createTestRepository,
  startGitServer,
  type GitServer,
  type TestRepository,
} from '../../../test/git-server.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { createLog } from '../../platform/log/log.ts'

/** The secret that must never be returned, logged or stored in plain text, in any encoding. */
const CANARY = 'CANARYtoken0123456789'
const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${CANARY}\n-----END OPENSSH PRIVATE KEY-----`

interface SourceRecord {
  id: string
  config: { url: string }
  has_credentials: boolean
  last_sync: { status: string; error: string | null } | null
}

let citewell: TestService
let repository: TestRepository
let git: GitServer
let site: FakeSite
let base: string
/** Everything that was answered or logged, to search for the canary. */
const seen: string[] = []

beforeAll(async () => {
  const log = createLog('debug', { write: (line: string) => void seen.push(line) })
  citewell = await startTestService({}, { log })
  repository = await createTestRepository({ 'page.md': '# Keys\n\nThey rotate daily.' })
  const authorization = `Basic ${Buffer.from(`deploy:${CANARY}`).toString('base64')}`
  git = await startGitServer({ '/docs.git': repository.folder }, { authorization })
  site = await startFakeSite({})
  base = (await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })).id
}, 120_000)
afterAll(async () => {
  await Promise.all([citewell, repository, git, site].map((one) => one[Symbol.asyncDispose]()))
})

async function ask(method: string, path: string, body?: unknown) {
  const response = await citewell.send(method, path, body)
  const text = await response.text()
  seen.push(text)
  return { status: response.status, record: (text === '' ? {} : JSON.parse(text)) as SourceRecord, text }
}

const create = async (type: string, config: unknown, more: object = {}) =>
  await ask('POST', `/api/v1/knowledge-bases/${base}/sources`, { type, name: 'docs', config, ...more })

async function sync(id: string) {
  await ask('POST', `/api/v1/sources/${id}/sync`)
  const isOver = ({ last_sync }: SourceRecord) =>
    last_sync !== null && !/queued|running/.test(last_sync.status)
  const source = await citewell.until<SourceRecord>(`/api/v1/sources/${id}`, isOver)
  seen.push(JSON.stringify(source))
  return source.last_sync
}

const withUser = (url: string) => url.replace('://', `://deploy:${CANARY}@`)

verifies(
  'sources.credentials',
  'a token in an address is sealed and used, shown only as has_credentials, and sent to no other host',
  async () => {
    const url = `${git.origin}/docs.git`
    const made = await create('repository', { url: withUser(url) })
    expect(made).toMatchObject({ status: 201, record: { has_credentials: true, config: { url } } })
    const path = `/api/v1/sources/${made.record.id}`
    expect(await sync(made.record.id)).toMatchObject({ status: 'succeeded', error: null })
    const change = async (body: object) => (await ask('PATCH', path, body)).record
    expect(await change({ config: { ref: 'main' } })).toMatchObject({ has_credentials: true })
    expect(await change({ config: { url } })).toMatchObject({ has_credentials: true })
    expect(await change({ config: { url: withUser(url) } })).toMatchObject({
      has_credentials: true,
      config: { url },
    })
    expect(await change({ credentials: null })).toMatchObject({ has_credentials: false })
    expect((await sync(made.record.id))?.error).toContain('without a sign-in (401)')
    expect(await change({ credentials: { user: 'deploy', password: CANARY } })).toMatchObject({
      has_credentials: true,
    })
    expect(await sync(made.record.id)).toMatchObject({ status: 'succeeded' })
    const elsewhere = url.replace('127.0.0.1', 'localhost')
    expect(await change({ config: { url: elsewhere } })).toMatchObject({ has_credentials: false })
    expect(await change({ config: { url } })).toMatchObject({ has_credentials: false })
    const ssh = await create(
      'repository',
      { url: 'git@localhost:docs.git' },
      { credentials: { ssh_private_key: KEY } },
    )
    expect(ssh).toMatchObject({ status: 201, record: { has_credentials: true } })
  },
)

verifies(
  'sources.credentials-unseen',
  'a failed sync or preview of an API description reveals no credentials of its address',
  async () => {
    const url = `${site.origin}/openapi.json?v=2`
    const given = `${withUser(url)}&token=${CANARY}`
    const failing = await create('openapi', { url: given })
    expect(failing.record).toMatchObject({ has_credentials: true, config: { url } })
    const failed = await sync(failing.record.id)
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining(url) })
    await ask('POST', `/api/v1/knowledge-bases/${base}/sources/preview`, {
      type: 'openapi',
      config: { url: given },
    })

    const operations = { '/pets': { get: { summary: 'List pets', responses: {} } } }
    site.set(`/openapi.json?v=2&token=${CANARY}`, (_asked, request) => ({
      status: request.headers.authorization === undefined ? 401 : 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ openapi: '3.0.0', info: { title: 'Pets', version: '1' }, paths: operations }),
    }))
    expect(await sync(failing.record.id)).toMatchObject({ status: 'succeeded' })
    const documents = (await ask('GET', `/api/v1/knowledge-bases/${base}/documents`)).text
    expect(documents).toContain('/openapi.json?v=2#')
  },
)

test.each([
  [
    'website',
    { start_urls: ['https://docs.example.com/', `https://me:${CANARY}@docs.example.com/`] },
    'config.start_urls.1',
  ],
  ['sitemap', { sitemap_url: `https://${CANARY}@docs.example.com/sitemap.xml` }, 'config.sitemap_url'],
  [
    'repository',
    { url: 'https://git.example.com/x', site_url: `https://me:${CANARY}@a.example/` },
    'config.site_url',
  ],
  ['repository', { url: `ssh://git:${CANARY}@git.example.com/x` }, 'config.url'],
  ['repository', { url: `git://me:${CANARY}@git.example.com/x` }, 'config.url'],
  ['repository', { url: `me:${CANARY}@git.example.com/owner/x` }, 'config.url'],
  ['repository', { url: `${CANARY}@git.example.com/owner/x` }, 'config.url'],
  ['repository', { url: `https:/me:${CANARY}@git.example.com/x` }, 'config.url'],
  ['repository', { url: `https://me:${CANARY}/x@git.example.com/x` }, 'config.url'],
  ['openapi', { url: `ftp://me:${CANARY}@git.example.com/x` }, 'config.url'],
])(
  'a %s with credentials in an address that does not support them is refused, without repeating them: %j',
  async (type, config, path) => {
    for (const at of ['', '/preview']) {
      const body = { type, name: 'docs', config }
      const refused = await ask(
        'POST',
        `/api/v1/knowledge-bases/${base}/sources${at}`,
        at === '' ? body : { type, config },
      )
      expect(refused).toMatchObject({ status: 400, record: { details: [{ path }] } })
    }
  },
)

test.each([
  ['repository', { url: 'https://git.example.com/x' }, { ssh_private_key: KEY }],
  ['repository', { url: 'git@git.example.com:x' }, { password: CANARY }],
  ['website', { start_urls: ['https://docs.example.com/'] }, { password: CANARY }],
  ['repository', { url: 'git@git.example.com:x' }, { ssh_private_key: CANARY }],
  ['repository', { url: 'git@git.example.com:x' }, { ssh_private_key: `${KEY}\nProxyCommand touch` }],
])('%s %j refuses credentials that it would not use', async (type, config, credentials) => {
  expect((await create(type, config, { credentials })).status).toBe(400)
})

verifies('sources.credentials', 'the canary is in no response, log line or database row', async () => {
  await ask('GET', `/api/v1/knowledge-bases/${base}/sources`)
  await ask('GET', `/api/v1/knowledge-bases/${base}/deletion-preview`)
  const { workspaces } = await citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')
  await ask('GET', `/api/v1/workspaces/${workspaces[0]?.id}/activity`)
  const encoded = Buffer.from(`deploy:${CANARY}`).toString('base64')
  expect(seen.length).toBeGreaterThan(50)
  expect(seen.filter((text) => text.includes(CANARY) || text.includes(encoded))).toEqual([])
  const tables = await citewell.rows(
    "select table_name as name from information_schema.tables where table_schema in ('public', 'pgboss')",
  )
  for (const { name } of tables) {
    const schema = String(name).startsWith('job') || name === 'queue' ? undefined : 'public'
    if (schema === undefined) continue
    const rows = await citewell
      .rows(`select to_jsonb(t)::text as row from public."${String(name)}" t`)
      .catch(() => [])
    expect(rows.filter(({ row }) => String(row).includes(CANARY))).toEqual([])
  }
  // The files of the embedded engine, including its log: sealed credentials were never written in plain text.
  const files = await citewell.storage.dump?.()
  if (files === undefined) return
  const bytes = Buffer.from(files.buffer)
  expect(bytes.indexOf('Acme docs')).not.toBe(-1)
  expect(bytes.indexOf(CANARY)).toBe(-1)
})
