import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { initializeRequest } from '../../../test/initialize-request.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let keys: [string, string]

beforeAll(async () => {
  citewell = await startTestService()
  const makeKey = async (name: string) =>
    (await citewell.json<{ client_key: { key: string } }>('POST', '/api/v1/knowledge-bases', { name }))
      .client_key.key
  keys = [await makeKey('Acme API'), await makeKey('Another base')]
})
afterAll(() => citewell[Symbol.asyncDispose]())

verifies('mcp.generic', 'two different keys in one request are refused, wherever they are', async () => {
  const [one, other] = keys
  const post = async (path: string, headers: Record<string, string> = {}) =>
    await outsideRequest(`${citewell.address}${path}`, initializeRequest(headers))
  const bearer = { authorization: `Bearer ${one}` }
  const first = await post('/mcp', { ...bearer, 'x-client-key': other })
  const answers = await Promise.all([
    post(`/mcp?client_key=${other}`, bearer),
    post(`/mcp?client_key=${other}`, { 'x-client-key': one }),
    post(`/mcp?client_key=${one}&client_key=${other}`),
    post('/mcp', { 'x-client-key': `${one}, ${other}` }),
    post(`/mcp?client_key=${one}&client_key=${one}`, { ...bearer, 'x-client-key': one }),
  ])

  expect(first.status).toBe(401)
  expect(await first.text()).toContain('Send one client key: these are different ones.')
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 200])
})
