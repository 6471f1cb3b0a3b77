import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { newId } from '../../kernel/ids.ts'

interface Base {
  id: string
  client_key: { id: string; key: string }
  widget: { id: string; name: string }
}
type Body = Record<string, unknown>

let team: TestManagement
let api: Awaited<ReturnType<typeof startPublicApi>>
/** The same API with CAPTCHA on. */
let guarded: typeof api

beforeAll(async () => {
  team = await openTestManagement()
  api = await startPublicApi({ storage: team.storage })
  guarded = await startPublicApi({
    storage: team.storage,
    captcha: {
      provider: 'turnstile',
      siteKey: 'site-key',
      secret: 'secret',
      minScore: 0.5,
      hostnames: [],
      verifyUrl: 'http://127.0.0.1:9',
      whenUnavailable: 'refuse',
    },
  })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await guarded[Symbol.asyncDispose]()
  await team.close()
})

const makeBase = (name = 'Acme docs') => team.ask<Base>('POST', '/knowledge-bases', { name })

async function get(path: string, headers: Record<string, string>, from = api) {
  const response = await from.send(`/public${path}`, { headers })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}

const configOf = (base: Base, headers: Record<string, string> = {}, from = api) =>
  get(`/knowledge-bases/${base.id}/widget-config`, { 'x-client-key': base.client_key.key, ...headers }, from)
const savedOf = (base: Base, widgetId: string, headers: Record<string, string> = {}) =>
  get(`/widget-integrations/${widgetId}/config`, { 'x-client-key': base.client_key.key, ...headers })

async function makePair(base: Base): Promise<Record<string, string>> {
  const pair = await team.ask('POST', `/knowledge-bases/${base.id}/client-keys`, {
    name: 'x',
    kind: 'secret',
  })
  return { 'x-client-id': pair['client_id'] ?? '', 'x-client-secret': pair['client_secret'] ?? '' }
}

async function withPlan<Result>(plan: 'free' | 'pro' | 'enterprise', run: () => Promise<Result>) {
  const setPlan = (to: typeof plan) => team.db.updateTable('workspaces').set({ plan: to }).execute()
  await setPlan(plan)
  try {
    return await run()
  } finally {
    await setPlan('enterprise')
  }
}

verifies(
  [
    'widgets.config.base',
    'widgets.config.mcp-unavailable',
    'widgets.config.key',
    'widgets.config.hide-branding',
    'widgets.config.captcha-required',
    'widgets.config.captcha-site-key',
  ],
  'widget-config has the fields of the contract',
  async () => {
    const base = await makeBase('Acme API')

    expect((await configOf(base)).body).toEqual({
      knowledge_base_id: base.id,
      knowledge_base_name: 'Acme API',
      captcha_required: false,
      captcha_site_key: '',
      hide_branding_allowed: true,
      mcp_available: false,
    })
    expect((await configOf(base, {}, guarded)).body).toMatchObject({
      captcha_required: true,
      captcha_site_key: 'site-key',
      captcha_provider: 'turnstile',
    })
    const pair = await makePair(base)
    const path = `/knowledge-bases/${base.id}/widget-config`
    expect((await get(path, pair, guarded)).body).toMatchObject({ captcha_required: false })
    for (const plan of ['free', 'pro'] as const) {
      const { body } = await withPlan(plan, () => configOf(base))
      expect([plan, body['hide_branding_allowed']]).toEqual([plan, false])
    }
  },
)

verifies(
  'widgets.config.key',
  'widget-config is refused without a key, and with a key of another base',
  async () => {
    const [base, other] = [await makeBase(), await makeBase()]
    const path = `/knowledge-bases/${base.id}/widget-config`

    expect((await get(path, {})).status).toBe(401)
    expect((await get(path, { 'x-client-key': other.client_key.key })).status).toBe(404)
    expect(
      (await get('/knowledge-bases/acme/widget-config', { 'x-client-key': base.client_key.key })).status,
    ).toBe(400)
  },
)

verifies(
  ['widgets.config.mcp-available', 'widgets.config.mcp-oauth', 'traps.get-makes-a-server'],
  'if readers can sign in, the first load creates a Public server, and every load returns its address',
  async () => {
    await using withSignIn = await startPublicApi({ storage: team.storage, offersMcpSignIn: true })
    await using another = await startPublicApi({ storage: team.storage, offersMcpSignIn: true })
    const base = await makeBase('Sign in docs')
    const loads = await Promise.all(
      Array.from({ length: 100 }, (_, place) => configOf(base, {}, place % 2 === 0 ? withSignIn : another)),
    )
    const serversOf = async ({ id }: { id: string }) =>
      (await team.send('GET', `/knowledge-bases/${id}/mcp-servers`)).body['data']
    expect(await serversOf(base)).toHaveLength(1)

    expect(new Set(loads.map(({ body }) => body['mcp_url']))).toEqual(
      new Set(['https://answers.example.com/mcp/sign-in-docs']),
    )
    expect(loads[0]?.body).toMatchObject({ mcp_available: true, mcp_oauth: true })
    const silent = await makeBase('Never asked')
    await configOf(silent)
    const path = `/knowledge-bases/${silent.id}/widget-config`
    expect((await get(path, { 'x-client-key': base.client_key.key }, withSignIn)).status).toBe(404)
    const elsewhere = { origin: 'https://elsewhere.example.com' }
    await team.ask('PATCH', `/client-keys/${silent.client_key.id}`, {
      allowed_origins: ['https://docs.example.com'],
    })
    expect((await configOf(silent, elsewhere, withSignIn)).status).toBe(403)
    expect(await serversOf(silent)).toEqual([])

    const namesake = await makeBase('Sign in docs')
    const { body } = await configOf(namesake, {}, withSignIn)
    expect(body['mcp_url']).toMatch(/^https:\/\/answers\.example\.com\/mcp\/sign-in-docs-\w+$/)
  },
)

verifies(
  [
    'widgets.saved.fields',
    'widgets.saved.exit-feedback',
    'widgets.saved.satisfaction-feedback',
    'widgets.saved.satisfaction-after',
  ],
  'a saved widget gets its settings too, with three of them overridden',
  async () => {
    const base = await makeBase()
    const { body: plain } = await configOf(base)
    const saved = await savedOf(base, base.widget.id)
    expect(saved.status).toBe(200)
    expect(saved.body).toEqual({
      ...plain,
      id: base.widget.id,
      enabled: true,
      config: { exit_feedback_enabled: false, satisfaction_feedback_enabled: false },
    })

    await team.ask('PATCH', `/widgets/${base.widget.id}`, {
      config: {
        accent_color: '#0b7a75',
        exit_feedback_enabled: true,
        satisfaction_feedback_enabled: true,
        satisfaction_after_answers: 3,
      },
    })
    expect((await savedOf(base, base.widget.id.toUpperCase())).body).toMatchObject({ id: base.widget.id })
    expect((await savedOf(base, base.widget.id)).body['config']).toEqual({
      accent_color: '#0b7a75',
      exit_feedback_enabled: false,
      satisfaction_feedback_enabled: false,
    })
  },
)

verifies(
  ['widgets.saved.disabled', 'widgets.saved.origin', 'widgets.saved.unknown'],
  'a widget that is disabled, not for this page, of another base or unknown is refused',
  async () => {
    const [base, other] = [await makeBase(), await makeBase()]
    const refusalOf = async (widgetId: string, headers?: Record<string, string>) => {
      const { status, body } = await savedOf(base, widgetId, headers)
      return [status, body['code']]
    }

    expect(await refusalOf(newId())).toEqual([404, 'NOT_FOUND'])
    expect(await refusalOf(other.widget.id)).toEqual([404, 'NOT_FOUND'])
    expect(await refusalOf('not-an-id')).toEqual([400, 'BAD_REQUEST'])
    await team.ask('PATCH', `/widgets/${base.widget.id}`, { allowed_origins: ['https://docs.example.com'] })
    expect(await refusalOf(base.widget.id, { origin: 'https://elsewhere.example' })).toEqual([
      403,
      'ORIGIN_NOT_ALLOWED',
    ])
    expect(await refusalOf(base.widget.id, { origin: 'https://docs.example.com' })).toEqual([200, undefined])
    expect(await refusalOf(base.widget.id)).toEqual([200, undefined])
    await team.ask('PATCH', `/widgets/${base.widget.id}`, { enabled: false })
    expect(await refusalOf(base.widget.id)).toEqual([403, 'WIDGET_DISABLED'])
  },
)

verifies(
  [
    'widgets.gate.disabled',
    'widgets.gate.origin',
    'widgets.gate.unknown',
    'widgets.gate.bad-id',
    'widgets.key-origins-alone',
  ],
  'a question and a search that name a widget must pass its checks; without a widget there are none',
  async () => {
    const [base, other] = [await makeBase(), await makeBase()]
    const ask = async (endpoint: string, body: object, origin?: string) => {
      const response = await api.send(`/public/knowledge-bases/${base.id}/${endpoint}`, {
        headers: { 'x-client-key': base.client_key.key, ...(origin !== undefined && { origin }) },
        body: { query: 'keys', ...body },
      })
      if (response.ok) return [response.status]
      return [response.status, ((await response.json()) as Body)['code']]
    }
    const setWidget = (change: object) => team.ask('PATCH', `/widgets/${base.widget.id}`, change)
    const named = { widget_id: base.widget.id }

    for (const endpoint of ['chat', 'search']) {
      await setWidget({ enabled: true, allowed_origins: ['https://docs.example.com'] })
      expect(await ask(endpoint, { widget_id: other.widget.id })).toEqual([404, 'NOT_FOUND'])
      expect(await ask(endpoint, { widget_id: newId() })).toEqual([404, 'NOT_FOUND'])
      expect(await ask(endpoint, { widget_id: 'it' })).toEqual([400, 'BAD_REQUEST'])
      expect(await ask(endpoint, named, 'https://elsewhere.example')).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
      expect(await ask(endpoint, named, 'https://docs.example.com')).toEqual([200])
      expect(await ask(endpoint, {}, 'https://elsewhere.example')).toEqual([200])
      await setWidget({ enabled: false })
      expect(await ask(endpoint, named, 'https://docs.example.com')).toEqual([403, 'WIDGET_DISABLED'])
      expect(await ask(endpoint, {})).toEqual([200])
    }
  },
)

verifies('widgets.voice', 'a question that names a widget is answered in its style', async () => {
  await using llm = await startFakeLlm(fakeLlm.replies(() => 'Signing keys are rotated every day [1].'))
  await using written = await startPublicApi({ storage: team.storage, modelUrl: llm.baseUrl })
  const base = await written.makeAskable(
    [{ title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }],
    { base: { persona: 'A support engineer.', tone: 'Short.' } },
  )
  const widget = {
    knowledge_base_id: base.id,
    id: newId(),
    name: 'Library',
    enabled: true,
    allowed_origins: [],
    config: JSON.stringify({ persona: 'A patient librarian.', tone: null }),
    created_at: new Date(),
    updated_at: new Date(),
  }
  await team.db.insertInto('widgets').values(widget).execute()
  const promptOf = async (body: object) => {
    const before = llm.requests.length
    const response = await written.send(`/public/knowledge-bases/${base.id}/chat`, {
      headers: { 'x-client-key': base.key },
      body: { query: 'When are signing keys rotated?', ...body },
    })
    await response.text()
    return JSON.stringify(llm.requests.slice(before).map((request) => request.body.messages))
  }

  const named = await promptOf({ widget_id: widget.id })
  expect(named).toContain('A patient librarian.')
  expect(named).toContain('Short.')
  expect(named).not.toContain('A support engineer.')
  expect(await promptOf({})).toContain('A support engineer.')
})

test('a widget remembers the page that showed it last, and no page of the service nor a server', async () => {
  const base = await makeBase('Seen docs')
  const seen = async () => await team.ask<Body>('GET', `/widgets/${base.widget.id}`)
  expect(await seen()).toMatchObject({ last_seen_at: null, last_seen_origin: null })
  await configOf(base)
  await configOf(base, { origin: 'null' })
  expect(await seen()).toMatchObject({ last_seen_at: null, last_seen_origin: null })

  await configOf(base, { origin: 'https://docs.example.com' })
  expect(await seen()).toMatchObject({
    last_seen_at: expect.stringMatching(/^\d{4}-/),
    last_seen_origin: 'https://docs.example.com',
  })
  const other = await team.ask<{ id: string }>('POST', `/knowledge-bases/${base.id}/widgets`, {
    name: 'Other',
  })
  await get(`/widget-integrations/${other.id}/config`, {
    'x-client-key': base.client_key.key,
    origin: 'https://help.example.com',
  })
  expect(await team.ask('GET', `/widgets/${other.id}`)).toMatchObject({
    last_seen_origin: 'https://help.example.com',
  })
  expect(await seen()).toMatchObject({ last_seen_origin: 'https://docs.example.com' })
})
