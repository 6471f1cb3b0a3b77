import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { longUnless } from '@citewell/spec/long-unless'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlPage, startFakeSite, type FakeSite } from '../../../test/fake-site.ts'
import { runCommand } from '../../../test/run-command.ts'
import { OWNER_TOKEN, startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let site: FakeSite

beforeAll(async () => {
  citewell = await startTestService({
    CITEWELL_LOCAL_PATHS: tmpdir(),
    CITEWELL_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
  })
  site = await startFakeSite({
    '/': htmlPage('Charging', 'A gadget is charged with a cable in two hours.'),
    '/keys': htmlPage('Rotating keys', 'Keys are rotated every day at midnight.'),
    '/empty': { status: 200, headers: { 'content-type': 'text/html' }, body: '' },
    '/slow': { afterMs: 600_000 },
  })
}, 60_000)
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await citewell[Symbol.asyncDispose]()
})

const run = async (words: string[], given: Parameters<typeof runCommand>[2] = {}) =>
  await runCommand(words, { CITEWELL_URL: citewell.address, CITEWELL_TOKEN: OWNER_TOKEN }, given)
const basesNow = async () =>
  (await citewell.json<{ data: { id: string; name: string }[] }>('GET', '/api/v1/knowledge-bases')).data

for (const [what, address] of [
  ['a host that there is not', () => 'not-a-host.invalid'],
  ['a port where nobody listens', () => 'http://127.0.0.1:9/'],
  ['a page that there is not', () => `${site.origin}/nope`],
  ['a page without text', () => `${site.origin}/empty`],
  ['an empty folder', () => mkdtempSync(join(tmpdir(), 'citewell-empty-'))],
  ['no repository', () => `${site.origin}/none.git`],
] as const)
  test(`up leaves nothing of ${what}`, longUnless(!/host|port/.test(what), { timeout: 60_000 }), async () => {
    const { exitCode, stdout, stderr } = await run(['up', address()])
    expect(stderr).toContain('Nothing was read from')
    expect(stderr).not.toMatch(/0 of 0|░/)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(await basesNow()).toEqual([])
  })

test('up of an address in a private network says how its operator allows it, and says it once', async () => {
  const { exitCode, stderr } = await run(['up', 'http://10.0.0.1/docs'])
  const [message, advice] = stderr.split('\n').filter((line) => !line.startsWith('Reading'))
  expect(message).toMatch(/^✗ 10\.0\.0\.1 is in a private network/)
  expect(advice).toMatch(
    /^ {2}Try: stop the service that runs, and start it with CITEWELL_ALLOW_PRIVATE_NETWORK=10\.0\.0\.1 .* up http:\/\/10\.0\.0\.1\/docs$/,
  )
  expect(exitCode).not.toBe(0)
  expect(await basesNow()).toEqual([])
})

test('up says in JSON that nothing was read', async () => {
  const { exitCode, stdout } = await run(['up', `${site.origin}/nope`, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ code: 'NOTHING_READ' })
  expect(exitCode).toBe(1)
})

test('up that is interrupted before anything was read leaves nothing', async () => {
  const stop = new AbortController()
  const ended = await run(['up', `${site.origin}/slow`], {
    signal: stop.signal,
    onStderr: (text) => {
      if (text.includes('Reading')) stop.abort()
    },
  })
  expect(ended.exitCode).toBe(130)
  expect(await basesNow()).toEqual([])
}, 120_000)

test('up adds sites to the service that runs, each in a base of its own, or where --kb says', async () => {
  const first = await run(['up', `${site.origin}/keys`])
  expect(first.exitCode).toBe(0)
  expect(first.stdout).toContain('Keys are rotated every day at midnight.')
  expect(first.stdout).toContain('[1] Rotating keys')
  expect(first.stderr).toContain(`Citewell is at   ${citewell.address}`)
  expect(first.stderr).not.toMatch(/Ctrl\+C|Open it/)
  const host = new URL(site.origin).host
  // The same again is read again; another page of the same site is another source.
  await run(['up', `${site.origin}/keys`])
  expect((await basesNow()).map(({ name }) => name)).toEqual([host])
  await run(['up', `${site.origin}/`])
  expect((await basesNow()).map(({ name }) => name).toSorted()).toEqual([host, `${host} 2`])
  const wrong = await run(['up', `${site.origin}/nope`, '--kb', host, '--json'])
  expect(wrong.exitCode).toBe(1)
  expect(JSON.parse(wrong.stdout)).toMatchObject({ code: 'NOTHING_READ' })
  const several = await run(['ask', 'How are keys rotated?'])
  expect(several.exitCode).toBe(2)
  expect(several.stderr).toMatch(/There are several knowledge bases: .* Name one with --kb NAME/)
  const asked = await run(['ask', 'How are keys rotated?', '--kb', host, '--thread', 'nope'])
  expect(asked.stderr).toContain('There is no conversation nope')

  const { stdout } = await run(['list', 'sources', '--json'])
  const listed = (JSON.parse(stdout) as { data: { document_count: number }[] }).data
  expect(listed.map(({ document_count }) => document_count)).toEqual([1, 1])
  await citewell.json('PATCH', `/api/v1/knowledge-bases/${(await basesNow())[0]?.id}`, {
    name: '\u001B[2JDocs of\r\nAcme that have quite a long name for a line of a terminal',
  })
  const table = await run(['list'], { isTerminal: true })
  expect(table.stdout).not.toContain('\u001B')
  for (const line of table.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(table.stdout).toContain(`${(await basesNow())[0]?.id}`)
}, 240_000)

test('delete asks for the exact name, and takes sources and bases away', async () => {
  const { id } = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  await citewell.json('POST', `/api/v1/knowledge-bases/${id}/sources`, { name: 'pushed', type: 'push' })
  const source = ['delete', 'source', 'pushed', '--kb', 'acme docs']
  expect(await run(source)).toMatchObject({ exitCode: 2, stdout: '' })
  expect(await run([...source, '--confirm', 'pusht'])).toMatchObject({ exitCode: 5 })
  expect(await run([...source, '--confirm', 'pushed'])).toMatchObject({ exitCode: 0 })
  expect((await run(source)).exitCode).toBe(3)

  const unsure = await run(['delete', 'Acme docs'])
  expect(unsure.exitCode).toBe(2)
  expect(unsure.stderr).toContain("--confirm 'Acme docs'")
  expect(await run(['delete', 'Acme docs', '--confirm', 'Acme'])).toMatchObject({ exitCode: 5 })
  const deleted = await run(['delete', 'Acme docs', '--confirm', 'Acme docs', '--json'])
  expect(JSON.parse(deleted.stdout)).toMatchObject({ deleted: true, id })
  const gone = await run(['delete', 'Acme docs', '--json'])
  expect(gone.exitCode).toBe(3)
  expect(JSON.parse(gone.stdout)).toMatchObject({ code: 'NOT_FOUND' })
})

test('a refusal of the service comes whole in JSON', async () => {
  const { exitCode, stdout } = await run(['token', 'create', 'x', '--scopes', 'everything', '--json'])
  expect(exitCode).toBe(5)
  expect(JSON.parse(stdout)).toMatchObject({
    code: 'BAD_REQUEST',
    error: expect.any(String) as string,
    details: [{ path: 'scopes.0' }],
    request_id: expect.any(String) as string,
  })
})
