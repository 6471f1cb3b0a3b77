import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { newId } from '../../kernel/ids.ts'

let api: TestManagement
let base: Record<string, string>
beforeAll(async () => {
  api = await openTestManagement()
  base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
})
afterAll(() => api.close())

const workspace = () => `/workspaces/${base['workspace_id']}`
const usage = () => api.ask<Record<string, unknown>>('GET', `${workspace()}/usage`)

verifies(
  ['allowance.plans', 'allowance.own-number', 'allowance.exists'],
  'each plan has its quota, and the operator’s number overrides it',
  async () => {
    const allowances: unknown[] = []
    for (const plan of ['free', 'pro', 'enterprise']) {
      await api.ask('PATCH', workspace(), { plan })
      allowances.push((await usage())['allowance'])
    }
    expect(allowances).toEqual([500, 10_000, null])

    await api.ask('PATCH', workspace(), { monthly_question_allowance: 1 })
    const { reserve } = api.allowance
    await reserve(base['id'] ?? '', 'widget')
    await expect(reserve(base['id'] ?? '', 'widget')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    await api.ask('PATCH', workspace(), { monthly_question_allowance: null })
    await reserve(base['id'] ?? '', 'widget')
  },
)

verifies(
  ['allowance.usage', 'allowance.resets-at', 'allowance.usage-by-surface'],
  'usage reports the month, its questions, the remainder, the share of each base, and when the next month begins',
  async () => {
    const second = await api.ask('POST', '/knowledge-bases', { name: 'Second' })
    const { reserve } = api.allowance
    await reserve(second['id'] ?? '', 'mcp')
    const refunded = await api.ask('POST', '/knowledge-bases', { name: 'Refunded' })
    await (await reserve(refunded['id'] ?? '', 'api')).refund()
    await api.ask('PATCH', workspace(), { monthly_question_allowance: 5 })
    await api.send('DELETE', `/knowledge-bases/${second['id']}`, { confirm: 'Second' })

    const shown = await usage()

    const now = new Date()
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
    expect(shown).toEqual({
      workspace_id: base['workspace_id'],
      month: now.toISOString().slice(0, 7),
      questions: 3,
      allowance: 5,
      remaining: 2,
      resets_at: next.toISOString(),
      stored_bytes: 0,
      stored_bytes_limit: null,
      knowledge_bases: [
        {
          knowledge_base_id: base['id'],
          name: 'Acme docs',
          questions: 2,
          surfaces: [{ surface: 'widget', questions: 2 }],
        },
        {
          knowledge_base_id: second['id'],
          name: null,
          questions: 1,
          surfaces: [{ surface: 'mcp', questions: 1 }],
        },
      ],
      history: Array.from({ length: 12 }, (_, index) => ({
        month: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11 + index))
          .toISOString()
          .slice(0, 7),
        questions: index === 11 ? 3 : 0,
      })),
    })
  },
)

test('the questions of the bases add up to those of the workspace while questions are asked', async () => {
  await api.ask('PATCH', workspace(), { monthly_question_allowance: null })
  const { reserve } = api.allowance
  const reading = { isDone: false }
  const read = usage().finally(() => {
    reading.isDone = true
  })
  while (!reading.isDone) await reserve(base['id'] ?? '', 'widget')

  const { questions, knowledge_bases: bases, history } = await read

  const sum = (bases as { questions: number }[]).reduce((all, one) => all + one.questions, 0)
  const thisMonth = (history as { questions: number }[]).at(-1)?.questions
  expect([sum, thisMonth]).toEqual([questions, questions])
})

test('a member is not told the name of a base that they may not open', async () => {
  const closed = await api.ask('POST', '/knowledge-bases', { name: 'Layoffs', type: 'internal' })
  await api.ask('PATCH', `/knowledge-bases/${closed['id']}`, { workspace_members_can_chat: false })
  await api.ask('PATCH', workspace(), { monthly_question_allowance: null })
  const { reserve } = api.allowance
  for (const id of [closed['id'], base['id']]) await reserve(id ?? '', 'team')
  const { token } = await api.joinWorkspace({ role: 'member', workspaceId: base['workspace_id'] ?? '' })
  const namesFor = async (reader: string | undefined) => {
    const { body } = await api.send('GET', `${workspace()}/usage`, undefined, reader)
    return (body['knowledge_bases'] as { knowledge_base_id: string; name: string | null }[]).map(
      ({ knowledge_base_id, name }) => [knowledge_base_id === closed['id'], name],
    )
  }
  expect((await api.send('GET', `/knowledge-bases/${closed['id']}`, undefined, token)).status).toBe(403)

  expect(await namesFor(token)).toEqual(
    expect.arrayContaining([
      [true, null],
      [false, 'Acme docs'],
    ]),
  )
  expect(await namesFor(undefined)).toEqual(expect.arrayContaining([[true, 'Layoffs']]))
})

verifies('allowance.usage-of-others', 'the usage of a workspace is a 404 for a non-member', async () => {
  expect((await api.send('GET', `/workspaces/${newId()}/usage`)).status).toBe(404)
})

verifies('allowance.operator-alone', 'the token of an owner sets neither plan nor quota', async () => {
  const made = await api.ask('POST', '/access-tokens', { name: 'Owner', scopes: ['read', 'config', 'admin'] })
  for (const change of [{ plan: 'free' }, { monthly_question_allowance: 1_000_000 }]) {
    const refused = await api.send('PATCH', workspace(), change, made['token'])
    expect([refused.status, refused.body['code']]).toEqual([403, 'FORBIDDEN'])
  }
  expect((await api.send('PATCH', workspace(), { name: 'Acme' }, made['token'])).status).toBe(200)
})
