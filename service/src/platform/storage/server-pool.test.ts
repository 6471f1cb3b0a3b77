import { verifies } from '@citewell/spec/verifies'
import { expect, inject } from 'vitest'
import { startCuttableProxy } from '../../../test/cuttable-proxy.ts'
import { startTestService } from '../../../test/start-service.ts'
import { openTestStorage } from '../../../test/test-storage.ts'
import { openPostgresStorage } from './storage.ts'

const isEmbedded = inject('storageTemplate').kind === 'embedded'

verifies(
  'running.storage-comes-back',
  'an unreachable database server is reported immediately, and used again when it is back',
  async (context) => {
    if (isEmbedded)
      return context.skip('The embedded storage is not a server: see embedded/full-disk.test.ts.')
    await using storage = await openTestStorage()
    const url = new URL(storage.databaseUrl ?? '')
    await using proxy = await startCuttableProxy({ host: url.hostname, port: Number(url.port || 5432) })
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    const through = await openPostgresStorage(url.href)
    // Closed by the service.
    await using citewell = await startTestService({}, { storage: through })
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Docs' })
    const search = () =>
      citewell.send('POST', `/api/v1/knowledge-bases/${base.id}/search`, { query: 'words' })
    expect((await search()).status).toBe(200)

    await proxy.cut()
    const refused = await Promise.all(Array.from({ length: 30 }, search))
    for (const response of refused) {
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({
        code: 'UNAVAILABLE',
        retryable: true,
        error: 'The database of the service does not answer at the moment. Please try again shortly.',
      })
    }
    expect((await citewell.fetch('/healthz')).status).toBe(200)
    expect((await citewell.fetch('/readyz')).status).toBe(503)

    await proxy.mend()
    expect((await search()).status).toBe(200)
    // Readiness is cached for a second.
    await expect.poll(async () => (await citewell.fetch('/readyz')).status, { timeout: 30_000 }).toBe(200)

    // A restart of the server ends every session in this way.
    await storage.execute(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await expect.poll(async () => (await search()).status, { timeout: 30_000 }).toBe(200)
  },
  120_000,
)
