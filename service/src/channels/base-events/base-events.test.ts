import type { BaseEvent } from '@citewell/contract/base-events'
import { verifies } from '@citewell/spec/verifies'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthorizationWorld } from '../../../test/authorization-world.ts'
import { htmlPage, startFakeSite, type FakeSite } from '../../../test/fake-site.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { createEvents } from '../../platform/events/events.ts'
import { createBaseEvents, MAX_STREAMS_OF_PERSON } from './base-events.ts'

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

/** The events of bases in this process, with intervals of the test, in milliseconds. */
function openEvents(
  intervals: { everyMs?: number; checksEveryMs?: number; lastsMs?: number },
  db = citewell.storage.db,
) {
  const events = createEvents({ onListenerFailed: () => undefined })
  const base = createBaseEvents({
    db,
    events,
    now: () => new Date(),
    everyMs: 5,
    checksEveryMs: 60_000,
    lastsMs: 60_000,
    ...intervals,
  })
  const announce = () => events.announce('content.changed', { knowledgeBaseId: baseId })
  return { base, announce }
}

const NO_COUNTS = {
  discovered: 0,
  fetched: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  skipped: 0,
  failed: 0,
}

const following = (signal = new AbortController().signal, isAllowed: () => boolean = () => true) => ({
  personId: 'ada',
  isStillAllowed: async () => await Promise.resolve(isAllowed()),
  signal,
})

test('a base is looked at once for all who follow it, no more when nobody does, and a slow reader gets one joined frame', async () => {
  const { base, announce } = openEvents({})
  const stop = new AbortController()
  const [one, other] = [
    base.follow(baseId, following(stop.signal)),
    base.follow(baseId, following(stop.signal)),
  ]
  await one.next()
  await other.next()
  expect(base.watched()).toBe(1)
  for (let at = 0; at < 50; at += 1) announce()
  expect((await one.next()).value?.changed).toEqual(['documents'])
  announce()
  expect((await other.next()).value?.changed).toEqual(['documents'])
  await one.return()
  expect(base.watched()).toBe(1)
  stop.abort()
  expect(await other.next()).toEqual({ done: true, value: undefined })
  expect(base.watched()).toBe(0)
})

test('a stream ends after its time, and after the reader has gone', async () => {
  const { base } = openEvents({ lastsMs: 10 })
  const frames = await Array.fromAsync(base.follow(baseId, following()))
  expect(frames.length).toBeGreaterThan(0)
  expect(base.watched()).toBe(0)
})

test('a sync that announces each document makes no more frames than there are looks', async () => {
  const { base, announce } = openEvents({ everyMs: 60_000, lastsMs: 50 })
  const frames: BaseEvent[] = []
  for await (const frame of base.follow(baseId, following())) {
    frames.push(frame)
    announce()
  }
  expect(frames.map(({ changed }) => changed)).toEqual([[]])
})

test('a stream ends when the person may no longer see the base, also when nothing happens', async () => {
  let isAllowed = true
  const { base, announce } = openEvents({})
  const told = base.follow(
    baseId,
    following(undefined, () => isAllowed),
  )
  await told.next()
  announce()
  expect((await told.next()).value?.changed).toContain('documents')
  isAllowed = false
  announce()
  expect(await told.next()).toEqual({ done: true, value: undefined })

  const { base: quiet } = openEvents({ everyMs: 60_000, checksEveryMs: 5 })
  const frames = await Array.fromAsync(
    quiet.follow(
      baseId,
      following(undefined, () => false),
    ),
  )
  expect(frames.length).toBe(1)
  expect([base.watched(), quiet.watched()]).toEqual([0, 0])
})

/** The stream at an address as a new member sees it, after its first frame, and how the member is removed. */
async function followAsMember(path: string) {
  const { workspaces } = await citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')
  const workspaceId = workspaces[0]?.id ?? ''
  const { userId, token } = await createAuthorizationWorld(citewell).addPerson(workspaceId, 'member')
  const response = await citewell.fetch(path, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  const frames = framesOf(response.body)
  await frames.next()
  const remove = async () => {
    await citewell.json('DELETE', `/api/v1/workspaces/${workspaceId}/members/${userId}`)
  }
  return { frames, remove }
}

test('a member who is removed hears nothing that happens afterwards', async () => {
  const { frames, remove } = await followAsMember(`/api/v1/knowledge-bases/${baseId}/events`)
  await remove()
  await citewell.json('POST', `/api/v1/knowledge-bases/${baseId}/sources`, {
    type: 'website',
    name: 'secret',
    config: { start_urls: [site.origin] },
  })
  expect(await frames.next()).toEqual({ done: true, value: undefined })
})

test(
  'one person has a bounded number of streams, and a place is free again when one ends',
  { tags: ['long'] },
  async () => {
    const path = `/api/v1/knowledge-bases/${baseId}/events`
    const open = await Promise.all(
      Array.from({ length: MAX_STREAMS_OF_PERSON }, async () => {
        const { body } = await citewell.send('GET', path)
        const reader = body?.getReader()
        await reader?.read()
        return reader
      }),
    )
    const refused = await citewell.send('GET', path)
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ code: 'RATE_LIMITED' }),
    ])
    await open.pop()?.cancel()
    await expect
      .poll(
        async () => {
          const again = await citewell.send('GET', path)
          await again.body?.cancel()
          return again.status
        },
        { timeout: 30_000 },
      )
      .toBe(200)
    await Promise.all(open.map(async (reader) => await reader?.cancel()))
  },
)

test('streams count from when they are asked for, so that of two at once the last place is given once; an abort frees a place that was never read', () => {
  const { base } = openEvents({})
  const leaving = new AbortController()
  const ask = (signal?: AbortSignal) => base.follow(baseId, following(signal))
  for (let open = 1; open < MAX_STREAMS_OF_PERSON; open += 1) ask()
  ask(leaving.signal)
  expect(() => ask()).toThrow('close one first')
  leaving.abort()
  ask(AbortSignal.abort())
  ask()
  expect(() => ask()).toThrow('close one first')
})

test('of more syncs than one look reads, the latest changes are told, also after a look that failed; of one, nothing to a member who is removed', async () => {
  const { id } = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Many' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${id}/sources`, {
    type: 'website',
    name: 'docs',
    config: { start_urls: [site.origin] },
  })
  await citewell.rows(`insert into sources select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid()))).*
    from sources s, generate_series(1, 200) where s.id = '${source.id}'`)
  await citewell.rows(`insert into syncs (knowledge_base_id, id, source_id, status, counts, heartbeat_at, created_at, updated_at)
    select knowledge_base_id, gen_random_uuid(), id, 'running', '${JSON.stringify(NO_COUNTS)}', now() + interval '1 hour', now(),
      now() - interval '1 hour' + case when id = '${source.id}' then interval '1 minute' else interval '0' end
    from sources where knowledge_base_id = '${id}'`)
  let isDown = false
  const failsOnce: KyselyPlugin = {
    transformQuery: ({ node }) => {
      // The last read of a look.
      if (!isDown || node.kind !== 'RawNode') return node
      isDown = false
      throw new Error('The database is down for a moment.')
    },
    transformResult: async ({ result }) => await Promise.resolve(result),
  }
  const { base } = openEvents({}, citewell.storage.db.withPlugin(failsOnce))
  const frames = base.follow(id, following())
  const first = (await frames.next()).value
  expect(first?.syncs.length).toBe(200)
  const latest = first?.syncs.find(({ source_id: of }) => of === source.id)
  expect(latest).toBeDefined()
  isDown = true
  await citewell.rows(`update syncs set updated_at = now() where id = '${latest?.id}'`)
  await until(frames, ({ syncs }) =>
    syncs.some(({ id: of, updated_at: at }) => of === latest?.id && at !== latest?.updated_at),
  )
  expect(isDown).toBe(false)
  await frames.return()

  const { frames: progress, remove } = await followAsMember(`/api/v1/syncs/${latest?.id}/events`)
  await remove()
  expect((await progress.next()).value).toMatchObject({ error: expect.any(String) as unknown })
  expect((await progress.next()).done).toBe(true)
})
