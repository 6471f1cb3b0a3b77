import type { Conversation } from '@citewell/contract/conversations'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTurnKeeper } from '../../../test/keep-turns.ts'
import { makeDocument, makeSource } from '../../../test/make-records.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { newId } from '../../kernel/ids.ts'

let api: TestManagement
let keep: ReturnType<typeof createTurnKeeper>
beforeAll(async () => {
  api = await openTestManagement()
  keep = createTurnKeeper(api)
})
afterAll(() => api.close())

const makeBase = async () =>
  (await api.ask<{ id: string }>('POST', '/knowledge-bases', { name: 'Acme docs' })).id

/** Creates a member of the workspace with these permissions on the base, and returns their token. */
async function memberWith(base: string, permissions: ('config' | 'chat')[]): Promise<string> {
  const { workspace_id } = await api.ask<{ workspace_id: string }>('GET', `/knowledge-bases/${base}`)
  const member = await api.joinWorkspace({ role: 'member', workspaceId: workspace_id })
  const times = { created_at: new Date(), updated_at: new Date() }
  await api.db
    .insertInto('knowledge_base_grants')
    .values({ workspace_id, knowledge_base_id: base, user_id: member.userId, permissions, ...times })
    .execute()
  const caller = {
    userId: member.userId,
    tokenId: member.tokenId,
    scopes: member.scopes,
    workspaces: member.workspaces,
  }
  const made = await api.accessTokens.create(caller, {
    name: 'test',
    scopes: ['config'],
    expiresAt: undefined,
  })
  return made.token
}

verifies(
  ['conversations.config-only', 'traces.config-only', 'analytics.config-only'],
  'members with Config read conversations, traces and analytics; other members get 403, non-members 404',
  async () => {
    const base = await makeBase()
    const { threadId, messageId } = await keep(base, { at: '2026-03-02T10:00:00Z', query: 'mine' })
    const holder = await memberWith(base, ['config'])
    const member = await memberWith(base, ['chat'])
    const stranger = await api.joinWorkspace()
    const strangers = await api.accessTokens.create(stranger, {
      name: 'x',
      scopes: ['admin'],
      expiresAt: undefined,
    })
    const paths = [
      `/knowledge-bases/${base}/conversations`,
      `/knowledge-bases/${base}/analytics`,
      `/conversations/${threadId}`,
      `/messages/${messageId}/trace`,
      `/knowledge-bases/${base}/traces`,
    ]
    for (const path of paths) {
      expect((await api.send('GET', path, undefined, holder)).status).toBe(200)
      expect((await api.send('GET', path, undefined, member)).status).toBe(403)
      expect((await api.send('GET', path, undefined, strangers.token)).status).toBe(404)
    }
    for (const [token, status] of [
      [member, 403],
      [strangers.token, 404],
      [holder, 204],
    ] as const) {
      expect((await api.send('DELETE', `/conversations/${threadId}`, undefined, token)).status).toBe(status)
    }
  },
)

verifies(
  'conversations.restricted-withheld',
  'a member without Chat is not shown answers that used pages which are not public',
  async () => {
    const base = await makeBase()
    const source = await makeSource(api.db, base)
    const open = await makeDocument(api.db, base, source)
    const restricted = await makeDocument(api.db, base, source, { visibility: 'restricted' })
    const { threadId } = await keep(base, { at: '2026-03-02T10:00:00Z', query: 'open', cites: [open] })
    await keep(base, {
      at: '2026-03-02T10:01:00Z',
      query: 'secret',
      cites: [open, restricted],
      threadId,
    })
    await api.ask('PATCH', `/knowledge-bases/${base}`, { workspace_members_can_chat: false })
    const answersFor = async (token: string) => {
      const { body } = await api.send('GET', `/conversations/${threadId}`, undefined, token)
      return (body as Conversation).messages.map(({ answer, withheld, citations }) => ({
        isShown: answer !== null,
        withheld,
        citations: citations.length,
      }))
    }

    expect(await answersFor(await memberWith(base, ['config']))).toEqual([
      { isShown: true, withheld: false, citations: 1 },
      { isShown: false, withheld: true, citations: 0 },
    ])
    const shown = await answersFor(await memberWith(base, ['config', 'chat']))
    expect(shown.map(({ isShown }) => isShown)).toEqual([true, true])
  },
)

test('pages that only members who may chat can read are not listed for holders of Config alone', async () => {
  const base = await makeBase()
  await api.ask('PATCH', `/knowledge-bases/${base}`, { workspace_members_can_chat: false })
  const source = await makeSource(api.db, base)
  const open = await makeDocument(api.db, base, source, { title: 'Keys' })
  const closed = await makeDocument(api.db, base, source, { title: 'Salaries', visibility: 'restricted' })
  await keep(base, { at: '2026-03-02T10:00:00Z', query: 'a', cites: [open, closed] })
  const titlesFor = async (token: string | undefined) => {
    const { body } = await api.send(
      'GET',
      `/knowledge-bases/${base}/analytics?from=2026-03-02&to=2026-03-04`,
      undefined,
      token,
    )
    return (body['top_pages'] as { title: string }[]).map(({ title }) => title).toSorted()
  }
  expect(await titlesFor(undefined)).toEqual(['Keys', 'Salaries'])
  expect(await titlesFor(await memberWith(base, ['config', 'chat']))).toEqual(['Keys', 'Salaries'])
  expect(await titlesFor(await memberWith(base, ['config']))).toEqual(['Keys'])
})

test('a text filter does not tell what a withheld answer says', async () => {
  const base = await makeBase()
  await api.ask('PATCH', `/knowledge-bases/${base}`, { workspace_members_can_chat: false })
  const source = await makeSource(api.db, base)
  const open = await makeDocument(api.db, base, source)
  const closed = await makeDocument(api.db, base, source, { visibility: 'restricted' })
  await keep(base, { at: '2026-03-02T10:00:00Z', query: 'open', answer: 'Of bananas.', cites: [open] })
  await keep(base, {
    at: '2026-03-02T10:01:00Z',
    query: 'secret',
    answer: 'Of bananas and layoffs.',
    cites: [open, closed],
  })
  const foundBy = async (token: string, word: string) => {
    const path = `/knowledge-bases/${base}/conversations`
    const { body } = await api.send('GET', `${path}?text=${word}`, undefined, token)
    const file = await api.fetch('GET', `${path}/export?format=ndjson&text=${word}`, undefined, token)
    const exported = (await file.text()).split('\n').filter(Boolean)
    return [
      (body['data'] as { first_query: string }[]).map(({ first_query }) => first_query),
      exported.map((line) => (JSON.parse(line) as { question: string }).question),
    ]
  }
  const holder = await memberWith(base, ['config'])
  expect(await foundBy(holder, 'layoffs')).toEqual([[], []])
  expect(await foundBy(holder, 'bananas')).toEqual([['open'], ['open']])
  const reader = await memberWith(base, ['config', 'chat'])
  expect(await foundBy(reader, 'layoffs')).toEqual([['secret'], ['secret']])
})

test('an export is withheld rightly however many pages its answers used', async () => {
  const base = await makeBase()
  await api.ask('PATCH', `/knowledge-bases/${base}`, { workspace_members_can_chat: false })
  const open = await makeDocument(api.db, base, await makeSource(api.db, base))
  await keep(base, { at: '2026-03-02T10:00:00Z', query: 'open', cites: [open] })
  // More than a statement has parameters.
  for (let count = 0; count < 11; count += 1) {
    const gone = Array.from({ length: 6_000 }, () => newId())
    await keep(base, { at: '2026-03-03T10:00:00Z', query: 'gone', drewOn: gone })
  }
  const path = `/knowledge-bases/${base}/conversations/export?format=ndjson`
  const file = await api.fetch('GET', path, undefined, await memberWith(base, ['config']))
  expect(file.status).toBe(200)
  const rows = (await file.text()).split('\n').filter(Boolean)
  const answers = rows.map((row) => JSON.parse(row) as { question: string; answer: string | null })
  expect(answers.map(({ question, answer }) => [question, answer === null])).toEqual([
    ...Array.from({ length: 11 }, () => ['gone', true]),
    ['open', false],
  ])
})
