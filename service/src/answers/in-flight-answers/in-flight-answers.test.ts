import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifies } from '@citewell/spec/verifies'
import { joinTestWorkspace } from '../../../test/join-workspace.ts'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { createInFlightAnswers } from './in-flight-answers.ts'
import { openPostgresStorage } from '../../platform/storage/storage.ts'
import { TIME_LIMIT } from '../../../test/time-limit.ts'

let llm: FakeLlm
let citewell: TestService
let storage: TestStorage

beforeAll(async () => {
  storage = await openTestStorage()
  llm = await startFakeLlm(fakeLlm.neverEnds('Keys rotate daily and so on. ', 20))
  citewell = await startTestService(modelSettings(), { storage })
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await storage.close()
  await llm[Symbol.asyncDispose]()
})

const modelSettings = () => ({ CITEWELL_LLM_BASE_URL: llm.baseUrl, CITEWELL_LLM_MODEL: 'fake' })

interface Base {
  id: string
  client_key: { id: string; key: string }
}

async function makeAskable(): Promise<Base> {
  const base = await citewell.json<Base>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'FAQ',
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Keys',
        url: 'https://docs.test/keys',
        markdown: 'Signing keys rotate daily.',
      },
    ],
  })
  return base
}

type Frame = Record<string, unknown>

/** Asks, and returns once the answer is being written: its frames, and when the stream ended. */
async function startAnswer(
  base: Base,
  service = citewell,
  as: { path: string; headers: Record<string, string> } = {
    path: `/api/v1/public/knowledge-bases/${base.id}/chat`,
    headers: { 'x-client-key': base.client_key.key },
  },
) {
  const leaving = new AbortController()
  const response = await service.fetch(as.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...as.headers },
    body: JSON.stringify({ query: 'How often do signing keys rotate?' }),
    signal: leaving.signal,
  })
  const frames: Frame[] = []
  const isWriting = Promise.withResolvers<void>()
  const ended = (async () => {
    let text = ''
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString()
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) if (part.startsWith('data: ')) frames.push(JSON.parse(part.slice(6)) as Frame)
      if (frames.some((frame) => 'delta' in frame)) isWriting.resolve()
    }
    return performance.now()
  })().catch(() => performance.now())
  await isWriting.promise
  return { frames, ended, leave: () => leaving.abort() }
}

const stored = async () =>
  await storage.db.selectFrom('messages').select(['knowledge_base_id', 'stopped_by']).execute()

const ENDS = [
  {
    by: 'archive',
    frame: { code: 'KNOWLEDGE_BASE_ARCHIVED' },
    end: (base: Base) => citewell.send('POST', `/api/v1/knowledge-bases/${base.id}/archive`),
  },
  {
    by: 'switch',
    frame: { code: 'KNOWLEDGE_BASE_INTERNAL' },
    end: (base: Base) => citewell.send('PATCH', `/api/v1/knowledge-bases/${base.id}`, { type: 'internal' }),
  },
  {
    by: 'revoke',
    frame: { code: 'UNAUTHENTICATED' },
    end: (base: Base) => citewell.send('DELETE', `/api/v1/client-keys/${base.client_key.id}`),
  },
  {
    by: 'delete',
    frame: { code: 'NOT_FOUND' },
    end: (base: Base) =>
      citewell.send('DELETE', `/api/v1/knowledge-bases/${base.id}`, { confirm: 'Acme docs' }),
  },
] as const

verifies(
  ['knowledge-bases.streams-end', 'traps.streams-in-flight'],
  'an in-flight answer ends with one error frame within a second when its base or key is closed in any way',
  async () => {
    const other = await startAnswer(await makeAskable())
    for (const { by, end, frame } of ENDS) {
      const base = await makeAskable()
      const answer = await startAnswer(base)
      const response = await end(base)
      const changedAt = performance.now()
      expect(response.ok).toBe(true)
      expect((await answer.ended) - changedAt).toBeLessThan(1_000)
      expect(answer.frames.at(-1)).toMatchObject({ error_code: 'cancelled', ...frame, retryable: false })
      expect(answer.frames.filter((one) => one['done'] === true)).toEqual([])
      const kept = (await stored()).filter((message) => message.knowledge_base_id === base.id)
      // Nothing is stored for a deleted base; otherwise the partial answer is stored as cancelled.
      expect(kept.map((message) => message.stopped_by)).toEqual(by === 'delete' ? [] : ['cancelled'])
    }
    expect(other.frames.some((frame) => 'error' in frame)).toBe(false)
    other.leave()
  },
  TIME_LIMIT,
)

test.each([
  [
    'restricted',
    (id: string) => citewell.send('PATCH', `/api/v1/documents/${id}`, { visibility: 'restricted' }),
  ],
  ['deleted', (id: string) => citewell.send('DELETE', `/api/v1/documents/${id}`)],
])(
  'an in-flight answer that uses a page ends when the page is %s, and cites it nowhere',
  async (_, withdraw) => {
    const base = await makeAskable()
    const answer = await startAnswer(base)
    const path = `/api/v1/knowledge-bases/${base.id}/documents`
    const { data } = await citewell.json<{ data: { id: string }[] }>('GET', path)
    expect((await withdraw(data[0]?.id ?? '')).ok).toBe(true)
    await answer.ended
    expect(answer.frames.at(-1)).toMatchObject({
      code: 'UNAVAILABLE',
      error_code: 'cancelled',
      retryable: true,
    })
    expect(answer.frames.filter((frame) => frame['done'] === true)).toEqual([])
  },
)

test('what a member asked, of one base or of all, ends when they may no longer ask it', async () => {
  const base = await makeAskable()
  const { workspace_id: workspaceId } = await citewell.json<{ workspace_id: string }>(
    'GET',
    `/api/v1/knowledge-bases/${base.id}`,
  )
  const paths = [`/api/v1/knowledge-bases/${base.id}/chat`, `/api/v1/workspaces/${workspaceId}/chat`]
  for (const path of paths) {
    const member = await joinTestWorkspace(storage.db, () => new Date(), { workspaceId, role: 'member' })
    const headers = { authorization: `Bearer ${member.token}` }
    const answer = await startAnswer(base, citewell, { path, headers })
    const removal = await citewell.send(
      'DELETE',
      `/api/v1/workspaces/${workspaceId}/members/${member.userId}`,
    )
    expect(removal.ok).toBe(true)
    await answer.ended
    expect(answer.frames.at(-1)).toMatchObject({
      code: 'FORBIDDEN',
      error_code: 'cancelled',
      retryable: false,
    })
    expect(answer.frames.filter((frame) => frame['done'] === true)).toEqual([])
  }
})

test.skipIf(process.env['DATABASE_URL'] === undefined)(
  'an in-flight answer of another process ends too',
  TIME_LIMIT,
  async () => {
    const elsewhere = await openPostgresStorage(storage.databaseUrl ?? '')
    const other = await startTestService(modelSettings(), { storage: elsewhere })
    for (const { end, frame } of ENDS) {
      const base = await makeAskable()
      const answer = await startAnswer(base, other)
      await end(base)
      const changedAt = performance.now()
      expect((await answer.ended) - changedAt).toBeLessThan(1_000)
      expect(answer.frames.at(-1)).toMatchObject({ error_code: 'cancelled', ...frame })
    }
    await other[Symbol.asyncDispose]()
    await elsewhere.close()
  },
)

test('a reader who signed in is cut off from a base that turns internal, a member is not', async () => {
  const base = await makeAskable()
  const inFlightAnswers = createInFlightAnswers({
    db: storage.db,
    events: { listen: () => {} },
    report: () => {},
  })
  const never = new AbortController().signal
  const of = { knowledgeBaseId: base.id, asker: { surface: 'mcp' as const, clientKeyId: undefined } }
  const reader = inFlightAnswers.open({ ...of, includeRestricted: false }, never)
  const member = inFlightAnswers.open({ ...of, includeRestricted: true }, never)
  await citewell.send('PATCH', `/api/v1/knowledge-bases/${base.id}`, { type: 'internal' })

  await expect.poll(() => reader.refusal()?.code, { timeout: 5_000 }).toBe('KNOWLEDGE_BASE_INTERNAL')
  expect(reader.signal.aborted).toBe(true)
  expect(member.refusal()).toBeUndefined()
  reader[Symbol.dispose]()
  member[Symbol.dispose]()
})

test('an answer that begins to use a page while the status is read goes on', async () => {
  const base = await makeAskable()
  const path = `/api/v1/knowledge-bases/${base.id}/documents`
  const { data } = await citewell.json<{ data: { id: string }[] }>('GET', path)
  const changed = Promise.withResolvers<() => Promise<void>>()
  const inFlightAnswers = createInFlightAnswers({
    db: storage.db,
    events: { listen: (_name, look) => changed.resolve(look as () => Promise<void>) },
    report: () => {},
  })
  const asker = { surface: 'mcp' as const, clientKeyId: undefined }
  const never = new AbortController().signal
  using answer = inFlightAnswers.open({ knowledgeBaseId: base.id, asker, includeRestricted: false }, never)
  const look = await changed.promise
  const looking = look()
  // The first look waits for another one; by then the statement is on its way.
  await Promise.resolve()
  await Promise.resolve()
  answer.uses([data[0]?.id ?? ''])
  await looking
  expect(answer.refusal()).toBeUndefined()
  await look()
  expect(answer.refusal()).toBeUndefined()
})
