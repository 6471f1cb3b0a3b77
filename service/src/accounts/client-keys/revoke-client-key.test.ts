import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { openPostgresStorage } from '../../platform/storage/storage.ts'

interface KeyRecord {
  id: string
  key: string
}
type Headers = Record<string, string>

let team: TestManagement
let api: Awaited<ReturnType<typeof startPublicApi>>

beforeAll(async () => {
  team = await openTestManagement()
  api = await startPublicApi({ storage: team.storage })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await team.close()
})

const makeBase = () =>
  team.ask<{ id: string; client_key: KeyRecord }>('POST', '/knowledge-bases', { name: 'Acme' })
const search = (baseId: string, headers: Headers, at = api) =>
  at.send(`/public/knowledge-bases/${baseId}/search`, { headers, body: { query: 'keys' } })

async function outcome(response: Response) {
  const { code } = (await response.json()) as { code?: string }
  return [response.status, code]
}

verifies(
  ['client-keys.revoke', 'client-keys.live-or-revoked'],
  'a revoked key is refused immediately and for good, and stays in the list',
  async () => {
    const base = await makeBase()
    const { id, key } = base.client_key

    expect((await search(base.id, { 'x-client-key': key })).status).toBe(200)
    const revoked = await team.send('DELETE', `/client-keys/${id}`)
    expect([revoked.status, revoked.body]).toEqual([204, {}])
    expect(await outcome(await search(base.id, { 'x-client-key': key }))).toEqual([401, 'UNAUTHENTICATED'])
    expect((await team.send('PATCH', `/client-keys/${id}`, { name: 'Again' })).status).toBe(409)
    expect((await team.send('PATCH', `/client-keys/${id}`, { status: 'live' })).status).toBe(400)
    const listed = await team.send('GET', `/knowledge-bases/${base.id}/client-keys`)
    expect(listed.body['data']).toMatchObject([{ id, status: 'revoked' }])
  },
)

verifies(
  'client-keys.revoked-everywhere',
  'under load on two services, no request that begins a second after the revocation succeeds',
  async () => {
    const base = await makeBase()
    const { id, key } = base.client_key
    const { databaseUrl } = team.storage
    // Two connection pools on one database if there is a server; the embedded database allows only one process.
    const second =
      databaseUrl === undefined
        ? team.storage
        : { ...(await openPostgresStorage(databaseUrl)), databaseUrl, [Symbol.asyncDispose]: async () => {} }
    await using other = await startPublicApi({ storage: second, limits: { searchPerKey: 0 } })
    await using own = await startPublicApi({ storage: team.storage, limits: { searchPerKey: 0 } })
    const succeeded: number[] = []
    let asked = 0
    const over = new AbortController()
    const load = async (at: typeof own) => {
      while (!over.signal.aborted) {
        const startedAt = performance.now()
        const response = await search(base.id, { 'x-client-key': key }, at)
        asked += 1
        if (response.ok) succeeded.push(startedAt)
        await response.text()
      }
    }

    const loads = [own, other, own, other].map((at) => load(at))
    await vi.waitUntil(() => succeeded.length > 40, { timeout: 20_000 })
    expect((await team.send('DELETE', `/client-keys/${id}`)).status).toBe(204)
    const revokedAt = performance.now()
    const askedBefore = asked
    await vi.waitUntil(() => performance.now() > revokedAt + 1_500 && asked > askedBefore + 40, {
      timeout: 20_000,
    })
    over.abort()
    await Promise.all(loads)
    if (second !== team.storage) await second.close()

    expect(succeeded.filter((startedAt) => startedAt > revokedAt)).toEqual([])
  },
  60_000,
)
