import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeReceiver } from '../../../test/fake-webhook-receiver.ts'
import { makeBase } from '../../../test/make-records.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { createSealer } from '../../platform/secrets/sealed.ts'
import { recordWebhookEvent } from './record-webhook-event.ts'
import { sealedSecretContext } from './sealed-secret-context.ts'
import { claimDeliveries } from './send-queue-store.ts'
import { deleteOldDeliveries, type WebhooksDb } from './webhook-deliveries-store.ts'
import { createWebhookSender, DEFAULT_SLOTS, type WebhookSenderDeps } from './webhook-sender.ts'

const TIMEOUT_MS = 400

let storage: TestStorage
const outbound = createOutbound({ allowPrivateNetwork: true })
const sealer = createSealer(['a-master-key-of-the-tests-0123456789'])
const faults: unknown[] = []
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(async () => {
  await outbound.close()
  await storage.close()
})

const now = () => new Date()
const senderWith = (given: Partial<WebhookSenderDeps> = {}) =>
  createWebhookSender({
    db: storage.db,
    outbound,
    sealer,
    slots: DEFAULT_SLOTS,
    timeoutMs: TIMEOUT_MS,
    now,
    milliseconds: () => performance.now(),
    report: (fault) => faults.push(fault),
    ...given,
  })

async function makeTrigger(knowledgeBaseId: string, url: string): Promise<string> {
  const id = newId()
  const sealed_secret = sealer.seal('a secret', sealedSecretContext(id))
  const times = { created_at: now(), updated_at: now() }
  const events = ['approval.resolved']
  const { origin } = new URL(url)
  await storage.db
    .insertInto('webhook_triggers')
    .values({
      knowledge_base_id: knowledgeBaseId,
      id,
      name: 'x',
      url,
      origin,
      events,
      sealed_secret,
      gone_at: null,
      ...times,
    })
    .execute()
  return id
}

const happen = async (knowledgeBaseId: string): Promise<number> => {
  const db: WebhooksDb = storage.db
  return await db.transaction().execute((transaction) =>
    recordWebhookEvent(
      transaction,
      {
        event: 'approval.resolved',
        knowledgeBaseId,
        data: { approval_id: newId(), agent_id: newId(), decision: 'approved' },
        at: now(),
      },
      newId,
    ),
  )
}

const rowsOf = async (knowledgeBaseId: string) =>
  await storage.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .orderBy('id')
    .execute()

/** All deliveries of these bases, as soon as none is pending. */
async function ended(knowledgeBaseIds: string[], withinMs = 20_000) {
  const end = Date.now() + withinMs
  for (;;) {
    const rows = (await Promise.all(knowledgeBaseIds.map(rowsOf))).flat()
    if (rows.every(({ status }) => status !== 'pending' && status !== 'sending')) return rows
    if (Date.now() > end) throw new Error('Deliveries did not end.')
    await new Promise((wake) => {
      setTimeout(wake, 20)
    })
  }
}

verifies(
  'webhooks.slow-receiver-alone',
  'receivers that hang do not delay others',
  async () => {
    await using healthy = await startFakeReceiver()
    const hanging = await Promise.all(
      Array.from({ length: 12 }, () => startFakeReceiver({ '/hook': 'hang' })),
    )
    const base = await makeBase(storage.db)
    for (const receiver of hanging) await makeTrigger(base.id, `${receiver.origin}/hook`)
    await makeTrigger(base.id, `${healthy.origin}/hook`)
    // Four deliveries fill the slots of each hanging receiver; the others wait.
    for (let event = 0; event < 5; event += 1) expect(await happen(base.id)).toBe(13)

    const timeoutMs = 2_000
    const sender = senderWith({ timeoutMs })
    sender.wake()
    await healthy.waitFor('approval.resolved', 5)
    const rows = await ended([base.id])
    const failed = rows.filter(({ status }) => status === 'failed')
    expect(failed).toHaveLength(60)
    const finished = (row: (typeof rows)[number]) => row.updated_at.getTime()
    const others = rows.filter(({ status }) => status !== 'failed')
    expect(others).toHaveLength(5)
    expect(Math.max(...others.map(finished))).toBeLessThan(Math.min(...failed.map(finished)))
    for (const { duration_ms, error } of failed) {
      expect(duration_ms).toBeGreaterThanOrEqual(timeoutMs - 10)
      expect(duration_ms).toBeLessThan(timeoutMs * 2)
      expect(error).toContain('did not answer in time')
    }
    // No retries: each receiver got one request per event.
    expect(hanging.map((receiver) => receiver.received.length)).toEqual(hanging.map(() => 5))
    await sender.stop()
    await Promise.all(hanging.map((receiver) => receiver[Symbol.asyncDispose]()))
  },
  { tags: ['long'] },
)

verifies(
  'webhooks.at-most-once',
  'a delivery that a dead process was sending is never sent again, and logged as unknown',
  async () => {
    await using receiver = await startFakeReceiver()
    const base = await makeBase(storage.db)
    await makeTrigger(base.id, `${receiver.origin}/hook`)
    await happen(base.id)
    await happen(base.id)
    let places = 1
    const claimed = await claimDeliveries(storage.db, {
      busyOrigins: [],
      take: () => (places -= 1) >= 0,
      now: now(),
    })
    expect(claimed.claimed).toHaveLength(1)
    // Simulates a crash and a restart.
    const sender = senderWith()
    await sender.recover(0)
    const rows = await ended([base.id])
    expect(rows.map(({ status }) => status)).toEqual(['unknown', 'delivered'])
    expect(rows[0]?.error).toMatch(/may have arrived/)
    await sender.recover(0)
    await sender.stop()
    expect(receiver.received).toHaveLength(1)
  },
)

verifies('webhooks.at-most-once', 'two concurrent processes share the deliveries', async () => {
  await using receiver = await startFakeReceiver()
  const base = await makeBase(storage.db)
  await makeTrigger(base.id, `${receiver.origin}/hook`)
  for (let event = 0; event < 20; event += 1) await happen(base.id)
  const senders = [senderWith(), senderWith(), senderWith()]
  for (const sender of senders) sender.wake()
  await ended([base.id])
  await Promise.all(senders.map((sender) => sender.stop()))
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(20)
  expect(ids).toHaveLength(20)
})

verifies(
  'webhooks.archived-silent',
  'pending deliveries of a base that is archived are not sent',
  async () => {
    await using receiver = await startFakeReceiver()
    const base = await makeBase(storage.db)
    await makeTrigger(base.id, `${receiver.origin}/hook`)
    await happen(base.id)
    await storage.db
      .updateTable('knowledge_bases')
      .set({ status: 'archived' })
      .where('id', '=', base.id)
      .execute()
    const sender = senderWith()
    sender.wake()
    const rows = await ended([base.id])
    await sender.stop()
    expect(rows).toMatchObject([{ status: 'cancelled', error: 'The knowledge base was archived.' }])
    expect(await happen(base.id)).toBe(0)
    expect(receiver.received).toEqual([])
  },
)

verifies('webhooks.guarded', 'a private address is not called unless the operator allows it', async () => {
  await using receiver = await startFakeReceiver()
  const guarded = createOutbound({ allowPrivateNetwork: false })
  const base = await makeBase(storage.db)
  await makeTrigger(base.id, `${receiver.origin}/hook`)
  await happen(base.id)
  const sender = senderWith({ outbound: guarded })
  sender.wake()
  const [row] = await ended([base.id])
  await sender.stop()
  await guarded.close()
  expect(row).toMatchObject({ status: 'failed', response_status: null })
  expect(row?.error).toMatch(/private network/)
  expect(receiver.received).toEqual([])
})

verifies(
  ['webhooks.secret-sealed', 'traps.webhook-secret'],
  'the secret is not readable in the database',
  async () => {
    const base = await makeBase(storage.db)
    await makeTrigger(base.id, 'https://hooks.example.com/')
    const rows = await storage.db.selectFrom('webhook_triggers').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('a secret')
  },
)

test('an attempt in flight when the service stops counts as unknown', async () => {
  await using receiver = await startFakeReceiver({ '/hook': 'hang' })
  const base = await makeBase(storage.db)
  await makeTrigger(base.id, `${receiver.origin}/hook`)
  await happen(base.id)
  const sender = senderWith({ timeoutMs: 10_000 })
  sender.wake()
  await receiver.waitFor('approval.resolved', 1)
  await sender.stop()
  expect(await rowsOf(base.id)).toMatchObject([{ status: 'unknown', attempted_at: expect.any(Date) }])
})

test('an unreachable receiver is a failure, and old deliveries are deleted from the log', async () => {
  const base = await makeBase(storage.db)
  await makeTrigger(base.id, 'http://127.0.0.1:9/hook')
  await happen(base.id)
  const sender = senderWith()
  sender.wake()
  expect(await ended([base.id])).toMatchObject([{ status: 'failed', response_status: null }])
  await sender.stop()
  expect(await deleteOldDeliveries(storage.db, new Date(Date.now() - 60_000))).toBe(0)
  await deleteOldDeliveries(storage.db, new Date(Date.now() + 60_000))
  expect(await rowsOf(base.id)).toEqual([])
})

test('no errors were reported by the tests above', () => {
  expect(faults).toEqual([])
})
