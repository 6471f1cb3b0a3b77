import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { expect, test } from 'vitest'
import { pathWith } from '../../test/authorization-requests.ts'
import { createAuthorizationWorld } from '../../test/authorization-world.ts'
import { startTestService } from '../../test/start-service.ts'

const READS = ALL_ENDPOINTS.filter(
  (endpoint) =>
    endpoint.caller === 'access-token' && endpoint.method === 'GET' && endpoint.permission !== 'operate',
)

// Only the embedded storage has a single session, which `set` reaches; it is the one that a full disk makes read-only.
test.skipIf(process.env['DATABASE_URL'] !== undefined)(
  'with read-only storage everything is read as before, and a credential that was never used is accepted',
  async () => {
    await using citewell = await startTestService()
    const world = createAuthorizationWorld(citewell)
    const realm = await world.addRealm(await world.addWorkspace())
    const base = realm.records['knowledge-bases'] ?? ''
    const unused = await world.addToken(realm.owner.userId)
    const read = async (token: string) => {
      const statuses: Record<string, number> = {}
      for (const endpoint of READS) {
        const { status } = await world.send('GET', pathWith(endpoint, realm.records), { token })
        statuses[endpoint.operationId] = status
      }
      return statuses
    }
    const asPublic = async (what: string, body: unknown) => {
      const headers = { 'x-client-key': realm.key }
      const path = `/api/v1/public/knowledge-bases/${base}/${what}`
      const { status, text } = await world.send('POST', path, { headers, body })
      return text.includes('"error_code"') ? 503 : status
    }
    const expected = await read(realm.owner.token)

    await citewell.storage.execute('set default_transaction_read_only = on')
    try {
      expect(await read(unused)).toEqual(expected)
      expect(await asPublic('search', { query: 'How is it opened?' })).toBe(200)
      expect(await asPublic('related', { query: 'How is it opened?' })).toBe(200)
      expect(await asPublic('chat', { query: 'How is it opened?' })).toBe(200)
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const accept = 'application/json, text/event-stream'
      const tools = await world.send('POST', '/mcp', {
        headers: { authorization: `Bearer ${realm.key}`, accept, 'mcp-protocol-version': '2025-11-25' },
        body: list,
      })
      expect(tools.status).toBe(200)
    } finally {
      await citewell.storage.execute('set default_transaction_read_only = off')
    }
  },
  120_000,
)
