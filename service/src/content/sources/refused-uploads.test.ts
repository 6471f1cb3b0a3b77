import { once } from 'node:events'
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWNER_TOKEN, startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let path: string
let form: { headers: Record<string, string>; body: Buffer }
/** With one connection. */
let agent: Agent

beforeAll(async () => {
  citewell = await startTestService()
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'files',
    name: 'Files',
  })
  path = `/api/v1/sources/${source.id}/files`
  const fields = new FormData()
  fields.append('file', new Blob([new Uint8Array(3_000_000)]), 'book.epub')
  const whole = new Response(fields)
  const body = Buffer.from(await whole.arrayBuffer())
  const type = whole.headers.get('content-type') ?? ''
  form = { headers: { 'content-type': type, 'content-length': String(body.length) }, body }
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
})
afterAll(async () => {
  agent.destroy()
  await citewell[Symbol.asyncDispose]()
})

const ask = (method: string, of: string, headers: Record<string, string> = {}) =>
  request(new URL(of, citewell.address), {
    agent,
    method,
    headers: { authorization: `Bearer ${OWNER_TOKEN}`, ...headers },
  })

async function answerOf(asked: ClientRequest) {
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, text: Buffer.concat(await answer.toArray()).toString() }
}

test('an upload that is refused before all of it was read is answered, and its connection can be used again', async () => {
  for (let time = 0; time < 3; time += 1) {
    const sent = ask('POST', path, form.headers).end(form.body)
    expect(await answerOf(sent)).toEqual({ status: 415, text: expect.stringContaining('book.epub') })
    const next = ask('GET', '/api/v1/me').end()
    expect((await answerOf(next)).status).toBe(200)
    expect(next.reusedSocket).toBe(true)
  }
})

test('a client that stops sending is told of the refusal, too', async () => {
  const sent = ask('POST', path, form.headers)
  sent.on('error', () => {})
  sent.write(form.body.subarray(0, 100_000))
  expect(await answerOf(sent)).toEqual({ status: 415, text: expect.stringContaining('book.epub') })
  sent.destroy()
})
