import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { initializeRequest } from '../../../test/initialize-request.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let key: string

beforeAll(async () => {
  citewell = await startTestService()
  const base = await citewell.json<{ client_key: { key: string } }>('POST', '/api/v1/knowledge-bases', {
    name: 'Acme API',
  })
  key = base.client_key.key
})
afterAll(() => citewell[Symbol.asyncDispose]())

verifies(
  'mcp.invalid-params',
  'params that the protocol does not allow are the fault of the client, of every request that is answered',
  async () => {
    const valid = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    }
    const wrong: [string, unknown][] = [
      ['initialize', undefined],
      ['initialize', {}],
      ['initialize', { ...valid, protocolVersion: 7 }],
      ['initialize', { ...valid, clientInfo: 'me' }],
      ['initialize', { ...valid, capabilities: [] }],
      ['tools/list', { cursor: 7 }],
      ['tools/call', { name: 7 }],
    ]
    const { headers } = initializeRequest({ authorization: `Bearer ${key}` })
    const codes = await Promise.all(
      wrong.map(async ([method, params]) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 'mine', method, params })
        const answer = await outsideRequest(`${citewell.address}/mcp`, { method: 'POST', headers, body })
        const text = await answer.text()
        const { id, error } = JSON.parse(text.slice(text.indexOf('{'))) as {
          id: string
          error: { code: number }
        }
        return [method, params, id, error.code]
      }),
    )

    expect(codes).toEqual(wrong.map(([method, params]) => [method, params, 'mine', -32_602]))
  },
)
