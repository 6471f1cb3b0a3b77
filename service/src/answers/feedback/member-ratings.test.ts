import type { Analytics } from '@citewell/contract/analytics'
import type { Conversation } from '@citewell/contract/conversations'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTurnKeeper } from '../../../test/keep-turns.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let api: TestManagement
let keep: ReturnType<typeof createTurnKeeper>
beforeAll(async () => {
  api = await openTestManagement()
  keep = createTurnKeeper(api)
})
afterAll(() => api.close())

/** A base with two members who may ask it, and an answer that the first of them got. */
async function openAsked() {
  const base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
  const [id, workspaceId] = [String(base['id']), String(base['workspace_id'])]
  const join = async () => await api.joinWorkspace({ role: 'member', workspaceId, scopes: ['read'] })
  const [ann, bob] = [await join(), await join()]
  const kept = await keep(id, {
    at: '2026-03-02T10:00:00Z',
    query: 'How often do keys rotate?',
    surface: 'team',
    user: ann.userId,
  })
  return { id, workspaceId, ann, bob, ...kept, path: `/messages/${kept.messageId}/rating` }
}

verifies(
  ['feedback.of-members', 'feedback.one-per-answer'],
  'a member rates an answer of their own, changes the rating and withdraws it; it counts in the analytics with the source team',
  async () => {
    const { id, workspaceId, ann, threadId, messageId, path } = await openAsked()
    const given = { vote: 'up', comment: 'Exactly.' }
    const first = await api.send('PUT', path, given, ann.token)
    expect(first).toMatchObject({
      status: 200,
      body: { workspace_id: workspaceId, message_id: messageId, ...given, source: 'team' },
    })

    const second = await api.send('PUT', path, { vote: 'down' }, ann.token)
    expect(second.body).toMatchObject({ id: first.body['id'], vote: 'down', comment: null })
    const analytics = `/knowledge-bases/${id}/analytics?from=2026-03-02&to=2026-03-02`
    const { totals } = await api.ask<Analytics>('GET', analytics)
    expect(totals.ratings).toMatchObject({ up: 0, down: 1 })

    const withdrawn = await api.send('DELETE', path, undefined, ann.token)
    expect(withdrawn.status).toBe(204)
    expect((await api.send('DELETE', path, undefined, ann.token)).status).toBe(204)
    const { ratings } = await api.ask<Conversation>('GET', `/conversations/${threadId}`)
    expect(ratings).toEqual({ up: 0, down: 0 })
  },
)

verifies(
  'feedback.of-members',
  'nobody rates the answer of somebody else: not another member, not the owner, not the answer of a reader',
  async () => {
    const { id, ann, bob, path } = await openAsked()
    const ofReader = await keep(id, { query: 'mine', surface: 'api', user: ann.userId })
    // Who got an answer of their own may still not rate that of another.
    await keep(id, { query: 'theirs', surface: 'team', user: bob.userId })
    const vote = { vote: 'up' }
    const notFound = { status: 404, body: { code: 'NOT_FOUND', error: 'There is no such message.' } }
    for (const token of [bob.token, api.token]) {
      expect(await api.send('PUT', path, vote, token)).toMatchObject(notFound)
      expect(await api.send('DELETE', path, undefined, token)).toMatchObject(notFound)
    }
    const other = `/messages/${ofReader.messageId}/rating`
    expect(await api.send('PUT', other, vote, ann.token)).toMatchObject(notFound)
    const unknown = `/messages/${crypto.randomUUID()}/rating`
    expect(await api.send('PUT', unknown, vote, ann.token)).toMatchObject(notFound)
  },
)

test('a member who may no longer chat in the base no longer rates; nor does anybody while it is archived', async () => {
  const { id, ann, path } = await openAsked()
  const base = `/knowledge-bases/${id}`
  await api.ask('PATCH', base, { workspace_members_can_chat: false })
  expect(await api.send('PUT', path, { vote: 'up' }, ann.token)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' },
  })
  await api.ask('PATCH', base, { workspace_members_can_chat: true })
  await api.ask('POST', `${base}/archive`)
  expect(await api.send('PUT', path, { vote: 'up' }, ann.token)).toMatchObject({
    status: 403,
    body: { code: 'KNOWLEDGE_BASE_ARCHIVED' },
  })
})

test('a vote that is none, and an id that is none, are refused', async () => {
  const { ann, path } = await openAsked()
  for (const body of [{ vote: 5 }, { vote: 'up', comment: 'x'.repeat(2_001) }, { rating: 'up' }]) {
    expect(await api.send('PUT', path, body, ann.token)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
  }
  expect((await api.send('PUT', '/messages/one/rating', { vote: 'up' }, ann.token)).status).toBe(400)
})
