import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { newId } from '../../kernel/ids.ts'

interface Base {
  id: string
  client_key: { id: string; key: string }
  widget: { id: string }
}
type Body = Record<string, unknown>

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

const makeBase = () => team.ask<Base>('POST', '/knowledge-bases', { name: 'Acme docs' })
const makeKey = (base: Base, fields: object) =>
  team.ask<{ id: string; key: string }>('POST', `/knowledge-bases/${base.id}/client-keys`, {
    name: 'Another',
    kind: 'public',
    ...fields,
  })
const limitKey = (keyId: string, origins: string[]) =>
  team.ask('PATCH', `/client-keys/${keyId}`, { allowed_origins: origins })
const revoke = (keyId: string) => team.send('DELETE', `/client-keys/${keyId}`)

async function get(path: string, origin?: string) {
  const response = await api.send(`/public${path}`, { headers: origin === undefined ? {} : { origin } })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}
const keyOf = (base: { id: string }, origin?: string) => get(`/knowledge-bases/${base.id}/widget-key`, origin)
const keyOfWidget = (widgetId: string, origin?: string) =>
  get(`/widget-integrations/${widgetId}/widget-key`, origin)
const outcome = ({ status, body }: { status: number; body: Body }) =>
  status === 200 ? body['client_key'] : [status, body['code']]

const DOCS = 'https://docs.example.com'
const SHOP = 'https://shop.example.com'

verifies(
  ['widgets.key.of-the-base', 'widgets.key.of-a-widget'],
  'a page that knows the base or the widget gets the key that was made with the base, and may ask with it',
  async () => {
    const base = await makeBase()
    await makeKey(base, {})
    const found = await keyOf(base, DOCS)

    expect([found.status, found.body]).toEqual([
      200,
      { knowledge_base_id: base.id, client_key: base.client_key.key },
    ])
    expect((await keyOfWidget(base.widget.id.toUpperCase())).body).toEqual(found.body)
    expect(Object.fromEntries(found.headers)).toMatchObject({
      'access-control-allow-origin': DOCS,
      'cache-control': 'max-age=60',
      vary: 'Origin',
    })
    const config = await api.send(`/public/knowledge-bases/${base.id}/widget-config`, {
      headers: { 'x-client-key': String(found.body['client_key']), origin: DOCS },
    })
    expect(config.status).toBe(200)
    const preflight = await api.send(`/public/knowledge-bases/${base.id}/widget-key`, {
      method: 'OPTIONS',
      headers: { origin: DOCS, 'access-control-request-method': 'GET' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, DOCS])
  },
)

verifies(
  'widgets.key.stays-limited',
  'a limited key goes to its own pages alone; another key goes only to pages that it names itself',
  async () => {
    const base = await makeBase()
    const open = await makeKey(base, {})
    await makeKey(base, { allowed_origins: [SHOP], kind: 'secret' })
    await limitKey(base.client_key.id, [DOCS])

    expect(outcome(await keyOf(base, DOCS))).toBe(base.client_key.key)
    expect(outcome(await keyOf(base))).toBe(base.client_key.key)
    const refused = await keyOf(base, SHOP)
    expect(outcome(refused)).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
    // The owner of the page has to learn why.
    expect(refused.headers.get('access-control-allow-origin')).toBe(SHOP)
    expect(refused.headers.get('cache-control')).toBe('no-store')

    const shop = await makeKey(base, { allowed_origins: [SHOP] })
    expect(outcome(await keyOf(base, SHOP))).toBe(shop.key)
    expect(outcome(await keyOf(base, DOCS))).toBe(base.client_key.key)
    await revoke(shop.id)
    expect(outcome(await keyOf(base, SHOP))).toEqual([403, 'ORIGIN_NOT_ALLOWED'])

    await revoke(base.client_key.id)
    expect(outcome(await keyOf(base, SHOP))).toBe(open.key)
    await revoke(open.id)
    expect(outcome(await keyOf(base, DOCS))).toEqual([401, 'UNAUTHENTICATED'])
  },
)

verifies(
  ['widgets.key.of-a-widget', 'widgets.key.stays-limited'],
  'a widget that is off, not for the page or unknown gives no key',
  async () => {
    const base = await makeBase()
    const change = (fields: object) => team.ask('PATCH', `/widgets/${base.widget.id}`, fields)

    await change({ allowed_origins: [DOCS] })
    expect(outcome(await keyOfWidget(base.widget.id, SHOP))).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
    expect(outcome(await keyOfWidget(base.widget.id, DOCS))).toBe(base.client_key.key)
    await change({ enabled: false })
    expect(outcome(await keyOfWidget(base.widget.id, DOCS))).toEqual([403, 'WIDGET_DISABLED'])
    expect(outcome(await keyOfWidget(newId()))).toEqual([404, 'NOT_FOUND'])
    expect(outcome(await keyOfWidget('it'))).toEqual([400, 'BAD_REQUEST'])
  },
)

verifies(
  'widgets.key.stays-limited',
  'an archived, an internal, a deleted and an unknown base give no key, each with its own code',
  async () => {
    const base = await makeBase()
    await team.ask('POST', `/knowledge-bases/${base.id}/archive`)
    expect(outcome(await keyOf(base))).toEqual([403, 'KNOWLEDGE_BASE_ARCHIVED'])
    expect(outcome(await keyOfWidget(base.widget.id))).toEqual([403, 'KNOWLEDGE_BASE_ARCHIVED'])
    await team.ask('POST', `/knowledge-bases/${base.id}/restore`)
    await team.ask('PATCH', `/knowledge-bases/${base.id}`, { type: 'internal' })
    expect(outcome(await keyOf(base))).toEqual([403, 'KNOWLEDGE_BASE_INTERNAL'])
    await team.ask('DELETE', `/knowledge-bases/${base.id}`, { confirm: 'Acme docs' })
    expect(outcome(await keyOf(base))).toEqual([404, 'NOT_FOUND'])
    expect(outcome(await keyOf({ id: newId() }))).toEqual([404, 'NOT_FOUND'])

    // One that was never public is not there for outsiders.
    const hidden = await team.ask<Base>('POST', '/knowledge-bases', { name: 'Handbook', type: 'internal' })
    expect(outcome(await keyOf(hidden))).toEqual([404, 'NOT_FOUND'])
  },
)

verifies(
  'widgets.key.of-the-base',
  'requests for keys are counted by the address of the reader',
  async () => {
    await using limited = await startPublicApi({ storage: team.storage, limits: { widgetKeyPerAddress: 2 } })
    const base = await makeBase()
    const path = `/knowledge-bases/${base.id}/widget-key`
    // Processes on one database count together: an address that no other test asks from.
    const ask = async (of: string) =>
      await limited.send(`/public${of}`, { headers: { origin: DOCS, 'x-forwarded-for': '203.0.113.77' } })
    const answers = [
      await ask(path),
      await ask(`/widget-integrations/${base.widget.id}/widget-key`),
      await ask(path),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"widget-key-address";r=1;t=\d+$/)
    expect(await answers[2]?.json()).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0)
  },
)
