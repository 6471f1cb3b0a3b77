import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage } from '../../../test/test-storage.ts'

verifies(
  ['zero-retention.no-rating', 'zero-retention.no-ids'],
  'under zero retention the last frame has no message id, and there is no message to rate',
  async () => {
    await using storage = await openTestStorage()
    await using api = await startPublicApi({ storage })
    const pages = [{ title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }]
    const base = await api.makeAskable(pages, { workspace: { zero_data_retention: true } })
    const headers = { 'x-client-key': base.key }

    const frames = await framesOf(
      await api.send(`/public/knowledge-bases/${base.id}/chat`, {
        headers,
        body: { query: 'When are signing keys rotated?' },
      }),
    )
    const rating = await api.send('/public/feedback', {
      headers,
      body: { message_id: crypto.randomUUID(), rating: 'up' },
    })

    expect(frames.at(-1)).toMatchObject({ done: true, covered: true })
    expect(Object.keys(frames.at(-1) ?? {})).not.toContain('message_id')
    expect(Object.keys(frames.at(-1) ?? {})).not.toContain('thread_id')
    expect(rating.status).toBe(404)
    expect(await storage.db.selectFrom('messages').select('id').execute()).toEqual([])
    expect(await storage.db.selectFrom('threads').select('id').execute()).toEqual([])
  },
)

test('once zero retention is switched on, a rating of an earlier answer is not kept, and can be withdrawn', async () => {
  await using storage = await openTestStorage()
  await using api = await startPublicApi({ storage })
  const base = await api.makeAskable([
    { title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' },
  ])
  const headers = { 'x-client-key': base.key }
  const frames = await framesOf(
    await api.send(`/public/knowledge-bases/${base.id}/chat`, {
      headers,
      body: { query: 'When are signing keys rotated?' },
    }),
  )
  const messageId = frames.at(-1)?.['message_id']
  const rate = async (comment: string) =>
    (await api.send('/public/feedback', { headers, body: { message_id: messageId, rating: 'up', comment } }))
      .status
  const comments = async () =>
    (await storage.db.selectFrom('feedback').select('comment').execute()).map(({ comment }) => comment)
  expect(await rate('before')).toBe(201)
  await storage.db.updateTable('workspaces').set({ zero_data_retention: true }).execute()

  expect(await rate('after')).toBe(404)
  expect(await comments()).toEqual(['before'])
  const withdrawn = await api.send(`/public/feedback/${String(messageId)}`, { method: 'DELETE', headers })
  expect(withdrawn.status).toBe(204)
  expect(await comments()).toEqual([])
})
