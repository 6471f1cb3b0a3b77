import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let api: TestManagement

beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api[Symbol.asyncDispose]())

verifies(
  'bots.person',
  'each hour it is forgotten which conversations were passed on more than 30 days ago',
  async () => {
    const { id: base = '' } = await api.ask('POST', '/knowledge-bases', { name: 'Acme' })
    const { id: bot = '' } = await api.ask('POST', `/knowledge-bases/${base}/bots`, {
      name: 'Docs',
      platform: 'slack',
    })
    for (const days of [29, 31])
      await api.db
        .insertInto('platform_hand_overs')
        .values({
          knowledge_base_id: base,
          integration_id: bot,
          conversation: `${days} days`,
          target: 'C0TEAM',
          created_at: new Date(api.clock.time.getTime() - days * 86_400_000),
        })
        .execute()
    await api.jobs.find(({ name }) => name === 'forget-hand-overs')?.handle({}, new AbortController().signal)
    expect(await api.db.selectFrom('platform_hand_overs').select('conversation').execute()).toEqual([
      { conversation: '29 days' },
    ])
  },
)
