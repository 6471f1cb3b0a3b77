import { createHmac } from 'node:crypto'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { startFakeReceiver, type FakeReceiver } from '../service/test/fake-webhook-receiver.ts'
import { until } from './run-citewell.ts'
import { openSharedCitewell, type SharedCitewell } from './shared-citewell.ts'

/** One more than a receiver gets at the same time. */
const EVENTS = 5
const OF_EACH_KIND = 10
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

interface Delivery {
  id: string
  status: string
  duration_ms: number
  created_at: string
}

let citewell: SharedCitewell
let healthy: FakeReceiver[]
let hanging: FakeReceiver[]
let internal: FakeReceiver

beforeAll(async () => {
  citewell = await openSharedCitewell()
  internal = await startFakeReceiver()
  const away = { location: `${internal.origin}/inside` }
  const several = async (answers: Parameters<typeof startFakeReceiver>[0]) =>
    await Promise.all(Array.from({ length: OF_EACH_KIND }, () => startFakeReceiver(answers)))
  healthy = await several({ '/away': (response) => response.writeHead(302, away).end() })
  hanging = await several({ '/hook': 'hang' })
})
afterAll(async () => {
  await citewell.stop()
  for (const receiver of [...healthy, ...hanging, internal]) await receiver[Symbol.asyncDispose]()
})

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? NaN

verifies(
  ['webhooks.slow-receiver-alone', 'webhooks.ten-seconds', 'webhooks.no-retries', 'webhooks.redirects-fail'],
  'of 100 deliveries, half to receivers that hang, the others do not wait for these, which time out after ten seconds',
  async () => {
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Receivers' })
    const agent = await citewell.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/agent-apps`,
      {
        name: 'Agent',
      },
    )
    const listen = (url: string) =>
      citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/webhook-triggers`, {
        name: 'x',
        url,
        events: ['approval.resolved'],
        secret: SECRET,
      })
    const toHanging = await Promise.all(hanging.map(({ origin }) => listen(`${origin}/hook`)))
    const toHealthy = await Promise.all(healthy.map(({ origin }) => listen(`${origin}/hook`)))
    const away = await listen(`${healthy[0]?.origin}/away`)
    const approvals = await Promise.all(
      Array.from({ length: EVENTS }, () =>
        citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/approvals`, {
          agent_id: agent.id,
          title: 'x',
          content: 'x',
        }),
      ),
    )
    for (const { id } of approvals) {
      await citewell.json('PATCH', `/api/v1/approvals/${id}`, { decision: 'approved' })
    }

    const logsOf = async (triggers: { id: string }[]) =>
      (
        await Promise.all(
          triggers.map(({ id }) =>
            citewell.json<{ data: Delivery[] }>('GET', `/api/v1/webhook-triggers/${id}/deliveries`),
          ),
        )
      ).flatMap(({ data }) => data)
    const receive = () =>
      healthy.flatMap((receiver) => receiver.received.filter(({ path }) => path === '/hook'))
    await until(
      () => Promise.resolve(receive()),
      ({ length }) => length === EVENTS * OF_EACH_KIND,
      20,
    )
    await until(
      async () => (await logsOf(toHealthy)).filter(({ status }) => status !== 'delivered').length,
      (count) => count === 0,
      20,
    )
    const received = receive()
    // From the time of the event in the body until the last byte has arrived.
    const waits = received.map(
      ({ at, body }) =>
        performance.timeOrigin +
        at -
        Date.parse((JSON.parse(body.toString('utf8')) as { timestamp: string }).timestamp),
    )
    expect(received).toHaveLength(EVENTS * OF_EACH_KIND)
    // Beside other tests; what one receiver waited for another would be the ten seconds of its limit.
    expect(percentile(waits, 0.5)).toBeLessThan(1_000)
    expect(Math.max(...waits)).toBeLessThan(9_000)
    for (const { body, headers } of received) {
      expect(headers['x-service-signature']).toBe(createHmac('sha256', SECRET).update(body).digest('hex'))
    }

    const isOver = async (triggers: { id: string }[]) =>
      (await logsOf(triggers)).every(({ status }) => status === 'failed')
    // One of them at first: to ask for all logs ten times a second takes longer than to send.
    for (const some of [toHanging.slice(-1), toHanging])
      await until(
        () => isOver(some),
        (over) => over,
        90,
      )
    const log = await logsOf(toHanging)
    expect(log).toHaveLength(EVENTS * OF_EACH_KIND)
    const durations = log.map(({ duration_ms }) => duration_ms)
    expect(log.every(({ status }) => status === 'failed')).toBe(true)
    expect(Math.min(...durations)).toBeGreaterThanOrEqual(9_990)
    expect(Math.max(...durations)).toBeLessThan(13_000)
    expect(hanging.map((receiver) => receiver.received.length)).toEqual(hanging.map(() => EVENTS))
    expect((await logsOf([away])).every(({ status }) => status === 'failed')).toBe(true)
    expect(internal.received).toEqual([])
    process.stdout.write(
      `healthy: p50 ${percentile(waits, 0.5).toFixed(0)} ms, p99 ${percentile(waits, 0.99).toFixed(0)} ms; ` +
        `hanging: ${Math.min(...durations)} to ${Math.max(...durations)} ms\n`,
    )
  },
  { timeout: 240_000, tags: ['long'] },
)
