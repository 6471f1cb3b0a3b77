import type { Conversation, ConversationSummary } from '@citewell/contract/conversations'
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

type Member = Awaited<ReturnType<TestManagement['joinWorkspace']>>

async function makeBase() {
  const base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
  return { id: String(base['id']), workspaceId: String(base['workspace_id']) }
}

const joinAt = async (workspaceId: string) => await api.joinWorkspace({ role: 'member', workspaceId })

const askedBy = async (base: string, { userId }: Member, query: string, at: string) =>
  await keep(base, { at: `2026-03-${at}T10:00:00Z`, query, surface: 'team', user: userId })

async function queriesOf(member: Member, query = ''): Promise<string[]> {
  const { status, body } = await api.send('GET', `/me/conversations${query}`, undefined, member.token)
  expect(status).toBe(200)
  return (body['data'] as ConversationSummary[]).map(({ first_query }) => first_query)
}

verifies(
  'conversations.own',
  'a member lists what they asked in any base, newest first, in pages; nobody else’s, and nothing that a reader asked under their id',
  async () => {
    const [one, other] = [await makeBase(), await makeBase()]
    const [ann, bob] = [await joinAt(one.workspaceId), await joinAt(one.workspaceId)]
    await askedBy(one.id, ann, 'first', '02')
    await askedBy(other.id, ann, 'second', '03')
    const { threadId } = await askedBy(one.id, ann, 'third', '04')
    await askedBy(one.id, bob, 'of Bob', '05')
    await keep(one.id, { query: 'of a reader', surface: 'api', user: ann.userId })

    expect(await queriesOf(ann)).toEqual(['third', 'second', 'first'])
    expect(await queriesOf(bob)).toEqual(['of Bob'])
    expect(await queriesOf(ann, `?knowledge_base_id=${other.id}`)).toEqual(['second'])
    const page = await api.send('GET', '/me/conversations?limit=2', undefined, ann.token)
    const cursor = String(page.body['next_cursor'])
    expect(await queriesOf(ann, `?limit=2&cursor=${cursor}`)).toEqual(['first'])

    const own = await api.send('GET', `/me/conversations/${threadId}`, undefined, ann.token)
    const conversation = own.body as unknown as Conversation
    expect(conversation).toMatchObject({ id: threadId, surface: 'team', message_count: 1 })
    expect(conversation.messages).toMatchObject([{ query: 'third', answer: 'Keys rotate daily [1].' }])
  },
)

verifies(
  'conversations.own',
  'a conversation of somebody else is not there, for the owner of the workspace either',
  async () => {
    const base = await makeBase()
    const [ann, bob] = [await joinAt(base.workspaceId), await joinAt(base.workspaceId)]
    const { threadId } = await askedBy(base.id, ann, 'mine', '02')
    for (const token of [bob.token, api.token]) {
      for (const method of ['GET', 'DELETE']) {
        expect(await api.send(method, `/me/conversations/${threadId}`, undefined, token)).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND' },
        })
      }
    }
    expect(await queriesOf(ann)).toEqual(['mine'])
  },
)

verifies(
  'conversations.own',
  'what a member asked goes with their right to chat, and comes back with a grant',
  async () => {
    const base = await makeBase()
    const ann = await joinAt(base.workspaceId)
    const { threadId } = await askedBy(base.id, ann, 'mine', '02')
    const path = `/me/conversations/${threadId}`
    const statusOf = async (method: string) => (await api.send(method, path, undefined, ann.token)).status
    const grant = async (permissions: string[]) =>
      await api.ask('PUT', `/knowledge-bases/${base.id}/grants/${ann.userId}`, { permissions })

    await api.ask('PATCH', `/knowledge-bases/${base.id}`, { workspace_members_can_chat: false })
    expect([await queriesOf(ann), await statusOf('GET'), await statusOf('DELETE')]).toEqual([[], 404, 404])
    await grant(['config'])
    expect([await queriesOf(ann), await statusOf('GET')]).toEqual([[], 404])
    await grant(['chat'])
    expect([await queriesOf(ann), await statusOf('GET')]).toEqual([['mine'], 200])

    await api.db.deleteFrom('workspace_members').where('user_id', '=', ann.userId).execute()
    expect(await queriesOf(ann)).toEqual([])
  },
)

verifies(
  ['conversations.own', 'activity-log.every-change'],
  'a member deletes a conversation of their own, on an archived base too, and the activity log says so',
  async () => {
    const base = await makeBase()
    const ann = await joinAt(base.workspaceId)
    const { threadId } = await askedBy(base.id, ann, 'gone', '02')
    await askedBy(base.id, ann, 'kept', '03')
    await api.ask('POST', `/knowledge-bases/${base.id}/archive`)

    const deleted = await api.send('DELETE', `/me/conversations/${threadId}`, undefined, ann.token)
    expect(deleted.status).toBe(204)
    expect(await queriesOf(ann)).toEqual(['kept'])
    expect((await api.send('GET', `/conversations/${threadId}`)).status).toBe(404)
    const log = `/workspaces/${base.workspaceId}/activity?action=conversation.deleted`
    const { data } = await api.ask<{ data: unknown[] }>('GET', log)
    expect(data).toMatchObject([
      { actor: { user_id: ann.userId }, target: { type: 'conversation', id: threadId } },
    ])
  },
)

verifies(
  'conversations.own',
  'under zero retention a member has no conversations, and may still delete what was kept before',
  async () => {
    const member = await api.joinWorkspace()
    const { body } = await api.send('POST', '/knowledge-bases', { name: 'Acme docs' }, member.token)
    const { threadId } = await askedBy(String(body['id']), member, 'before', '02')
    await api.db
      .updateTable('workspaces')
      .set({ zero_data_retention: true })
      .where('id', '=', member.workspaceId)
      .execute()
    const path = `/me/conversations/${threadId}`
    expect(await queriesOf(member)).toEqual([])
    expect((await api.send('GET', path, undefined, member.token)).status).toBe(404)
    expect((await api.send('DELETE', path, undefined, member.token)).status).toBe(204)
  },
)

test('a cursor that is none is refused', async () => {
  const { token } = await api.joinWorkspace()
  expect(await api.send('GET', '/me/conversations?cursor=x', undefined, token)).toMatchObject({ status: 400 })
})
