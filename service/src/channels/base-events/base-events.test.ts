import type { BaseEvent } from '@citewell/contract/base-events'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlPage, startFakeSite, type FakeSite } from '../../../test/fake-site.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { createEvents } from '../../platform/events/events.ts'
import { createBaseEvents } from './base-events.ts'

let citewell: TestService
let site: FakeSite
let baseId: string

beforeAll(async () => {
  citewell = await startTestService()
  site = await startFakeSite({ '/': htmlPage('Acme', 'Keys are rotated every day at midnight.') })
  baseId = (await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme' })).id
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

/** The frames of a stream, as they come. */
async function* framesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<BaseEvent, void, void> {
  let rest = ''
  for await (const part of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as BaseEvent
  }
}

/** Reads frames until one is as it should be. */
async function until(frames: AsyncGenerator<BaseEvent, void, void>, isIt: (frame: BaseEvent) => boolean) {
  for (;;) {
    const { value } = await frames.next()
    if (value === undefined) throw new Error('The stream has ended.')
    if (isIt(value)) return value
  }
}

verifies(
  'syncs.follow-base',
  'a new source, its sync to the end, its documents and an approval are told on one stream, without being asked for',
  async () => {
    const response = await citewell.send('GET', `/api/v1/knowledge-bases/${baseId}/events`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const frames = framesOf(response.body)
    expect((await frames.next()).value).toEqual({ syncs: [], changed: [] })

    const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${baseId}/sources`, {
      type: 'website',
      name: 'docs',
      config: { start_urls: [site.origin] },
    })
    await until(frames, ({ changed }) => changed.includes('sources'))
    const sync = await citewell.json<{ id: string }>('POST', `/api/v1/sources/${source.id}/sync`)
    const last = await until(frames, ({ syncs }) => syncs.some(({ finished_at: end }) => end !== null))
    expect(last.changed).toContain('documents')
    expect(last.syncs).toEqual([
      expect.objectContaining({ id: sync.id, source_id: source.id, status: 'succeeded' }),
    ])
    expect(last.syncs[0]?.counts.added).toBe(1)

    const agent = await citewell.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${baseId}/agent-apps`,
      {
        name: 'Refunds',
      },
    )
    await citewell.json('POST', `/api/v1/knowledge-bases/${baseId}/approvals`, {
      agent_id: agent.id,
      title: 'Reply to ticket 7',
      content: 'On its way.',
    })
    await until(frames, ({ changed }) => changed.includes('approvals'))
    await frames.return()
  },
)

test('a base is looked at once for all who follow it, no more when nobody does, and a slow reader gets one joined frame', async () => {
  const { db } = citewell.storage
  const events = createEvents({ onListenerFailed: () => undefined })
  const base = createBaseEvents({ db, events, now: () => new Date(), everyMs: 5, lastsMs: 60_000 })
  const stop = new AbortController()
  const [one, other] = [base.follow(baseId, stop.signal), base.follow(baseId, stop.signal)]
  await one.next()
  await other.next()
  expect(base.watched()).toBe(1)
  for (let at = 0; at < 50; at += 1) events.announce('content.changed', { knowledgeBaseId: baseId })
  expect((await one.next()).value?.changed).toEqual(['documents'])
  events.announce('content.changed', { knowledgeBaseId: baseId })
  expect((await other.next()).value?.changed).toEqual(['documents'])
  await one.return()
  expect(base.watched()).toBe(1)
  stop.abort()
  expect(await other.next()).toEqual({ done: true, value: undefined })
  expect(base.watched()).toBe(0)
})

test('a stream ends after its time, and after the reader has gone', async () => {
  const events = createEvents({ onListenerFailed: () => undefined })
  const base = createBaseEvents({
    db: citewell.storage.db,
    events,
    now: () => new Date(),
    everyMs: 5,
    lastsMs: 10,
  })
  const frames = await Array.fromAsync(base.follow(baseId, new AbortController().signal))
  expect(frames.length).toBeGreaterThan(0)
  expect(base.watched()).toBe(0)
})
