import { expect, test } from 'vitest'
import { createManagement } from '../src/management.ts'
import { errorOf } from './error-of.ts'
import { eventOf, json, refusal, startScriptedServer } from './scripted-server.ts'

const open = ({ endpoint }: { endpoint: string }) => createManagement({ endpoint, accessToken: 'cw_pat_1' })
const BUSY = refusal(503, 'UNAVAILABLE', true, { 'retry-after': '1' })
const COUNTS = { added: 0 }

test('a creation is repeated with its key, so that it happens once', async () => {
  await using server = await startScriptedServer(BUSY, json(201, { id: 'kb' }), json(201, { id: 'kb' }))
  await open(server).createKnowledgeBase({ name: 'Docs' })
  await open(server).createKnowledgeBase({ name: 'Docs' })
  const keys = server.received.map(({ headers }) => headers['idempotency-key'])
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})

test('what reads, replaces or deletes is repeated; what could happen twice is not', async () => {
  await using reading = await startScriptedServer(BUSY, json(200, { id: 's' }))
  await open(reading).getSource('s')
  expect(reading.received).toHaveLength(2)
  await using starting = await startScriptedServer(BUSY)
  expect(await errorOf(open(starting).startSync('s'))).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 })
  expect(starting.received).toHaveLength(1)
})

test('the page of a list that fails ends its loop with the error', async () => {
  await using server = await startScriptedServer(
    json(200, { data: [{ id: 'a' }], next_cursor: 'next' }),
    refusal(403, 'FORBIDDEN', false),
  )
  const ids: string[] = []
  const loop = async () => {
    for await (const { id } of open(server).listSources('kb', { type: 'push', limit: 1 })) ids.push(id)
  }
  expect(await errorOf(loop())).toMatchObject({ code: 'FORBIDDEN' })
  expect(ids).toEqual(['a'])
  expect(server.received.map(({ path }) => path)).toEqual([
    '/api/v1/knowledge-bases/kb/sources?type=push&limit=1',
    '/api/v1/knowledge-bases/kb/sources?type=push&limit=1&cursor=next',
  ])
})

test('a stream that begins with an error leaves no connection open', async () => {
  const ended = Promise.withResolvers<void>()
  await using server = await startScriptedServer((response) => {
    const error = { error: 'Gone.', code: 'NOT_FOUND', error_code: 'internal', retryable: false }
    response.writeHead(200).write(eventOf({ ...error, request_id: 'r1' }))
    response.on('close', () => ended.resolve())
  })
  const follow = async () => {
    for await (const _ of open(server).followSync('s'));
  }
  expect(await errorOf(follow())).toMatchObject({ code: 'NOT_FOUND' })
  await ended.promise
})

test('a sync that is followed ends with its errors, or with STREAM_CUT', async () => {
  const running = { status: 'running', counts: COUNTS, error: null }
  const failed = { status: 'failed', counts: COUNTS, error: 'The site is down.', errors: [] }
  await using server = await startScriptedServer(
    (response) => response.writeHead(200).end(eventOf(running) + eventOf(failed)),
    (response) => response.writeHead(200).end(eventOf(running)),
  )
  const follow = async () => {
    const seen: string[] = []
    for await (const { status } of open(server).followSync('s')) seen.push(status)
    return seen
  }
  // Its own error is data, not an error of the stream.
  expect(await follow()).toEqual(['running', 'failed'])
  expect(await errorOf(follow())).toMatchObject({ code: 'STREAM_CUT' })
})
