import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestManagement } from '../../../test/test-management.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

let storage: TestStorage
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

const READER = 'ada@example.com'
const PAGES = [
  {
    title: 'Signing keys',
    text: 'Signing keys are rotated every day at midnight. For more, write to support@acme.example.',
  },
]
const MASKING = {
  base: { pii_masking: JSON.stringify({ mask: ['email'], custom_patterns: [], allow_list: [] }) as never },
}

verifies(
  ['pii.before-model', 'pii.before-storage', 'pii.user-ref', 'pii.answers'],
  'a question is masked before a model sees it and before it is stored, its reader is a pseudonym, and the pages’ own address stays',
  async () => {
    await using llm = await startFakeLlm(
      fakeLlm.says(
        ...`Signing keys are rotated every day at midnight [1]. Write to support@acme.example, not ${READER} [1].`.split(
          '',
        ),
      ),
    )
    await using api = await startPublicApi({ storage, modelUrl: llm.baseUrl })
    const base = await api.makeAskable(PAGES, MASKING)
    const ask = async (body: Record<string, unknown>) =>
      await framesOf(
        await api.send(`/public/knowledge-bases/${base.id}/chat`, {
          headers: { 'x-client-key': base.key },
          body,
        }),
      )

    const frames = await ask({
      query: `When are signing keys rotated? I am ${READER}`,
      user: { email: READER },
    })
    await ask({ query: `And who may do it, ${READER}?`, thread_id: frames.at(-1)?.['thread_id'] })

    const streamed = frames.map((frame) => (frame['delta'] as string | undefined) ?? '').join('')
    expect(streamed).toContain('Write to support@acme.example, not [email]')
    expect(JSON.stringify(frames)).not.toContain(READER)
    const sent = JSON.stringify(llm.requests.map(({ body }) => body.messages))
    expect(sent).toContain('I am [email]')
    expect(sent).toContain('support@acme.example')
    expect(sent).not.toContain(READER)
    const kept = await storage.db
      .selectFrom('messages')
      .selectAll()
      .where('knowledge_base_id', '=', base.id)
      .execute()
    expect(kept).toHaveLength(2)
    expect(JSON.stringify(kept)).not.toContain(READER)
    expect(kept[0]?.query).toBe('When are signing keys rotated? I am [email]')
    const threads = await storage.db
      .selectFrom('threads')
      .selectAll()
      .where('knowledge_base_id', '=', base.id)
      .execute()
    expect(threads.map((thread) => thread.user_ref)).toEqual([expect.stringMatching(/^masked-/)])
  },
)

verifies('pii.feedback', 'the comment of a rating is stored masked', async () => {
  await using api = await startPublicApi({ storage })
  const base = await api.makeAskable(PAGES, MASKING)
  const headers = { 'x-client-key': base.key }
  const body = { query: 'When are signing keys rotated?' }
  const frames = await framesOf(await api.send(`/public/knowledge-bases/${base.id}/chat`, { headers, body }))

  const rating = await api.send('/public/feedback', {
    headers,
    body: { message_id: frames.at(-1)?.['message_id'], rating: 'down', comment: `Tell me: ${READER}` },
  })

  expect(await rating.json()).toMatchObject({ comment: 'Tell me: [email]' })
})

verifies(
  'pii.search',
  'a search query is masked before the search, so that masked text finds nothing',
  async () => {
    await using api = await startPublicApi({ storage })
    const pages = [{ title: 'People', text: 'The owner of the staging cluster is zqxada@zqxcorp.example.' }]
    const counts: unknown[] = []
    for (const fields of [{}, MASKING]) {
      const base = await api.makeAskable(pages, fields)
      const found = await api.send(`/public/knowledge-bases/${base.id}/search`, {
        headers: { 'x-client-key': base.key },
        body: { query: 'zqxada@zqxcorp.example' },
      })
      counts.push(((await found.json()) as { count: number }).count)
    }
    expect(counts).toEqual([1, 0])
  },
)

verifies(
  ['pii.patterns-refused', 'pii.limits'],
  'invalid, too many or too long patterns, and unknown kinds are refused with the reason',
  async () => {
    await using api = await openTestManagement()
    const base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
    const change = (pii: unknown) => api.send('PATCH', `/knowledge-bases/${base['id']}`, { pii_masking: pii })

    const refused = await change({
      custom_patterns: ['ok', 'a(?=b)', String.raw`(a)\1`],
      allow_list: ['(', '/(/'],
    })
    expect(refused.status).toBe(400)
    expect(refused.body['details']).toEqual([
      { path: 'pii_masking.custom_patterns.1', message: expect.stringContaining('look-ahead') },
      { path: 'pii_masking.custom_patterns.2', message: expect.stringContaining('back reference') },
      { path: 'pii_masking.allow_list.1', message: expect.stringContaining('missing closing )') },
    ])
    expect((await change({ custom_patterns: Array.from({ length: 51 }, () => 'a') })).status).toBe(400)
    expect((await change({ custom_patterns: ['a'.repeat(201)] })).status).toBe(400)
    expect((await change({ mask: ['shoe_size'] })).status).toBe(400)

    const taken = await change({ mask: ['email'], custom_patterns: ['a'.repeat(200)] })
    expect(taken.status).toBe(200)
    expect(taken.body['pii_masking']).toEqual({
      mask: ['email'],
      custom_patterns: ['a'.repeat(200)],
      allow_list: [],
    })
    expect(
      (
        await api.send('POST', '/knowledge-bases', {
          name: 'Second',
          pii_masking: { custom_patterns: ['('] },
        })
      ).status,
    ).toBe(400)
  },
)
