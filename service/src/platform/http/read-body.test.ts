import { GiveFeedback } from '@citewell/contract/feedback'
import { expect, test } from 'vitest'
import { ErrorBody } from '@citewell/contract/errors'
import { SAMPLE_ID, startSample } from '../../../test/sample-http-service.ts'
import { parseRequestPart } from './parse-request-part.ts'

type Sample = Awaited<ReturnType<typeof startSample>>

async function send(sample: Sample, body: RequestInit['body'], headers: Record<string, string> = {}) {
  const response = await sample.send(`/notes/${SAMPLE_ID}`, {
    method: 'POST',
    headers: { ...sample.team, ...headers },
    body: body ?? null,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function faults(sample: Sample, body: RequestInit['body'], headers?: Record<string, string>) {
  const { status, body: error } = await send(sample, body, headers)
  return { status, details: ErrorBody.parse(error).details }
}

test('a valid body reaches the handler parsed and with defaults', async () => {
  await using sample = await startSample()

  expect(await send(sample, '{"words":"  hi  "}')).toEqual({
    status: 201,
    body: { id: SAMPLE_ID, words: 'hi', tags: {} },
  })
})

test('each validation error of a body is reported with its path', async () => {
  await using sample = await startSample()

  expect(await faults(sample, '{"words":"","colour":"red"}')).toEqual({
    status: 400,
    details: [
      { path: 'words', message: 'must not be empty' },
      { path: 'colour', message: 'is not a field of this request' },
    ],
  })
  expect((await faults(sample, '{}')).details).toEqual([{ path: 'words', message: 'is required' }])
  expect((await faults(sample, '{"words":5}')).details).toEqual([{ path: 'words', message: 'must be text' }])
  expect((await faults(sample, '[]')).details).toEqual([{ path: '', message: 'must be an object' }])
})

test.for([3, '5', 'UP', undefined])('all values that are allowed are named: %s', (rating) => {
  const message_id = '01890a5d-ac96-774b-bcce-b302099a8057'
  expect(() => parseRequestPart(GiveFeedback, { message_id, rating })).toThrow('must be up or down')
})

test('lengths are counted in characters, not in UTF-16 units', async () => {
  await using sample = await startSample()

  expect((await send(sample, JSON.stringify({ words: '😀'.repeat(20) }))).status).toBe(201)
  expect((await send(sample, JSON.stringify({ words: '😀'.repeat(21) }))).status).toBe(400)
})

test('invalid JSON, invalid UTF-8 and a missing body are 400 with different messages', async () => {
  await using sample = await startSample()

  expect(await faults(sample, '{"words":')).toEqual({
    status: 400,
    details: [{ path: '', message: 'the body is not valid JSON' }],
  })
  expect(await faults(sample, Buffer.from('{"words":"\xff"}', 'latin1'))).toEqual({
    status: 400,
    details: [{ path: '', message: 'the body is not valid UTF-8' }],
  })
  expect(await faults(sample, '')).toEqual({ status: 400, details: [{ path: '', message: 'is required' }] })
})

test('a body that is not JSON is a 415; +json types and an explicit UTF-8 charset are accepted', async () => {
  await using sample = await startSample()
  const statusOf = async (contentType: string) =>
    (await send(sample, '{"words":"hi"}', { 'content-type': contentType })).status

  for (const encoding of ['gzip', 'br', 'deflate, gzip']) {
    const refused = await send(sample, '{"words":"hi"}', {
      'content-type': 'application/json',
      'content-encoding': encoding,
    })
    expect(refused.status).toBe(415)
    expect(JSON.stringify(refused)).toContain('Content-Encoding')
  }
  expect(await statusOf('application/x-www-form-urlencoded')).toBe(415)
  expect(await statusOf('text/plain')).toBe(415)
  expect(await statusOf('application/json; charset=latin1')).toBe(415)
  expect(await statusOf('application/json;charset=UTF-8')).toBe(201)
  expect(await statusOf('application/merge-patch+json')).toBe(201)
})

test('a body over its limit is a 413, with or without a Content-Length', async () => {
  await using sample = await startSample()
  const large = JSON.stringify({ words: 'hi', tags: { filler: 'x'.repeat(1_048_576) } })

  expect((await send(sample, large)).status).toBe(413)
  const chunks = ReadableStream.from([
    Buffer.from(large.slice(0, 500_000)),
    Buffer.from(large.slice(500_000)),
  ])
  expect((await send(sample, chunks)).body).toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    error: 'The body is too large: at most 1 MiB.',
  })
  const fits = JSON.stringify({ words: 'hi', tags: { filler: 'x'.repeat(1_000_000) } })
  expect((await send(sample, ReadableStream.from([Buffer.from(fits)]))).status).toBe(201)
})

test('__proto__ and constructor in a body do not pollute prototypes', async () => {
  await using sample = await startSample()

  const nested = await send(
    sample,
    '{"words":"hi","tags":{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}}',
  )
  expect(nested.status).toBe(201)
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  expect((nested.body['tags'] as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  const top = await send(sample, '{"words":"hi","__proto__":{"isAdmin":true}}')
  expect(top.status).toBe(400)
})

test('a body nested a hundred thousand levels deep is a 400', async () => {
  await using sample = await startSample()
  const deep = `{"words":"hi","tags":{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`

  expect((await faults(sample, deep)).details).toEqual([
    { path: '', message: 'the body is nested too deeply' },
  ])
  // Also behind a character that cannot be stored, which by itself does not matter in a field that nobody reads.
  const behind = `{"words":"hi","unread":"\\u0000","tags":{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`
  expect((await faults(sample, behind)).details).toEqual([
    { path: '', message: 'the body is nested too deeply' },
  ])
})

test('a body with more fields than any request has is refused before it is read; what looks like fields in a text does not count', async () => {
  await using sample = await startSample()
  const many = Array.from({ length: 40_000 }, (_, at) => `"f${at}\\\\" :0`).join(',')
  expect((await faults(sample, `{"words":"hi","tags":{${many}}}`)).details).toEqual([
    { path: '', message: 'the body has too many fields' },
  ])
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`f${at}`, 0])))
  const { details } = await faults(sample, JSON.stringify({ words: 'hi', tags: [text] }))
  expect(JSON.stringify(details)).not.toContain('too many fields')
})

test('a list of a hundred thousand wrong items is told in a few details', async () => {
  await using sample = await startSample()
  const { details } = await faults(sample, `{"words":[${'0,'.repeat(100_000)}0]}`)
  expect(details?.length).toBeLessThanOrEqual(20)
})

test('the character U+0000, which PostgreSQL text cannot hold, is a 400 anywhere in a request', async () => {
  await using sample = await startSample()

  expect((await faults(sample, '{"words":"a\\u0000b"}')).details).toEqual([
    { path: 'words', message: 'must not have the character U+0000' },
  ])
  expect((await faults(sample, '{"words":"hi","tags":{"a":["\\u0000"]}}')).details).toMatchObject([
    { path: 'tags.a.0' },
  ])
  const inPath = await sample.send(`/notes/${SAMPLE_ID}/a%00b`, { method: 'DELETE', headers: sample.team })
  expect(inPath.status).toBe(400)
})

test('a repeated or out-of-range parameter is a 400', async () => {
  await using sample = await startSample()
  const detailsOf = async (query: string) => {
    const path = `/notes/${SAMPLE_ID}?${query}`
    const response = await sample.send(path, { method: 'POST', headers: sample.team, body: '{"words":"hi"}' })
    return ErrorBody.parse(await response.json()).details
  }

  expect(await detailsOf('limit=1&limit=2')).toEqual([{ path: 'limit', message: 'is given more than once' }])
  expect(await detailsOf('limit=201')).toMatchObject([{ path: 'limit' }])
  expect(await detailsOf('limit=many')).toMatchObject([{ path: 'limit' }])
})

test('an invalid id in the address is a 400, and other path parameters are decoded', async () => {
  await using sample = await startSample()
  const badId = await sample.send('/notes/7', { method: 'POST', headers: sample.team, body: '{}' })
  expect(badId.status).toBe(400)
  expect(ErrorBody.parse(await badId.json()).details).toEqual([
    { path: 'id', message: 'must be an id (a UUID)' },
  ])

  for (const externalId of ['faq/1', 'ä%2F b', 'a?b#c', '100%']) {
    const path = `/notes/${SAMPLE_ID}/${encodeURIComponent(externalId)}`
    const response = await sample.send(path, { method: 'DELETE', headers: sample.team })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    expect(decodeURIComponent(response.headers.get('x-deleted') ?? '')).toBe(externalId)
  }
})

test('an optional body may be omitted, and is validated if present', async () => {
  await using sample = await startSample()
  const remove = (body?: string) =>
    sample.send(`/notes/${SAMPLE_ID}/x`, {
      method: 'DELETE',
      headers: sample.team,
      ...(body !== undefined && { body }),
    })

  expect((await remove()).headers.get('x-confirm')).toBe('none')
  expect((await remove('{"confirm":"yes"}')).headers.get('x-confirm')).toBe('yes')
  expect((await remove('{"sure":"yes"}')).status).toBe(400)
})

test('file uploads are streamed to the handler', async () => {
  await using sample = await startSample()
  const upload = async (fields: [string, Blob | string, string?][]) => {
    const form = new FormData()
    for (const [name, value, fileName] of fields) {
      if (typeof value === 'string') form.append(name, value)
      else form.append(name, value, fileName)
    }
    const { 'content-type': _, ...headers } = sample.team
    const response = await sample.send('/files', { method: 'POST', headers, body: form })
    return { status: response.status, body: await response.json() }
  }

  expect(
    await upload([
      ['file', new Blob(['one']), 'a.md'],
      ['file', new Blob(['zwei ä']), 'b ü.md'],
    ]),
  ).toEqual({
    status: 200,
    body: { names: ['a.md', 'b ü.md'], texts: ['one', 'zwei ä'] },
  })
  expect((await upload([['file', new Blob(['x'.repeat(20_000)]), 'a.md']])).status).toBe(413)
  const asJson = await sample.send('/files', { method: 'POST', headers: sample.team, body: '{}' })
  expect(asJson.status).toBe(415)
  const broken = await sample.send('/files', {
    method: 'POST',
    headers: { ...sample.team, 'content-type': 'multipart/form-data; boundary=x' },
    body: 'not a form',
  })
  expect(broken.status).toBe(400)
})
