import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { takesIdempotencyKey, type Endpoint } from '@citewell/contract/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWNER_TOKEN, startTestService, type TestService } from '../../service/test/start-service.ts'
import { createManagement, type Management, type SyncFrame } from '../src/management.ts'
import { errorOf } from './error-of.ts'

let citewell: TestService
let management: Management
let baseId: string
beforeAll(async () => {
  citewell = await startTestService()
  management = createManagement({ endpoint: citewell.address, accessToken: OWNER_TOKEN })
  baseId = (await management.createKnowledgeBase({ name: 'Managed' })).id
})
afterAll(() => citewell[Symbol.asyncDispose]())

const OPERATIONS: readonly Endpoint[] = ALL_ENDPOINTS.filter(({ caller }) => caller === 'access-token')
const ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'

/** Calls a method by its name with an id for each of its parameters, and a body or query if it takes one. */
function call(
  client: Management,
  { operationId, path, body, query }: Endpoint,
  options?: object,
): Promise<unknown> {
  const ids = [...path.matchAll(/\{/g)].map(() => ID)
  const input = [body, query].filter((given) => given !== undefined).map(() => ({}))
  const method = client[operationId as keyof Management] as (...args: unknown[]) => unknown
  const answer = method(...ids, ...input, options)
  if (answer instanceof Promise) return answer
  return (answer as AsyncGenerator).next()
}

test('every method sends the request of its operation', async () => {
  for (const endpoint of OPERATIONS) {
    const sent: Request[] = []
    const client = createManagement({
      endpoint: 'http://citewell.test/base',
      accessToken: 'token',
      retries: 0,
      fetch: async (input, init) => {
        sent.push(new Request(input, init))
        return new Response(null, { status: 204 })
      },
    })
    await call(client, endpoint).catch(() => undefined)
    const [request] = sent
    const path = endpoint.path.replaceAll(/\{\w+\}/g, ID)
    expect({
      operation: endpoint.operationId,
      method: request?.method,
      url: request?.url,
      hasBody: (await request?.text()) !== '',
      hasKey: request?.headers.has('idempotency-key'),
    }).toEqual({
      operation: endpoint.operationId,
      method: endpoint.method,
      url: `http://citewell.test/base${path}`,
      hasBody: endpoint.body !== undefined,
      hasKey: takesIdempotencyKey(endpoint),
    })
    expect(request?.headers.get('authorization')).toBe('Bearer token')
  }
})

test('every method throws the refusal of a wrong token', { tags: ['long'] }, async () => {
  const stranger = createManagement({ endpoint: citewell.address, accessToken: 'wrong', retries: 0 })
  for (const endpoint of OPERATIONS) {
    const error = await errorOf(call(stranger, endpoint))
    expect({ operation: endpoint.operationId, code: error.code, status: error.status }).toEqual({
      operation: endpoint.operationId,
      code: 'UNAUTHENTICATED',
      status: 401,
    })
  }
})

test('every method ends with CANCELLED when it is aborted', async () => {
  for (const endpoint of OPERATIONS) {
    const error = await errorOf(call(management, endpoint, { signal: AbortSignal.abort() }))
    expect({ operation: endpoint.operationId, code: error.code }).toEqual({
      operation: endpoint.operationId,
      code: 'CANCELLED',
    })
  }
})

test('a list gives its first page, and every record over its pages', async () => {
  for (const question of ['One?', 'Two?', 'Three?'])
    await management.createCustomAnswer(baseId, { question, answer: 'Yes.' })
  const page = await management.listCustomAnswers(baseId, { limit: 2 })
  expect(page.data).toHaveLength(2)
  expect(page.next_cursor).not.toBeNull()
  const questions: string[] = []
  for await (const { question } of management.listCustomAnswers(baseId, { limit: 2 }))
    questions.push(question)
  expect(questions.toSorted()).toEqual(['One?', 'Three?', 'Two?'])
  let count = 0
  for await (const _ of management.listCustomAnswers(baseId, { limit: 1 }).all()) count += 1
  expect(count).toBe(3)
})

test('a creation that is sent twice with one key happens once', async () => {
  const idempotencyKey = crypto.randomUUID()
  const body = { name: 'Twice' } as const
  const [first, second] = [
    await management.createKnowledgeBase(body, { idempotencyKey }),
    await management.createKnowledgeBase(body, { idempotencyKey }),
  ]
  expect(second.id).toBe(first.id)
})

test('files are uploaded, and their sync followed to its end', async () => {
  const source = await management.createSource(baseId, { type: 'files', name: 'Files', config: {} })
  const file = new File(['# Keys\n\nThey rotate every day.'], 'keys.md', { type: 'text/markdown' })
  const { sync } = await management.uploadFiles(source.id, { file: [file] })
  let last: Exclude<SyncFrame, { error: string }> | undefined
  for await (const frame of management.followSync(sync.id)) last = frame
  expect(last).toMatchObject({ status: 'succeeded', counts: { added: 1 }, errors: [] })
  await management.deleteSource(source.id)
  expect(await errorOf(management.getSource(source.id))).toMatchObject({ code: 'NOT_FOUND', status: 404 })
})

test('a refused body names its fields', async () => {
  const error = await errorOf(management.createKnowledgeBase({ name: 'x' }))
  expect(error).toMatchObject({ code: 'BAD_REQUEST', retryable: false })
  expect(error.details?.[0]).toMatchObject({ path: 'name' })
})

test('an id cannot leave its place in the path', async () => {
  expect(() => management.getSource('..')).toThrow(TypeError)
  expect(await errorOf(management.getSource('../knowledge-bases'))).toMatchObject({ status: 400 })
})
