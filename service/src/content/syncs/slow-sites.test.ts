import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlPage, startFakeSite, textFile } from '../../../test/fake-site.ts'
import { createKeptPreparing } from '../../../test/kept-threads.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { openTestManagement } from '../../../test/test-management.ts'

interface Sync {
  id: string
  status: string
  counts: Record<string, number>
}

let citewell: TestService
beforeAll(async () => {
  citewell = await startTestService()
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

async function startSync(name: string, startUrls: string[]): Promise<string> {
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name })
  const sources = await Promise.all(
    startUrls.map(
      async (start) =>
        await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
          type: 'website',
          name: 'site',
          config: { start_urls: [start] },
        }),
    ),
  )
  const started = await Promise.all(
    sources.map(async ({ id }) => await citewell.json<Sync>('POST', `/api/v1/sources/${id}/sync`)),
  )
  return started.at(-1)?.id ?? ''
}

const hasEnded = ({ status }: Sync) => status !== 'queued' && status !== 'running'

verifies('syncs.fair', 'slow sites, however many, do not delay the syncs of other workspaces', async () => {
  await using slow = await startFakeSite({
    '/robots.txt': textFile('User-agent: *\nCrawl-delay: 10'),
    '/silent': () => undefined,
  })
  await using quick = await startFakeSite({
    '/': htmlPage('Start', 'Three pages about valves.', { links: ['/a', '/b'] }),
    '/a': htmlPage('A', 'Valve A opens at nine bar.'),
    '/b': htmlPage('B', 'Valve B opens at ten bar.'),
  })
  for (let base = 0; base < 6; base += 1) {
    await startSync(
      `Slow ${base}`,
      Array.from({ length: 3 }, (_, at) => `${slow.origin}/silent?${base}${at}`),
    )
  }
  const quickId = await startSync('Quick', [`${quick.origin}/`])
  const done = await citewell.until<Sync>(`/api/v1/syncs/${quickId}`, hasEnded)
  expect(done).toMatchObject({ status: 'succeeded', counts: { added: 3 } })
})

test.each<[string, Parameters<typeof startFakeSite>[0]]>([
  [
    'waits for a crawl delay',
    {
      '/robots.txt': textFile('User-agent: *\nCrawl-delay: 10'),
      '/': htmlPage('Start', 'Begins here.', { links: ['/a', '/b', '/c'] }),
    },
  ],
  ['waits for an answer', { '/': () => undefined }],
  [
    'waits for the end of a body',
    {
      '/': (_asked, _request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Drips</title>')
        const timer = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(timer))
        return undefined
      },
    },
  ],
  ['waits for a Retry-After', { '/': { status: 503, headers: { 'retry-after': '50' } } }],
])('a sync that %s ends soon after it is cancelled', async (name, pages) => {
  await using site = await startFakeSite(pages)
  const id = await startSync(name, [`${site.origin}/`])
  await citewell.until<Sync>(
    `/api/v1/syncs/${id}`,
    ({ status }) => status === 'running' && site.requests.length > 0,
  )
  const asked = performance.now()
  await citewell.json('POST', `/api/v1/syncs/${id}/cancel`)
  const ended = await citewell.until<Sync>(`/api/v1/syncs/${id}`, hasEnded)
  expect(ended.status).toBe('cancelled')
  expect(performance.now() - asked).toBeLessThan(8_000)
})

const LONG = { timeout: 120_000 }

/** A service that asks the test before it divides a document; its syncs run when the test says so. */
async function openSlowDocuments(beforeDocument: (title: string) => Promise<void>) {
  const api = await openTestManagement({
    surroundings: {
      createPreparing: () => {
        const { prepare, close } = createKeptPreparing()
        return {
          close,
          prepare: async (share, task, signal) => {
            await beforeDocument(task.document.title)
            return await prepare(share, task, signal)
          },
        }
      },
    },
  })
  /** Uploads files to a new base, which queues their sync. Returns a look at it. */
  const upload = async (name: string, count: number) => {
    const base = await api.ask('POST', '/knowledge-bases', { name })
    const sources = `/knowledge-bases/${base['id']}/sources`
    const source = await api.ask('POST', sources, { type: 'files', name: 'files', config: {} })
    const form = new FormData()
    for (let at = 0; at < count; at += 1)
      form.append('file', new File([`# ${name} ${at}\n\nText of ${name} ${at}.`], `${at}.md`))
    await api.ask('POST', `/sources/${source['id']}/files`, form)
    return async () => (await api.ask<{ data: Sync[] }>('GET', `/sources/${source['id']}/syncs`)).data[0]
  }
  const work = async () => await api.syncs.jobs[0]?.handle({}, new AbortController().signal)
  return { upload, work, [Symbol.asyncDispose]: api.close }
}

test(
  'a sync indexes several documents at once, up to its last ones',
  { ...LONG, tags: ['long'] },
  async () => {
    let waiting: (() => void) | undefined
    let alone = 0
    await using service = await openSlowDocuments(async () => {
      const other = waiting
      waiting = undefined
      if (other !== undefined) return other()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting = resolve
      const timer = setTimeout(() => {
        alone += 1
        waiting = undefined
        resolve()
      }, 20_000)
      await promise
      clearTimeout(timer)
    })
    const look = await service.upload('Pairs', 16)
    await service.work()
    expect(await look()).toMatchObject({ status: 'succeeded', counts: { added: 16 } })
    expect(alone).toBe(0)
  },
)

test(
  'a sync has a place of its own, also while others hold all that are shared',
  { ...LONG, tags: ['long'] },
  async () => {
    const later = Promise.withResolvers<void>()
    let held = 0
    await using service = await openSlowDocuments(async (title) => {
      if (!title.startsWith('Slow')) return
      held += 1
      await later.promise
    })
    const slow = []
    for (let base = 0; base < 4; base += 1) slow.push(await service.upload(`Slow ${base}`, 4))
    const working = service.work()
    await expect.poll(() => held, { timeout: 60_000 }).toBe(16)
    const look = await service.upload('Quick', 3)
    await service.work()
    try {
      await expect
        .poll(look, { timeout: 30_000 })
        .toMatchObject({ status: 'succeeded', counts: { added: 3 } })
    } finally {
      later.resolve()
    }
    await working
    for (const done of slow) expect(await done()).toMatchObject({ status: 'succeeded', counts: { added: 4 } })
  },
)
