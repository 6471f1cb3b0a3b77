import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { newId } from '../../kernel/ids.ts'

let api: TestManagement

beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api[Symbol.asyncDispose]())

test('each hour the posts are forgotten that ended and were decided more than 30 days ago', async () => {
  const { id: base = '' } = await api.ask('POST', '/knowledge-bases', { name: 'Acme' })
  const { id: bot = '' } = await api.ask('POST', `/knowledge-bases/${base}/bots`, {
    name: 'Docs',
    platform: 'slack',
  })
  for (const days of [29, 31])
    for (const status of ['posted', 'pending'] as const) {
      const at = new Date(api.clock.time.getTime() - days * 86_400_000)
      await api.db
        .insertInto('platform_posts')
        .values({
          knowledge_base_id: base,
          id: newId(),
          integration_id: bot,
          lane: `${status}, ${days} days`,
          sealed_body: null,
          status,
          attempts: 0,
          not_before: null,
          platform_ref: null,
          error: null,
          message_id: null,
          attempted_at: null,
          created_at: at,
          updated_at: at,
        })
        .execute()
    }
  await api.jobs
    .find(({ name }) => name === 'forget-platform-posts')
    ?.handle({}, new AbortController().signal)
  const left = await api.db.selectFrom('platform_posts').select('lane').orderBy('seq').execute()
  expect(left.map(({ lane }) => lane)).toEqual(['posted, 29 days', 'pending, 29 days', 'pending, 31 days'])
})
