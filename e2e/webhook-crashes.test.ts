import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { startFakeReceiver } from '../service/test/fake-webhook-receiver.ts'
import { databaseUrlOf, onServer } from '../service/test/test-server.ts'
import { newDataDirectory, startCitewell, until, type RunningCitewell } from './run-citewell.ts'

/** `npm run test:kills` has twenty. */
const KILLS = Number(process.env['KILL_ROUNDS'] ?? 2)
const CONCURRENT_DECISIONS = 8

interface Delivery {
  id: string
  status: string
  body: string
}

/** The storage of this run: a new database on the server of DATABASE_URL, or the embedded one. */
async function newStorage(): Promise<Record<string, string>> {
  const dataDirectory = { CITEWELL_DATA_DIR: newDataDirectory(), CITEWELL_RATE_LIMITS: 'off' }
  const server = process.env['DATABASE_URL']
  if (server === undefined || server === '') return dataDirectory
  const database = `citewell_webhook_kills_${process.pid}`
  await onServer(server, `drop database if exists ${database} with (force)`)
  await onServer(server, `create database ${database}`)
  return { ...dataDirectory, DATABASE_URL: databaseUrlOf(server, database) }
}

async function makeBase(citewell: RunningCitewell, hook: string) {
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
    name: `Hooks ${Date.now()}`,
  })
  const agent = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/agent-apps`, {
    name: 'Agent',
  })
  const trigger = await citewell.json<{ id: string }>(
    'POST',
    `/api/v1/knowledge-bases/${base.id}/webhook-triggers`,
    { name: 'kills', url: hook, events: ['approval.resolved'], secret: 'of the tests' },
  )
  return { baseId: base.id, agentId: agent.id, triggerId: trigger.id }
}

verifies(
  'webhooks.at-most-once',
  `after each of ${KILLS} kills every stored decision was delivered at most once, and the log says which`,
  async () => {
    const environment = await newStorage()
    // Slow enough that a kill interrupts in-flight attempts.
    await using receiver = await startFakeReceiver({
      '/hook': (response) => {
        setTimeout(() => response.writeHead(204).end(), Math.random() * 200)
      },
    })
    let citewell = await startCitewell(environment)
    const { baseId, agentId, triggerId } = await makeBase(citewell, `${receiver.origin}/hook`)
    const isOpen = ({ status }: Delivery) => status === 'pending' || status === 'sending'
    const logOf = async () =>
      (
        await citewell.json<{ data: Delivery[] }>(
          'GET',
          `/api/v1/webhook-triggers/${triggerId}/deliveries?limit=200`,
        )
      ).data

    for (let kill = 0; kill < KILLS; kill += 1) {
      const approvals = await Promise.all(
        Array.from({ length: CONCURRENT_DECISIONS }, () =>
          citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${baseId}/approvals`, {
            agent_id: agentId,
            title: 'x',
            content: 'x',
          }),
        ),
      )
      const deciding = approvals.map(({ id }) =>
        citewell.json('PATCH', `/api/v1/approvals/${id}`, { decision: 'approved' }),
      )
      const asked = Promise.allSettled(deciding)
      await Promise.race(deciding)
      await new Promise((wake) => {
        setTimeout(wake, Math.random() * 250)
      })
      await citewell.kill()
      await asked
      citewell = await startCitewell(environment)
      // On a server the other processes wait until the lease of an attempt has expired.
      await until(logOf, (log) => !log.some(isOpen), 60)
    }

    const log = await logOf()
    const { data: decided } = await citewell.json<{ data: { id: string }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${baseId}/approvals?status=approved&limit=200`,
    )
    const told = log.map(
      ({ body }) => (JSON.parse(body) as { data: { approval_id: string } }).data.approval_id,
    )
    expect(told.toSorted()).toEqual(decided.map(({ id }) => id).toSorted())
    const arrived = receiver.received.map(({ headers }) => String(headers['webhook-id']))
    expect(new Set(arrived).size).toBe(arrived.length)
    const byStatus = Object.groupBy(log, ({ status }) => status)
    expect(Object.keys(byStatus).filter((status) => status !== 'delivered' && status !== 'unknown')).toEqual(
      [],
    )
    for (const { id } of byStatus['delivered'] ?? []) expect(arrived).toContain(id)
    expect(new Set(log.map(({ id }) => id)).isSupersetOf(new Set(arrived))).toBe(true)
    expect(log.length).toBeGreaterThanOrEqual(KILLS)
    process.stdout.write(
      `${KILLS} kills: ${log.length} decisions stand, ${byStatus['delivered']?.length ?? 0} delivered, ` +
        `${byStatus['unknown']?.length ?? 0} unknown, ${arrived.length} arrived\n`,
    )
    expect(await citewell.stop()).toBe(0)
  },
  900_000,
)
