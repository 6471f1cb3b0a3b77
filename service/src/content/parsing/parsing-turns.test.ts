import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { residentMegabytes } from '../../../test/watch-process.ts'
import { createParsing, type Parsing } from './parsing.ts'

const LIMITS = { workers: 3, timeLimitMs: 60_000, memoryLimitMb: 400 }

let parsing: Parsing
let single: Parsing
beforeAll(() => {
  vi.stubEnv('CITEWELL_TEST_SECRET', 'secret-of-the-service')
  parsing = createParsing(LIMITS)
  single = createParsing({ ...LIMITS, workers: 1 })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await Promise.all([parsing.close(), single.close()])
})

const page = (html: string) => ({
  mediaType: 'text/html',
  bytes: Buffer.from(html),
  url: 'https://docs.example.com/a',
})
/** Takes a second of CPU time to parse. */
const slow = page(`<table>${'<tr><td>a<td>b'.repeat(40_000)}`)
const of = (workspaceId: string, knowledgeBaseId: string, isAwaited: boolean) => ({
  workspaceId,
  knowledgeBaseId,
  isAwaited,
})

test('a push is parsed while syncs of other bases parse slow documents', { tags: ['long'] }, async () => {
  const stop = new AbortController()
  let over = 0
  const waiting = Array.from({ length: 20 }, (_, place) =>
    parsing
      .parse(slow, stop.signal, of('one', `base-${place % 4}`, false))
      .then(() => (over += 1))
      .catch(() => 'given up'),
  )
  await Promise.all([
    parsing.parse(page('<title>1</title>'), undefined, of('two', 'other', true)),
    parsing.parse(page('<title>2</title>'), undefined, of('one', 'base-0', true)),
  ])
  expect(over).toBeLessThan(18)
  expect(parsing.processIds().length).toBeLessThanOrEqual(3)
  stop.abort(new Error('cancelled'))
  const ends = await Promise.all(waiting)
  expect(ends.filter((end) => end === 'given up').length).toBe(20 - over)
})

test('a cancelled task ends its parser, and a waiting one leaves the queue', async () => {
  const stop = new AbortController()
  const reading = single.parse(slow, stop.signal)
  await vi.waitFor(() => expect(single.processIds()).toHaveLength(1), { timeout: 20_000 })
  const [pid = 0] = single.processIds()
  stop.abort(new Error('cancelled'))
  await expect(reading).rejects.toThrow('cancelled')
  await vi.waitFor(() => expect(residentMegabytes(pid)).toBeUndefined(), { timeout: 20_000 })
  await expect(single.parse(page('<title>Next</title>'))).resolves.toMatchObject({
    document: { title: 'Next' },
  })
})

test('a task beyond the queue limit of its base is refused, and can be retried', async () => {
  const share = of('one', 'a', true)
  const stop = new AbortController()
  const all = Array.from({ length: 210 }, () =>
    parsing.parse(slow, stop.signal, share).catch((error: unknown) => String(error)),
  )
  const refused = await Promise.race(all)
  expect(refused).toContain('Too many documents of this knowledge base are waiting to be read.')
  stop.abort(new Error('cancelled'))
  await Promise.all(all)
})

test('a parser has no access to the environment of the service, and may do nothing but read code', async () => {
  await single.parse(page('<title>1</title>'))
  const [pid = 0] = single.processIds()
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
  expect(environment).not.toContain('secret')
  expect(environment).not.toMatch(/CITEWELL|DATABASE|HOME=|PATH=/)
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  expect(command).toContain('--permission')
  expect(command).not.toContain('--allow-fs-write')
  expect(command).not.toContain('--allow-child-process')
})

test('parsers end with the service, however it ends', async () => {
  const script = fileURLToPath(new URL('../../../test/parsing-process.ts', import.meta.url))
  const service = spawn(process.execPath, ['--conditions=citewell-source', '--no-warnings', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: service.stdout })
  const pid = Number(await new Promise<string>((resolve) => lines.once('line', resolve)))
  await vi.waitFor(() => expect(residentMegabytes(pid)).toBeGreaterThan(60), { timeout: 20_000 })
  service.kill('SIGKILL')
  await vi.waitFor(() => expect(residentMegabytes(pid)).toBeUndefined(), { timeout: 20_000 })
})
