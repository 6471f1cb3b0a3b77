import { randomUUID } from 'node:crypto'
import { verifies } from '@citewell/spec/verifies'
import { expect, inject } from 'vitest'
import { createAuthorizationWorld } from '../../../test/authorization-world.ts'
import { OWNER_TOKEN, startTestService } from '../../../test/start-service.ts'
import { openTestStorage } from '../../../test/test-storage.ts'
import { openPostgresStorage } from '../../platform/storage/storage.ts'

const isEmbedded = inject('storageTemplate').kind === 'embedded'

verifies(
  'plans.holds-on-two-processes',
  'two processes on one PostgreSQL server together create five bases on Pro, of 50 attempts, and one of 20 restores succeeds',
  async (context) => {
    if (isEmbedded) return context.skip('The embedded storage has one process.')
    await using storage = await openTestStorage()
    await using first = await startTestService({ CITEWELL_PLAN: 'pro' }, { storage })
    const otherStorage = await openPostgresStorage(storage.databaseUrl ?? '')
    try {
      await using second = await startTestService({ CITEWELL_PLAN: 'pro' }, { storage: otherStorage })
      const processes = [first, second].map((service) => createAuthorizationWorld(service))
      const post = async (number: number, path: string, body?: unknown) =>
        (await processes[number % 2]?.send('POST', path, { token: OWNER_TOKEN, body }))?.status
      const bases = '/api/v1/knowledge-bases'
      const made = await Promise.all(
        Array.from({ length: 50 }, (_, number) => post(number, bases, { name: `Docs ${randomUUID()}` })),
      )
      expect(made.filter((status) => status === 201)).toHaveLength(5)
      expect(made.filter((status) => status === 403)).toHaveLength(45)

      const { data } = await first.json<{ data: { id: string }[] }>('GET', bases)
      const [one] = data
      await post(0, `${bases}/${one?.id}/archive`)
      const restored = await Promise.all(
        Array.from({ length: 20 }, (_, number) => post(number, `${bases}/${one?.id}/restore`)),
      )
      expect(restored.filter((status) => status === 200)).toHaveLength(1)
      expect(
        await storage.execute("select count(*)::int as n from knowledge_bases where status = 'active'"),
      ).toMatchObject({ rows: [{ n: 5 }] })
    } finally {
      await otherStorage.close()
    }
  },
  60_000,
)
