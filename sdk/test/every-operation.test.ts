import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inWorkingOrder, MAY_CONFLICT, type TeamEndpoint } from '../../service/test/authorization-order.ts'
import { bodyOf, parametersOf } from '../../service/test/authorization-requests.ts'
import { createAuthorizationWorld, type Realm } from '../../service/test/authorization-world.ts'
import { OWNER_TOKEN, startTestService, type TestService } from '../../service/test/start-service.ts'
import { createManagement, type Management } from '../src/management.ts'

const TEAM = ALL_ENDPOINTS.filter((endpoint): endpoint is TeamEndpoint => endpoint.caller === 'access-token')

let citewell: TestService
let realm: Realm
beforeAll(async () => {
  citewell = await startTestService()
  const world = createAuthorizationWorld(citewell)
  realm = await world.addRealm(await world.addWorkspace())
}, 180_000)
afterAll(() => citewell[Symbol.asyncDispose]())

/** Calls the method of an operation with records of the realm, and waits for its whole answer. */
async function perform(management: Management, endpoint: TeamEndpoint): Promise<unknown> {
  const ids = parametersOf(endpoint).map(({ noun }) => realm.records[noun])
  const input = FILES[endpoint.operationId]?.() ?? bodyOf(endpoint, realm.records)
  const method = management[endpoint.operationId as keyof Management] as (...args: unknown[]) => unknown
  const answer = method(...ids, ...(input === undefined ? [] : [input]))
  if (answer instanceof Promise) return await answer
  const frames: unknown[] = []
  for await (const frame of answer as AsyncIterable<unknown>) {
    frames.push(frame)
    // This one lasts for minutes, and its first frame comes at once.
    if (endpoint.operationId === 'followKnowledgeBase') break
  }
  return frames
}

/** Bodies with files, by operation. */
const FILES: Partial<Record<string, () => object>> = {
  uploadFiles: () => ({
    file: [new File(['# Keys\n\nThey rotate.'], 'keys.md', { type: 'text/markdown' })],
  }),
  readTicketFile: () => ({ file: new File(['How do keys rotate?'], 'tickets.txt') }),
}

test('every operation does what it is for, with the records of a workspace', async () => {
  const at = { endpoint: citewell.address, retries: 0 }
  const owner = createManagement({ ...at, accessToken: realm.owner.token })
  const operator = createManagement({ ...at, accessToken: OWNER_TOKEN })
  const wrong: unknown[] = []
  let performed = 0
  for (const endpoint of inWorkingOrder(TEAM)) {
    const { operationId, answer } = endpoint
    try {
      const got = await perform(endpoint.permission === 'operate' ? operator : owner, endpoint)
      performed += 1
      if (
        'events' in answer ? (got as unknown[]).length === 0 : (got === undefined) !== (answer.status === 204)
      )
        wrong.push({ operationId, got })
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'CONFLICT' && MAY_CONFLICT.has(operationId)) continue
      // Its name and sign-in type are fixed: it is always refused.
      if (code === 'BAD_REQUEST' && operationId === 'updateMcpServer') continue
      wrong.push({ operationId, code, error: String(error) })
    }
  }
  expect(wrong).toEqual([])
  expect(performed).toBeGreaterThan(100)
}, 120_000)
