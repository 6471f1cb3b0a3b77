import { startFakeReceiver } from '../../service/test/fake-webhook-receiver.ts'
import { until, type RunningCitewell } from '../run-citewell.ts'
import { SECONDS_TO_END, type KilledWork } from './killed-work.ts'

const CONCURRENT_DECISIONS = 8

export interface Delivery {
  id: string
  status: string
  body: string
}

export interface KilledDeliveries extends KilledWork {
  /** The log of the deliveries. */
  log(): Promise<Delivery[]>
  /** Ids of what was decided. */
  decided(): Promise<string[]>
  /** Ids of the deliveries that arrived. */
  arrived(): string[]
}

/** Deliveries of webhooks for decisions that are made at the same time. */
export async function startKilledDeliveries(citewell: RunningCitewell): Promise<KilledDeliveries> {
  // Slow enough that a kill interrupts in-flight attempts.
  const receiver = await startFakeReceiver({
    '/hook': (response) => {
      setTimeout(() => response.writeHead(204).end(), Math.random() * 200)
    },
  })
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
    name: 'Killed hooks',
  })
  const below = `/api/v1/knowledge-bases/${base.id}`
  const agent = await citewell.json<{ id: string }>('POST', `${below}/agent-apps`, { name: 'Agent' })
  const trigger = await citewell.json<{ id: string }>('POST', `${below}/webhook-triggers`, {
    name: 'kills',
    url: `${receiver.origin}/hook`,
    events: ['approval.resolved'],
    secret: 'of the tests',
  })
  let running = citewell
  let deciding: Promise<unknown>[] = []
  const log = async () =>
    (
      await running.json<{ data: Delivery[] }>(
        'GET',
        `/api/v1/webhook-triggers/${trigger.id}/deliveries?limit=200`,
      )
    ).data
  const isOpen = ({ status }: Delivery) => status === 'pending' || status === 'sending'
  const settled = async () => await until(log, (found) => !found.some(isOpen), SECONDS_TO_END)

  return {
    log,
    decided: async () =>
      (
        await running.json<{ data: { id: string }[] }>('GET', `${below}/approvals?status=approved&limit=200`)
      ).data.map(({ id }) => id),
    arrived: () => receiver.received.map(({ headers }) => String(headers['webhook-id'])),
    begin: async (now, round) => {
      running = now
      const approvals = await Promise.all(
        Array.from({ length: CONCURRENT_DECISIONS }, () =>
          now.json<{ id: string }>('POST', `${below}/approvals`, {
            agent_id: agent.id,
            title: 'x',
            content: 'x',
          }),
        ),
      )
      const before = receiver.received.length
      deciding = approvals.map(({ id }) =>
        now.json('PATCH', `/api/v1/approvals/${id}`, { decision: 'approved' }),
      )
      await Promise.race(deciding)
      // After the first decision, or while attempts are under way.
      await until(
        () => Promise.resolve(receiver.received.length - before),
        (count) => count >= (2 * round) % CONCURRENT_DECISIONS,
        SECONDS_TO_END,
      )
    },
    look: async (now) => {
      running = now
      await Promise.allSettled(deciding)
      await settled()
    },
    end: async () => {
      await settled()
    },
    [Symbol.asyncDispose]: async () => await receiver[Symbol.asyncDispose](),
  }
}
