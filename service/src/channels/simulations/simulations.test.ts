import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import {
  answersFromPage,
  makePage,
  OFF_TOPIC,
  processOf,
  QUESTION,
  ROTATION,
  startWebhookWorld,
  type WebhookBase,
  type WebhookWorld,
} from '../../../test/webhook-world.ts'
import { joinTestWorkspace } from '../../../test/join-workspace.ts'
import { OWNER_TOKEN, startTestService } from '../../../test/start-service.ts'
import { HOUR_MS } from '../../kernel/duration.ts'

interface Simulation {
  id: string
  status: string
  tickets: Record<string, unknown>[]
  [field: string]: unknown
}

let world: WebhookWorld
let base: WebhookBase
let integrationId: string

beforeAll(async () => {
  world = await startWebhookWorld()
  base = await world.makeBase()
  await world.listen(base.id, ['simulation.completed', 'conversation.completed', 'ticket.deflected'])
  integrationId = (
    await world.citewell.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/helpdesk-integrations`,
      {
        name: 'Desk',
        platform: 'other',
      },
    )
  ).id
})
beforeEach(() => {
  world.receiver.received.length = 0
  world.llm.script(answersFromPage())
})
afterAll(() => world[Symbol.asyncDispose]())

const start = (tickets: object[]) =>
  world.citewell.json<Simulation>('POST', `/api/v1/knowledge-bases/${base.id}/simulations`, {
    integration_id: integrationId,
    tickets,
  })
const ended = (id: string) =>
  world.citewell.until<Simulation>(
    `/api/v1/simulations/${id}`,
    ({ status }) => status !== 'queued' && status !== 'running',
  )

verifies(
  ['simulations.records', 'simulations.run', 'simulations.no-conversations', 'events.simulation-completed'],
  'a simulation answers its tickets, and webhooks get one event when it is done, and no other',
  async () => {
    const started = await start([
      { ref: '1', body: QUESTION },
      { ref: '2', subject: 'Cake', body: OFF_TOPIC },
    ])
    expect(started).toMatchObject({ status: 'queued', total: 2, completed: 0, integration_id: integrationId })
    const simulation = await ended(started.id)
    expect(simulation).toMatchObject({
      status: 'succeeded',
      total: 2,
      completed: 2,
      deflected: 1,
      error: null,
    })
    expect(simulation.tickets).toMatchObject([
      {
        ref: '1',
        outcome: 'deflected',
        answer: expect.stringContaining(ROTATION),
        citations: [{ index: 1 }],
      },
      { ref: '2', outcome: 'low_confidence', answer: null, citations: [] },
    ])
    const [delivery] = await world.receiver.waitFor('simulation.completed', 1)
    expect(JSON.parse(delivery?.body.toString('utf8') ?? '')).toMatchObject({
      data: { simulation_id: started.id, integration_id: integrationId, total: 2, completed: 2 },
    })
    expect(world.receiver.received).toHaveLength(1)
    const preview = await world.citewell.json<{ counts: object }>(
      'GET',
      `/api/v1/knowledge-bases/${base.id}/deletion-preview`,
    )
    expect(preview.counts).toMatchObject({ conversations: 0 })
    const listed = await world.citewell.json('GET', `/api/v1/knowledge-bases/${base.id}/simulations`)
    expect(listed).toMatchObject({ data: [{ id: started.id, deflected: 1 }] })
    expect((await world.citewell.send('DELETE', `/api/v1/simulations/${started.id}`)).status).toBe(204)
    expect((await world.citewell.send('GET', `/api/v1/simulations/${started.id}`)).status).toBe(404)
  },
)

test('the answer of a ticket is withheld from members without Chat once a page of it is restricted', async () => {
  const closed = await world.makeBase({ workspace_members_can_chat: false })
  const ofBase = `/api/v1/knowledge-bases/${closed.id}`
  const { workspace_id: workspaceId } = await world.citewell.json<{ workspace_id: string }>('GET', ofBase)
  const desk = { name: 'Desk', platform: 'other' }
  const { id: deskId } = await world.citewell.json<{ id: string }>(
    'POST',
    `${ofBase}/helpdesk-integrations`,
    desk,
  )
  const asked = { integration_id: deskId, tickets: [{ ref: '1', body: QUESTION }] }
  const { id } = await ended(
    (await world.citewell.json<Simulation>('POST', `${ofBase}/simulations`, asked)).id,
  )
  const given = { role: 'member', workspaceId } as const
  const member = await joinTestWorkspace(world.citewell.storage.db, () => new Date(), given)
  await world.citewell.storage.db
    .insertInto('knowledge_base_grants')
    .values({
      workspace_id: workspaceId,
      knowledge_base_id: closed.id,
      user_id: member.userId,
      permissions: ['config'],
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute()
  const headers = { authorization: `Bearer ${member.token}` }
  const ticketsOf = async () => {
    const [whole, listed] = await Promise.all(
      [`/api/v1/simulations/${id}`, `/api/v1/simulations/${id}/tickets`].map(
        async (path) => (await (await world.request(path, { headers })).json()) as Record<string, object[]>,
      ),
    )
    return [...(whole?.['tickets'] ?? []), ...(listed?.['data'] ?? [])]
  }
  const shown = { outcome: 'deflected', answer: expect.stringContaining(ROTATION), citations: [{ index: 1 }] }
  expect(await ticketsOf()).toMatchObject([shown, shown])

  const { data } = await world.citewell.json<{ data: { id: string }[] }>('GET', `${ofBase}/documents`)
  for (const document of data)
    await world.citewell.json('PATCH', `/api/v1/documents/${document.id}`, { visibility: 'restricted' })
  const withheld = { outcome: 'deflected', answer: null, citations: [] }
  expect(await ticketsOf()).toMatchObject([withheld, withheld])
  expect((await ended(id)).tickets).toMatchObject([shown])
})

verifies(
  'running.durations',
  'the report of a simulation during which the clock was set back says that it took no time, not less',
  async () => {
    let setBackMs = 0
    const isSetBack = Promise.withResolvers<void>()
    await using llm = await startFakeLlm(fakeLlm.saysInTwo(`${ROTATION} `, isSetBack.promise, '[1]'))
    await using citewell = await startTestService(processOf(llm), {
      surroundings: { now: () => new Date(Date.now() - setBackMs) },
    })
    const { id } = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme' })
    await makePage(citewell, id)
    const path = `/api/v1/knowledge-bases/${id}`
    const other = await citewell.json<{ id: string }>('POST', `${path}/helpdesk-integrations`, {
      name: 'Desk',
      platform: 'other',
    })
    const started = await citewell.json<Simulation>('POST', `${path}/simulations`, {
      integration_id: other.id,
      tickets: [{ body: QUESTION }],
    })
    await expect.poll(() => llm.requests.length).toBe(1)
    setBackMs = HOUR_MS
    isSetBack.resolve()
    const run = await citewell.until<Simulation>(
      `/api/v1/simulations/${started.id}`,
      ({ status }) => status === 'succeeded',
    )
    expect(Date.parse(String(run['finished_at']))).toBeLessThan(Date.parse(String(run['started_at'])))
    const report = await citewell.json<{ seconds: number }>('GET', `/api/v1/simulations/${started.id}/report`)
    expect(report.seconds).toBe(0)
  },
)

verifies(
  'simulations.cancel',
  'a cancelled simulation stops where it is, in the middle of an answer',
  async () => {
    world.llm.script(fakeLlm.says(`${ROTATION} [1]`), fakeLlm.stallsAfter('Signing '))
    const started = await start([{ body: QUESTION }, { body: QUESTION }, { body: QUESTION }])
    await world.citewell.until<Simulation>(
      `/api/v1/simulations/${started.id}`,
      ({ completed }) => completed === 1,
    )
    const cancelled = await world.citewell.json('POST', `/api/v1/simulations/${started.id}/cancel`)
    expect(cancelled).toMatchObject({ status: 'cancelled', completed: 1 })
    expect(await ended(started.id)).toMatchObject({ status: 'cancelled', completed: 1, total: 3 })
    // Without the cancellation the call would end when the model has been silent for too long.
    await expect.poll(() => world.llm.requests.at(-1)?.abortedAt, { timeout: 8_000 }).toBeDefined()
    expect(world.receiver.received).toEqual([])
  },
)

verifies('simulations.zero-retention', 'with zero retention a simulation is refused', async () => {
  const { workspace_id: workspaceId } = await world.citewell.json<{ workspace_id: string }>(
    'GET',
    `/api/v1/knowledge-bases/${base.id}`,
  )
  const keepNothing = (on: boolean) =>
    world.citewell.json('PATCH', `/api/v1/workspaces/${workspaceId}`, { zero_data_retention: on })
  await keepNothing(true)
  const refused = await world.citewell.send('POST', `/api/v1/knowledge-bases/${base.id}/simulations`, {
    integration_id: integrationId,
    tickets: [{ body: QUESTION }],
  })
  await keepNothing(false)
  expect(refused.status).toBe(409)
})

verifies(
  ['retention.customers-words', 'retention.days'],
  'text of customers is purged with the conversations, by age or completely, but not when purging a single reader',
  async () => {
    const { storage } = world.citewell
    const { workspace_id: workspaceId } = await world.citewell.json<{ workspace_id: string }>(
      'GET',
      `/api/v1/knowledge-bases/${base.id}`,
    )
    const purge = (body: object) =>
      world.citewell.json<{ simulations: number }>('POST', `/api/v1/workspaces/${workspaceId}/purge`, body)
    const left = async () => await storage.db.selectFrom('simulation_tickets').select('ordinal').execute()
    await ended((await start([{ body: QUESTION }])).id)

    expect(await purge({ user: 'ada' })).toMatchObject({ simulations: 0 })
    expect(await left()).not.toEqual([])
    const { purgeOld } = world.citewell.service.rooms.retention
    await world.citewell.json('PATCH', `/api/v1/workspaces/${workspaceId}`, { retention_days: 30 })
    expect(await purgeOld(new AbortController().signal)).toMatchObject({ simulations: 0 })
    await storage.db
      .updateTable('simulations')
      .set({ updated_at: new Date(0) })
      .execute()
    expect((await purgeOld(new AbortController().signal)).simulations).toBeGreaterThan(0)
    expect(await left()).toEqual([])
    await ended((await start([{ body: QUESTION }])).id)
    expect(await purge({ everything: true })).toMatchObject({ simulations: 1 })
    expect(await left()).toEqual([])
  },
)

interface Report {
  tried: { answered: number; of: number; rate: number | null; interval: object | null }
  [field: string]: unknown
}

async function readFile(text: string, query = '', name = 'tickets.csv') {
  const form = new FormData()
  form.append('file', new File([text], name))
  const response = await world.citewell.fetch(`/api/v1/knowledge-bases/${base.id}/ticket-files${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OWNER_TOKEN}` },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const ROWS = Array.from({ length: 60 }, (_, at) => {
  const question = at % 3 === 0 ? OFF_TOPIC : QUESTION
  const reply =
    at === 1 ? '"Signing keys are rotated once a day. Ask your manager for a parking permit."' : ''
  return `${at},Ticket ${at},${question},2026-0${(at % 2) + 1}-05T10:00:00Z,${at % 2 === 0 ? 'keys' : 'sso'},${reply}`
})
const TABLE = `id,subject,body,created_at,tags,first_agent_reply\n${ROWS.join('\n')}\n60,Out of office,I am away.,,,`

verifies(
  'simulations.report',
  'a file of past tickets is read, tried and reported: with an interval, what was left out, and as solved only what people reviewed',
  async () => {
    const read = await readFile(TABLE)
    expect(read).toMatchObject({
      status: 200,
      body: {
        format: 'table',
        found: 61,
        sample: null,
        left_out: [{ reason: 'automatic', count: 1, refs: ['60'] }],
        estimate: { questions: 60, questions_left: null, model: { name: 'fake', host: null } },
      },
    })
    const { tickets, left_out } = read.body
    const started = await world.citewell.json<Simulation>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/simulations`,
      { integration_id: integrationId, name: 'Spring', tickets, left_out },
    )
    const path = `/api/v1/simulations/${started.id}`
    expect(await ended(started.id)).toMatchObject({ status: 'succeeded', completed: 60, deflected: 40 })
    const report = await world.citewell.json<Report>('GET', `${path}/report`)
    expect(report).toMatchObject({
      tried: { answered: 40, of: 60, rate: 40 / 60, interval: { low: expect.any(Number) } },
      all: { answered: 40, of: 61 },
      failed: 0,
      solved: null,
      like_agent: { compared: 1, mean: 0.5 },
      by_tag: [
        { name: 'keys', answered: 20, of: 30 },
        { name: 'sso', answered: 20, of: 30 },
      ],
      by_month: [{ name: '2026-01' }, { name: '2026-02' }],
      by_language: [{ name: 'en', of: 60 }],
      gaps: [{ question: expect.stringContaining('chocolate cake'), tickets: 20 }],
      base: { documents: 1, model: { name: 'fake', host: null } },
      against: null,
    })
    expect(report['surest']).toHaveLength(20)

    const toReview = async (limit: number) =>
      (
        await world.citewell.json<{ data: { number: number; review: unknown }[] }>(
          'GET',
          `${path}/tickets?to_review=true&limit=${limit}`,
        )
      ).data
    const first = await toReview(35)
    expect(first.map(({ number }) => number)).not.toEqual(
      first.map(({ number }) => number).toSorted((one, other) => one - other),
    )
    expect((await toReview(35)).map(({ number }) => number)).toEqual(first.map(({ number }) => number))
    for (const [at, { number }] of first.entries()) {
      const review = at < 28 ? 'right' : 'wrong'
      const reviewed = await world.citewell.json('PUT', `${path}/reviews`, { number, review })
      expect(reviewed).toMatchObject({ number, review })
    }
    expect(await toReview(35)).toHaveLength(5)
    const solved = await world.citewell.json<{ solved: { rate: number } }>('GET', `${path}/report`)
    expect(solved.solved.rate).toBeCloseTo((40 / 60) * (28 / 35))
    // There is no answer to review in a ticket that was not answered, or is not there.
    for (const number of [0, 999]) {
      const refused = await world.citewell.send('PUT', `${path}/reviews`, { number, review: 'right' })
      expect(refused.status).toBe(409)
    }
    const ofBase = `/api/v1/knowledge-bases/${base.id}`
    await world.citewell.json('POST', `${ofBase}/archive`)
    const number = first[0]?.number
    const whileArchived = await world.citewell.send('PUT', `${path}/reviews`, { number, review: null })
    expect(await whileArchived.json()).toMatchObject({ code: 'KNOWLEDGE_BASE_ARCHIVED' })
    await world.citewell.json('POST', `${ofBase}/restore`)

    const pages = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { data: { number: number }[]; next_cursor: string | null } = await world.citewell.json(
        'GET',
        `${path}/tickets?limit=25&outcome=deflected${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      pages.push(page.data.map(({ number }) => number))
      cursor = page.next_cursor
    }
    expect(pages.map(({ length }) => length)).toEqual([25, 15])
    expect(pages.flat()).toEqual(pages.flat().toSorted((one, other) => one - other))
    expect((await world.citewell.send('GET', `${path}/tickets?cursor=x`)).status).toBe(400)

    // The same tickets again, after the model has become worse.
    world.llm.script(fakeLlm.says('NOT COVERED: nothing.'))
    const again = await start((tickets as object[]).slice(0, 60))
    await ended(again.id)
    expect(
      await world.citewell.json('GET', `/api/v1/simulations/${again.id}/report?against=${started.id}`),
    ).toMatchObject({ against: { name: 'Spring', same: 60, gained: 0, lost: 40 } })
    const elsewhere = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'
    expect((await world.citewell.send('GET', `${path}/report?against=${elsewhere}`)).status).toBe(404)
  },
)

verifies(
  'simulations.own-documents',
  'a document that was made from a ticket does not answer it, and the report says so',
  async () => {
    const source = await world.citewell.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/sources`,
      { type: 'push', name: 'Solved tickets', config: {} },
    )
    const markdown =
      '# Badge\n\nThe visitor badge printer is reset by holding the green button for seven seconds.'
    await world.citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
      documents: [{ external_id: 'T-7', title: 'Badge', url: 'https://docs.example.com/t7', markdown }],
    })
    world.llm.script(
      fakeLlm.replies((messages) =>
        JSON.stringify(messages).includes('green button')
          ? 'Hold the green button. [1]'
          : 'NOT COVERED: nothing.',
      ),
    )
    const body = 'How is the visitor badge printer reset?'
    const { id } = await start([
      { ref: 'T-7', body },
      { ref: 'T-8', body },
    ])
    const { tickets } = await ended(id)
    expect(tickets).toMatchObject([
      { ref: 'T-7', own_documents: 1, outcome: 'low_confidence' },
      { ref: 'T-8', own_documents: 0, outcome: 'deflected' },
    ])
    expect(await world.citewell.json('GET', `/api/v1/simulations/${id}/report`)).toMatchObject({
      own_documents: 1,
    })
    await world.citewell.send('DELETE', `/api/v1/sources/${source.id}`)
  },
)

verifies(
  'simulations.masked',
  'past tickets are stored masked where the knowledge base masks personal data',
  async () => {
    const path = `/api/v1/knowledge-bases/${base.id}`
    await world.citewell.json('PATCH', path, { pii_masking: { mask: ['email'] } })
    const ticket = {
      subject: 'ada@example.org',
      body: `${QUESTION} ada@example.org`,
      agent_reply: 'Dear ada@example.org',
    }
    const { id } = await start([ticket])
    const rows = await world.citewell.rows(
      `select subject, body, agent_reply from simulation_tickets where simulation_id = '${id}'`,
    )
    await world.citewell.json('PATCH', path, { pii_masking: { mask: [] } })
    expect(JSON.stringify(rows)).not.toContain('ada@')
    expect(JSON.stringify(rows)).toContain('[email]')
    await ended(id)
  },
)

verifies(
  'simulations.report',
  'a file without tickets, with two files or none, is refused with what to do',
  async () => {
    expect(await readFile('')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(JSON.stringify((await readFile('[{"a": 1}]')).body)).toContain('no ticket in this file')
    expect((await readFile(TABLE, '?most=0')).status).toBe(400)
    const sampled = await readFile(TABLE, '?most=10&by=month_and_tag&seed=3')
    expect(sampled.body).toMatchObject({
      sample: { by: 'month_and_tag', seed: 3, drawn_from: 60 },
      estimate: { questions: 10 },
    })
    const bare = await world.citewell.send('POST', `/api/v1/knowledge-bases/${base.id}/ticket-files`, {})
    expect(bare.status).toBe(415)
  },
)
