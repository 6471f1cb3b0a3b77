import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlPage, startFakeSite, textFile } from '../../../test/fake-site.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

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
