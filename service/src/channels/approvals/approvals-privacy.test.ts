import { verifies } from '@citewell/spec/verifies'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

const MINUTE_MS = 60_000
const ADDRESS = 'grace@example.com'

let api: TestManagement
beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

async function openBase(given: { masks?: boolean; keepsNothing?: boolean }) {
  const base = await api.ask('POST', '/knowledge-bases', {
    name: 'Acme',
    ...(given.masks === true && { pii_masking: { mask: ['email'] } }),
  })
  await api.ask('PATCH', `/workspaces/${base['workspace_id']}`, {
    zero_data_retention: given.keepsNothing === true,
  })
  const agent = await api.ask('POST', `/knowledge-bases/${base['id']}/agent-apps`, {
    name: 'Refunds',
    config: { actions: [{ name: 'refund', url: 'https://shop.example.com/refund' }] },
  })
  const ask = async (more: object = {}) =>
    await api.ask('POST', `/knowledge-bases/${base['id']}/approvals`, {
      agent_id: agent['id'],
      kind: 'action',
      title: `Reply to ${ADDRESS}`,
      content: `Dear ${ADDRESS}`,
      action: { name: 'refund', input: { to: [ADDRESS] } },
      dedupe_key: `refund ${ADDRESS}`,
      ...more,
    })
  return { id: base['id'] ?? '', ask }
}

/** Everything that is stored about approvals of a base. */
async function stored(baseId: string): Promise<string[]> {
  const { rows } = await sql<{
    text: string
  }>`select t::text as text from approvals t where knowledge_base_id = ${baseId}`.execute(api.db)
  return rows.map(({ text }) => text)
}

const decide = (id: string | undefined, body: object) => api.send('PATCH', `/approvals/${id}`, body)

async function forgetAfter(minutes: number): Promise<void> {
  api.clock.time = new Date(api.clock.time.getTime() + minutes * MINUTE_MS)
  const job = api.service.rooms.jobs.find(({ name }) => name === 'forget-approvals')
  await job?.handle({}, new AbortController().signal)
}

verifies(
  'approvals.zero-retention',
  'under zero retention an approval is shown while it waits, stored encrypted only, and is gone soon after its decision or its expiry',
  async () => {
    const { id, ask } = await openBase({ keepsNothing: true })
    const approval = await ask()
    expect(approval).toMatchObject({
      title: `Reply to ${ADDRESS}`,
      action: { input: { to: [ADDRESS] } },
      expires_at: new Date(api.clock.time.getTime() + 72 * 60 * MINUTE_MS).toISOString(),
    })
    expect((await ask())['id']).toBe(approval['id'])
    expect((await api.send('GET', `/knowledge-bases/${id}/approvals`)).body).toMatchObject({
      data: [{ content: `Dear ${ADDRESS}` }],
    })
    expect((await stored(id)).join()).not.toContain('grace')

    const rejected = await decide(approval['id'], { decision: 'rejected', comment: `Not ${ADDRESS}` })
    expect(rejected).toMatchObject({ status: 200, body: { comment: `Not ${ADDRESS}` } })
    await forgetAfter(14)
    // Its agent may read what was decided.
    expect((await api.send('GET', `/approvals/${approval['id']}`)).body).toMatchObject({
      comment: `Not ${ADDRESS}`,
    })
    expect((await stored(id)).join()).not.toContain('grace')
    await forgetAfter(1)
    expect(await stored(id)).toEqual([])

    const soon = new Date(api.clock.time.getTime() + 10 * MINUTE_MS).toISOString()
    await ask({ expires_at: soon })
    await forgetAfter(20)
    expect(await stored(id)).toHaveLength(1)
    await forgetAfter(5)
    expect(await stored(id)).toEqual([])
  },
)

verifies(
  'approvals.masked',
  'where personal data is masked, an approval waits as it was written, encrypted, and stays masked; an action waits for its end',
  async () => {
    const { id, ask } = await openBase({ masks: true })
    const approval = await ask()
    expect(approval).toMatchObject({ content: `Dear ${ADDRESS}`, expires_at: null })
    expect((await ask())['id']).toBe(approval['id'])
    expect((await stored(id)).join()).not.toContain('grace')

    const edited = { decision: 'approved', content: `Dearest ${ADDRESS}` }
    expect((await decide(approval['id'], edited)).body).toMatchObject({
      edited_content: `Dearest ${ADDRESS}`,
      content: `Dear ${ADDRESS}`,
      execution: 'waiting',
    })
    await forgetAfter(60)
    expect((await api.send('GET', `/approvals/${approval['id']}`)).body).toMatchObject({
      edited_content: `Dearest ${ADDRESS}`,
    })
    await api.db.updateTable('approvals').set({ execution: 'done', executed_at: api.clock.time }).execute()
    await forgetAfter(15)
    expect((await api.send('GET', `/approvals/${approval['id']}`)).body).toMatchObject({
      title: 'Reply to [email]',
      content: 'Dear [email]',
      edited_content: 'Dearest [email]',
      action: { name: 'refund', input: { to: ['[email]'] } },
      decision: 'approved',
      execution: 'done',
    })
    expect((await stored(id)).join()).not.toContain('grace')
  },
)

verifies(
  'approvals.zero-retention',
  'what was asked for before zero retention is switched on is decided under it, and then forgotten',
  async () => {
    const { id, ask } = await openBase({})
    const approval = await ask({ dedupe_key: undefined })
    const { workspace_id: workspace } = await api.ask('GET', `/knowledge-bases/${id}`)
    await api.ask('PATCH', `/workspaces/${workspace}`, { zero_data_retention: true })
    await decide(approval['id'], { decision: 'rejected', comment: 'secret reason' })
    expect((await stored(id)).join()).not.toMatch(/grace|secret reason/)
    await forgetAfter(15)
    expect(await stored(id)).toEqual([])
  },
)
