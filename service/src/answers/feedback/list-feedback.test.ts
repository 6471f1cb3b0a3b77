import type { ListedFeedback } from '@citewell/contract/feedback'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { createTurnKeeper } from '../../../test/keep-turns.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let api: TestManagement
let keep: ReturnType<typeof createTurnKeeper>
beforeAll(async () => {
  api = await openTestManagement()
  keep = createTurnKeeper(api)
})
afterAll(() => api.close())

async function openRated() {
  const base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
  const id = String(base['id'])
  const first = await keep(id, { at: '2026-03-02T10:00:00Z', query: 'a', vote: 'up', comment: 'Exactly.' })
  await keep(id, { at: '2026-03-03T10:00:00Z', query: 'b', vote: 'down', covered: false, surface: 'widget' })
  await keep(id, { at: '2026-03-04T10:00:00Z', query: 'c', vote: 'down', comment: 'Wrong flag.' })
  await keep(id, { at: '2026-03-05T10:00:00Z', query: 'not rated' })
  return { id, workspaceId: String(base['workspace_id']), path: `/knowledge-bases/${id}/feedback`, first }
}

const listed = async (path: string) =>
  await api.ask<{ data: ListedFeedback[]; next_cursor: string | null }>('GET', path)
const queriesIn = async (path: string) => (await listed(path)).data.map(({ query }) => query)

verifies(
  'feedback.listed',
  'the ratings of a base are listed with their questions, by vote and comment, and of no other base',
  async () => {
    const { id, workspaceId, path, first } = await openRated()
    await openRated()
    const { data } = await listed(path)
    expect(data.map(({ query }) => query)).toEqual(['c', 'b', 'a'])
    expect(data[2]).toEqual({
      id: expect.any(String),
      workspace_id: workspaceId,
      knowledge_base_id: id,
      conversation_id: first.threadId,
      message_id: first.messageId,
      query: 'a',
      covered: true,
      vote: 'up',
      comment: 'Exactly.',
      source: 'api',
      created_at: '2026-03-02T10:00:00.000Z',
      updated_at: '2026-03-02T10:00:00.000Z',
    })
    expect(await queriesIn(`${path}?vote=down`)).toEqual(['c', 'b'])
    expect(await queriesIn(`${path}?has_comment=true`)).toEqual(['c', 'a'])
    expect(await queriesIn(`${path}?has_comment=false`)).toEqual(['b'])
    expect(await queriesIn(`${path}?vote=down&has_comment=true`)).toEqual(['c'])
    const page = await listed(`${path}?limit=2`)
    expect(await queriesIn(`${path}?limit=2&cursor=${page.next_cursor}`)).toEqual(['a'])
  },
)

verifies(
  'feedback.listed',
  'members without Config see no ratings, and a vote that is none is refused',
  async () => {
    const { workspaceId, path } = await openRated()
    const member = await api.joinWorkspace({ role: 'member', workspaceId })
    expect((await api.send('GET', path, undefined, member.token)).status).toBe(403)
    expect((await api.send('GET', `${path}?vote=5`)).status).toBe(400)
    expect((await api.send('GET', `${path}?cursor=x`)).status).toBe(400)
  },
)
