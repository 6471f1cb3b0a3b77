import { expect, test } from 'vitest'
import { refusalsOf, type Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'

const endpoints: Endpoint[] = Object.values(ENDPOINTS)

/** People of the team who ask, as readers do. */
const asksOnly = new Set(['askAsMember', 'searchAsMember'])

test('no two endpoints share a method and an address', () => {
  const addresses = endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)

  expect(new Set(addresses).size).toBe(addresses.length)
})

test('the parameters of each path are declared, and no others', () => {
  for (const { operationId, path, params } of endpoints) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect({ operationId, names: Object.keys(params?.shape ?? {}) }).toEqual({ operationId, names: inPath })
  }
})

test('what is below /api/v1/public takes a client key, all else below /api/v1 an access token', () => {
  for (const { operationId, path, caller } of endpoints) {
    const isPublic = path.startsWith('/api/v1/public/')
    const expected = isPublic ? 'public-key' : path.startsWith('/api/v1/') ? 'access-token' : 'nobody'
    expect({ operationId, caller }).toEqual({ operationId, caller: expected })
  }
})

test('whatever changes something needs more than the scope read', () => {
  const changing = endpoints.filter(
    ({ method, operationId, caller }) =>
      caller === 'access-token' && method !== 'GET' && !asksOnly.has(operationId),
  )

  expect(changing.length).toBeGreaterThan(20)
  for (const endpoint of changing) expect(endpoint).not.toMatchObject({ scope: 'read' })
})

test('a management body refuses fields that it does not know, a public one passes over them', () => {
  const unknown = { type: 'website', surely_not_a_field: 1 }
  const said = ({ body }: Endpoint) =>
    body
      ?.safeParse(unknown)
      .error?.issues.some(
        (issue) => issue.code === 'unrecognized_keys' && issue.keys.includes('surely_not_a_field'),
      )
  const bodies = endpoints.filter(({ body }) => body !== undefined)
  const lenient = bodies.filter((endpoint) => said(endpoint) !== true).map(({ operationId }) => operationId)

  const asking = bodies
    .filter(({ caller, operationId }) => caller === 'public-key' || asksOnly.has(operationId))
    .map(({ operationId }) => operationId)

  expect(bodies.length).toBeGreaterThan(20)
  expect(asking.length).toBeGreaterThan(5)
  expect(lenient.toSorted()).toEqual(asking.toSorted())
})

test('each endpoint names the refusals of its kind and its own, each once', () => {
  expect(refusalsOf(ENDPOINTS.getSource)).toEqual([
    'BAD_REQUEST',
    'UNAUTHENTICATED',
    'FORBIDDEN',
    'NOT_FOUND',
    'INTERNAL',
    'UNAVAILABLE',
  ])
  expect(refusalsOf(ENDPOINTS.chat)).toContain('WIDGET_DISABLED')
  expect(refusalsOf(ENDPOINTS.getHealth)).toEqual(['INTERNAL', 'UNAVAILABLE'])
})
