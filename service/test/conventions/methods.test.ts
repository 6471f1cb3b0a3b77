import { isForPages } from '@citewell/contract/endpoint'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { startTestService, type TestService } from '../start-service.ts'
import { endpoints } from './api-world.ts'

let citewell: TestService

beforeAll(async () => {
  citewell = await startTestService()
})
afterAll(() => citewell[Symbol.asyncDispose]())

const ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'
const byPath = [...Map.groupBy(endpoints, ({ path }) => path)]

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const address = `${citewell.address}${path.replaceAll(/\{\w+\}/g, ID)}`
  const response = await citewell.service.fetch(new Request(address, { method, headers }))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const namesOf = (allow: string | null) => (allow ?? '').split(', ').toSorted()

verifies(
  'conventions.methods',
  'every address lists its methods, and refuses the others with 405',
  async () => {
    expect(byPath.length).toBeGreaterThan(50)
    for (const [path, group] of byPath) {
      const taken = group.map(({ method }) => method as string)
      const all = [...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted()
      const other = ['PUT', 'PATCH', 'DELETE', 'POST'].find((method) => !taken.includes(method)) ?? 'BREW'
      const refused = await ask(other, path)
      expect([path, refused.status, namesOf(refused.headers.get('allow'))]).toEqual([path, 405, all])
      expect(JSON.parse(refused.text)).toMatchObject({ code: 'METHOD_NOT_ALLOWED', retryable: false })
      const options = await ask('OPTIONS', path)
      expect([path, options.status, namesOf(options.headers.get('allow')), options.text]).toEqual([
        path,
        204,
        all,
        '',
      ])
      if (!taken.includes('GET')) continue
      const [get, head] = [await ask('GET', path), await ask('HEAD', path)]
      expect([path, head.status]).toEqual([path, get.status])
    }
  },
)

verifies(
  'conventions.methods',
  'a page of another origin can read that an address for pages has no such method, and nothing of the others',
  async () => {
    const origin = 'https://docs.example.com'
    for (const [path, group] of byPath) {
      const taken = group.map(({ method }) => method as string)
      const other = ['PUT', 'PATCH', 'DELETE', 'POST'].find((method) => !taken.includes(method)) ?? 'BREW'
      const { status, headers } = await ask(other, path, { origin })
      const readers = group.some((endpoint) => isForPages(endpoint)) ? origin : null
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 405, readers])
    }
  },
)

verifies(
  'conventions.request-id',
  'every answer has a request id: the caller’s if it is valid, or else a new one',
  async () => {
    const insane = ['x'.repeat(129), 'a b', '<script>', 'a"b', '']
    for (const [path, [endpoint]] of byPath) {
      const method = endpoint?.method ?? 'GET'
      const own = await ask(method, path, { 'x-request-id': 'trace-1:a/b@c' })
      expect([path, own.headers.get('x-request-id')]).toEqual([path, 'trace-1:a/b@c'])
      if (own.status >= 400)
        expect([path, own.text.includes('"request_id":"trace-1:a/b@c"')]).toEqual([path, true])
      const other = await ask(method, path, { 'x-request-id': insane[path.length % insane.length] ?? '' })
      expect([path, other.headers.get('x-request-id')]).toEqual([
        path,
        expect.stringMatching(/^[0-9a-f-]{36}$/),
      ])
    }
    expect((await ask('GET', '/nowhere', { 'x-request-id': 'mine' })).headers.get('x-request-id')).toBe(
      'mine',
    )
  },
)

verifies(
  'conventions.api-v1',
  'all endpoints except health, metrics and documents are below /api/v1',
  async () => {
    const elsewhere = endpoints.filter(({ path }) => !path.startsWith('/api/v1/')).map(({ path }) => path)
    expect(elsewhere.toSorted()).toEqual(['/healthz', '/metrics', '/readyz'])
  },
)

verifies(
  'openapi.published',
  'the document is OpenAPI 3.1 and contains every served endpoint, as declared',
  async () => {
    const { status, headers, text } = await ask('GET', '/openapi.json')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    const document = JSON.parse(text) as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string }>>
    }
    expect(document.openapi).toBe('3.1.0')
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    )
    expect(listed.toSorted()).toEqual(
      endpoints.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`).toSorted(),
    )
  },
)
