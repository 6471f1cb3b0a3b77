import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import {
  answersFromPage,
  OFF_TOPIC,
  QUESTION,
  ROTATION,
  startWebhookWorld,
  type WebhookBase,
  type WebhookWorld,
} from '../../../test/webhook-world.ts'
import { createRetention } from '../../answers/retention/retention.ts'
import { keptSimulations } from './simulations.ts'

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
    const { purgeOld } = createRetention({
      db: storage.db,
      pseudonymOf: (name) => name,
      alsoPurged: [keptSimulations],
    })
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
