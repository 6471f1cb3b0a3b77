import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { refusalsOf, type Endpoint } from './endpoint.ts'
import { ALL_ENDPOINTS } from './all-endpoints.ts'
import { ENDPOINTS } from './endpoints.ts'
import { DeletedKnowledgeBase } from './knowledge-base-deletion.ts'

const endpoints = ALL_ENDPOINTS

/** Endpoints with which members ask, like readers do. */
const asksOnly = new Set(['askAsMember', 'searchAsMember', 'askInWorkspace', 'searchInWorkspace'])

/** Who may ask may also rate their own answers. */
const rates = new Set(['rateMessage', 'withdrawRating'])

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

/** Endpoints that give a page its public client key. */
const GIVE_THE_KEY = new Set(['getWidgetKey', 'getKeyOfSavedWidget'])

test('endpoints below /api/v1/public require a client key, except those that give it; hooks the proof of a platform; all others below /api/v1 an access token', () => {
  for (const { operationId, path, caller } of endpoints) {
    const isPublic = path.startsWith('/api/v1/public/')
    const ofPublic = GIVE_THE_KEY.has(operationId) ? 'nobody' : 'public-key'
    const ofTeam = path.startsWith('/api/v1/hooks/') ? 'platform' : 'access-token'
    const expected = isPublic ? ofPublic : path.startsWith('/api/v1/') ? ofTeam : 'nobody'
    expect({ operationId, caller }).toEqual({ operationId, caller: expected })
  }
})

test('every endpoint that changes something needs more than the scope read', () => {
  const changing = endpoints.filter(
    ({ method, operationId, caller }) =>
      caller === 'access-token' && method !== 'GET' && !asksOnly.has(operationId) && !rates.has(operationId),
  )

  expect(changing.length).toBeGreaterThan(20)
  for (const endpoint of changing) expect(endpoint).not.toMatchObject({ scope: 'read' })
})

test('management bodies refuse unknown fields, public ones ignore them', () => {
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

test('each endpoint lists the refusals of its kind and its own, without duplicates', () => {
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

verifies(
  'conventions.delete',
  'every DELETE answers 204 without a body, except that of a knowledge base, which answers 200 with what went',
  () => {
    const deleting = endpoints.filter(({ method }) => method === 'DELETE')
    expect(deleting.length).toBeGreaterThan(25)
    for (const { operationId, answer } of deleting) {
      const expected =
        operationId === 'deleteKnowledgeBase' ? { status: 200, body: DeletedKnowledgeBase } : { status: 204 }
      expect({ operationId, answer }).toEqual({ operationId, answer: expected })
    }
  },
)

/** The addresses that the two documents name, below /api/v1 unless stated otherwise. */
const NAMED = `
  GET /public/knowledge-bases/{}/suggested-questions
  POST /public/knowledge-bases/{}/related
  POST /public/feedback
  DELETE /public/feedback/{}
  POST /public/knowledge-bases/{}/chat
  POST /public/threads/{}/chat
  GET /public/knowledge-bases/{}/widget-config
  GET /public/widget-integrations/{}/config
  POST /public/knowledge-bases/{}/search
  POST /public/knowledge-bases/{}/form-deflect
  POST /public/knowledge-bases/{}/form-deflect/{}/outcome
  GET /public/knowledge-bases/{}/ws
  POST /public/openai/chat/completions
  GET /me
  GET, PATCH /workspaces/{}
  GET /workspaces/{}/usage
  GET, POST /workspaces/{}/members
  PATCH, DELETE /workspaces/{}/members/{}
  GET /workspaces/{}/activity
  GET, POST /access-tokens
  DELETE /access-tokens/{}
  GET, POST /knowledge-bases
  GET, PATCH, DELETE /knowledge-bases/{}
  GET /knowledge-bases/{}/deletion-preview
  POST /knowledge-bases/{}/archive
  POST /knowledge-bases/{}/restore
  GET, POST /knowledge-bases/{}/sources
  GET, PATCH, DELETE /sources/{}
  POST /knowledge-bases/{}/sources/preview
  POST /sources/{}/sync
  GET /sources/{}/syncs
  GET /syncs/{}
  POST /syncs/{}/cancel
  GET /syncs/{}/events
  POST /sources/{}/files
  PUT /sources/{}/documents
  DELETE /sources/{}/documents/{}
  GET /knowledge-bases/{}/documents
  GET, PATCH, DELETE /documents/{}
  GET, POST /knowledge-bases/{}/source-groups
  PATCH, DELETE /source-groups/{}
  GET, POST /knowledge-bases/{}/client-keys
  PATCH, DELETE /client-keys/{}
  GET, POST /knowledge-bases/{}/widgets
  GET, PATCH, DELETE /widgets/{}
  GET, POST /knowledge-bases/{}/mcp-servers
  PATCH, DELETE /mcp-servers/{}
  GET, POST /knowledge-bases/{}/webhook-triggers
  DELETE /webhook-triggers/{}
  GET /webhook-triggers/{}/deliveries
  POST /webhook-deliveries/{}/redeliver
  GET, POST /knowledge-bases/{}/custom-answers
  PATCH, DELETE /custom-answers/{}
  GET /knowledge-bases/{}/conversations
  GET, DELETE /conversations/{}
  GET /messages/{}/trace
  GET /knowledge-bases/{}/analytics
  GET, POST /knowledge-bases/{}/form-deflectors
  GET, PATCH, DELETE /form-deflectors/{}
  GET, POST /knowledge-bases/{}/bots
  GET, PATCH, DELETE /bots/{}
  GET, POST /knowledge-bases/{}/helpdesk-integrations
  GET, PATCH, DELETE /helpdesk-integrations/{}
  GET, POST /knowledge-bases/{}/agent-apps
  GET, PATCH, DELETE /agent-apps/{}
  GET, POST /knowledge-bases/{}/simulations
  GET, DELETE /simulations/{}
  GET, POST /knowledge-bases/{}/approvals
  GET, PATCH, DELETE /approvals/{}`

verifies('openapi.contract-addresses', 'every address named in the documents is an endpoint', () => {
  const named = NAMED.trim()
    .split('\n')
    .flatMap((line) => {
      const [, methods = '', path = ''] = /^\s*([A-Z, ]+) (\/\S+)$/.exec(line) ?? []
      return methods.split(', ').map((method) => `${method} /api/v1${path}`)
    })
  const served = endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)

  expect(served).toEqual(expect.arrayContaining([...named, 'GET /healthz', 'GET /readyz', 'GET /metrics']))
})
