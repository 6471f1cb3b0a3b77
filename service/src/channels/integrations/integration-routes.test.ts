import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let bases = 0

beforeAll(async () => {
  citewell = await startTestService()
})
afterAll(() => citewell[Symbol.asyncDispose]())

const send = async (method: string, path: string, body?: unknown) => {
  const response = await citewell.send(method, `/api/v1${path}`, body)
  const text = await response.text()
  const read = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> & { id: string }
  return { status: response.status, body: read }
}
const makeBase = async (): Promise<{ id: string; name: string }> => {
  bases += 1
  const { body } = await send('POST', '/knowledge-bases', { name: `Acme ${bases}` })
  return { id: body.id, name: `Acme ${bases}` }
}

/** Creates, lists, reads, changes and deletes a record; returns what was created. */
async function goThrough(
  baseId: string,
  noun: string,
  given: object,
  change: object,
): Promise<Record<string, unknown>> {
  const created = await send('POST', `/knowledge-bases/${baseId}/${noun}`, given)
  expect(created).toMatchObject({ status: 201, body: { knowledge_base_id: baseId, ...given } })
  const path = `/${noun}/${created.body.id}`
  expect(await send('GET', `/knowledge-bases/${baseId}/${noun}`)).toMatchObject({
    status: 200,
    body: { data: [{ id: created.body.id }], next_cursor: null },
  })
  expect(await send('GET', path)).toEqual({ status: 200, body: created.body })
  expect(await send('PATCH', path, change)).toMatchObject({
    status: 200,
    body: { id: created.body.id, ...change },
  })
  expect((await send('PATCH', path, { surprise: 1 })).status).toBe(400)
  expect((await send('DELETE', path)).status).toBe(204)
  expect((await send('GET', path)).status).toBe(404)
  return created.body
}

verifies('bots.records', 'bots are managed over the management API', async () => {
  const base = await makeBase()
  const bot = { name: 'Help', platform: 'slack', config: { channel: 'help' } }
  expect(await goThrough(base.id, 'bots', bot, { enabled: false })).toMatchObject({
    enabled: true,
    has_credentials: false,
    answers_internal: false,
  })
})

verifies(
  'helpdesk-integrations.records',
  'help-desk integrations are managed over the management API',
  async () => {
    const base = await makeBase()
    const desk = { name: 'Support', platform: 'zendesk', handles: 'chats' }
    await goThrough(base.id, 'helpdesk-integrations', desk, { name: 'Front desk' })
  },
)

verifies('agent-apps.records', 'agent apps are managed over the management API', async () => {
  const base = await makeBase()
  await goThrough(base.id, 'agent-apps', { name: 'Refunds', description: 'Pays back.' }, { enabled: false })
})

verifies(
  ['bots.counted', 'helpdesk-integrations.counted', 'agent-apps.counted'],
  'the integrations of a base are counted before its deletion, and deleted with it',
  async () => {
    const base = await makeBase()
    const nouns = {
      bots: { platform: 'slack' },
      'helpdesk-integrations': { platform: 'other' },
      'agent-apps': {},
    }
    const paths: string[] = []
    for (const [noun, fields] of Object.entries(nouns)) {
      const { body } = await send('POST', `/knowledge-bases/${base.id}/${noun}`, { name: 'One', ...fields })
      paths.push(`/${noun}/${body.id}`)
    }
    const { body: preview } = await send('GET', `/knowledge-bases/${base.id}/deletion-preview`)
    expect(preview['counts']).toMatchObject({ bots: 1, helpdesk_integrations: 1, agent_apps: 1 })
    const deleted = await send('DELETE', `/knowledge-bases/${base.id}`, { confirm: base.name })
    expect(deleted.body['counts']).toMatchObject({ bots: 1, helpdesk_integrations: 1, agent_apps: 1 })
    for (const path of paths) expect((await send('GET', path)).status).toBe(404)
  },
)

verifies(
  ['bots.internal-keep-answering', 'bots.internal-acknowledged', 'traps.bots-of-an-internal-base'],
  'a bot stays when its base becomes internal, and its record shows it; creating one requires an acknowledgement; each is switched off alone',
  async () => {
    const base = await makeBase()
    const { body: bot } = await send('POST', `/knowledge-bases/${base.id}/bots`, {
      name: 'Old',
      platform: 'slack',
    })
    await send('PATCH', `/knowledge-bases/${base.id}`, { type: 'internal' })
    expect((await send('GET', `/bots/${bot.id}`)).body).toMatchObject({
      enabled: true,
      answers_internal: true,
    })
    const another = { name: 'New', platform: 'slack' }
    expect(await send('POST', `/knowledge-bases/${base.id}/bots`, another)).toMatchObject({
      status: 409,
      body: { code: 'CONFIRMATION_REQUIRED', error: expect.stringContaining('acknowledge_internal') },
    })
    const acknowledged = { ...another, acknowledge_internal: true }
    const added = await send('POST', `/knowledge-bases/${base.id}/bots`, acknowledged)
    expect(added).toMatchObject({ status: 201, body: { answers_internal: true } })
    await send('PATCH', `/bots/${bot.id}`, { enabled: false })
    expect((await send('GET', `/bots/${bot.id}`)).body).toMatchObject({ answers_internal: false })
    expect((await send('GET', `/bots/${added.body.id}`)).body).toMatchObject({ answers_internal: true })
    const turnOn = (more: object = {}) => send('PATCH', `/bots/${bot.id}`, { enabled: true, ...more })
    expect(await turnOn()).toMatchObject({ status: 409, body: { code: 'CONFIRMATION_REQUIRED' } })
    expect((await send('GET', `/bots/${bot.id}`)).body).toMatchObject({ enabled: false })
    expect(await turnOn({ acknowledge_internal: true })).toMatchObject({ status: 200 })
    // It is on already: nobody new is answered.
    expect(await turnOn({ name: 'Older' })).toMatchObject({ status: 200 })
    const credentials = { bot_token: 'xoxb-1', signing_secret: 's' }
    expect(await turnOn({ credentials })).toMatchObject({
      status: 409,
      body: { code: 'CONFIRMATION_REQUIRED' },
    })
    expect(await turnOn({ credentials, acknowledge_internal: true })).toMatchObject({ status: 200 })
    expect(await turnOn({ credentials })).toMatchObject({ status: 200 })
    const desk = { name: 'Desk', platform: 'other' }
    expect(await send('POST', `/knowledge-bases/${base.id}/helpdesk-integrations`, desk)).toMatchObject({
      status: 403,
      body: { code: 'KNOWLEDGE_BASE_INTERNAL' },
    })
  },
)

verifies(
  ['approvals.actions-valid', 'bots.credentials-kept'],
  'an action that is not as it should be is refused when it is saved, and so is a credential without a value',
  async () => {
    const base = await makeBase()
    const path = `/knowledge-bases/${base.id}/agent-apps`
    const url = 'https://shop.example.com/refund'
    const make = (config: object) => send('POST', path, { name: 'Refunds', config })
    const wrong: [object, string][] = [
      [{ actions: {} }, 'config.actions'],
      [{ actions: [{ name: 'refund', url }, { name: 'ship' }] }, 'config.actions[1].url'],
      [{ actions: [{ name: 'refund', url: 'javascript:alert(1)' }] }, 'config.actions[0].url'],
      [{ actions: [{ name: 'refund', url, surprise: 1 }] }, 'config.actions[0]'],
      [
        {
          actions: [
            { name: 'refund', url },
            { name: 'refund', url },
          ],
        },
        'config.actions[1].name',
      ],
    ]
    for (const [config, at] of wrong) {
      const { status, body } = await make(config)
      expect([at, status, body]).toMatchObject([at, 400, { details: [{ path: at }] }])
    }
    const { status, body } = await make({ actions: [{ name: 'refund', url }] })
    expect(status).toBe(201)
    expect((await send('PATCH', `/agent-apps/${body.id}`, { config: { actions: [{}] } })).status).toBe(400)
    expect((await send('PATCH', `/agent-apps/${body.id}`, { config: { actions: null } })).status).toBe(200)
    const secret = { credentials: { signing_secret: '' } }
    expect((await send('PATCH', `/agent-apps/${body.id}`, secret)).status).toBe(400)
  },
)
