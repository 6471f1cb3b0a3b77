import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../service/test/free-port.ts'
import { OWNER_TOKEN, until } from './run-citewell.ts'
import { openSharedCitewell, type SharedCitewell } from './shared-citewell.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const QUESTION = 'How does Citewell sign a webhook?'

let citewell: SharedCitewell
let settings: Record<string, string>
let pushed: string
let base: { id: string; client_key: { key: string } }

const start = (example: string, words: readonly string[], own: Record<string, string> = {}) =>
  // As in a project that has installed the SDK.
  spawn(process.execPath, ['--conditions=citewell-source', `examples/${example}.ts`, ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...settings, ...own },
  })

/** Runs an example as its first lines tell, and returns what it prints. */
async function run(example: string, words: readonly string[]): Promise<string> {
  const child = start(example, words)
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect({ printed, code }).toEqual({ printed, code: 0 })
  return printed
}

/** Pages that have an answer to something else too. Indexing the whole guide takes half a minute of the processor. */
const guide = [
  'answering',
  'asking',
  'conversations',
  'embedding',
  'mcp',
  'privacy',
  'sdk',
  'webhooks',
  'widget',
].map((page) => `docs/guide/${page}.md`)

beforeAll(async () => {
  citewell = await openSharedCitewell()
  base = await citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Guide' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    name: 'Guide',
    type: 'push',
    config: {},
  })
  settings = {
    CITEWELL: citewell.address,
    BASE: base.id,
    KEY: base.client_key.key,
    SOURCE: source.id,
    TOKEN: OWNER_TOKEN,
  }
  pushed = await run('push-documents', guide)
})
afterAll(async () => {
  await citewell.stop()
})

test('documents are added, and unchanged when they are pushed again', async () => {
  expect(pushed).toBe(guide.map((path) => `added ${path}\n`).join(''))
  expect(await run('push-documents', guide)).toBe(guide.map((path) => `unchanged ${path}\n`).join(''))
})

test('a question is answered as a stream, with its citations', async () => {
  const printed = await run('ask', [QUESTION])
  expect(printed).toMatch(/^.+\n[^]*\n\[1\] .+ https:\/\/docs\.example\.com\/docs\/guide\/webhooks/)
})

test('the SDK prints the same answer, and rates it', async () => {
  const printed = await run('ask-with-sdk', [QUESTION])
  expect(printed).toMatch(/^.+\n[^]*\n\[1\] .+ https:\/\/docs\.example\.com\/docs\/guide\/webhooks/)
  const { data } = await citewell.json<{ data: unknown[] }>(
    'GET',
    `/api/v1/knowledge-bases/${base.id}/conversations?rating=up`,
  )
  expect(data).toHaveLength(1)
})

test('the SDK makes a knowledge base of files, and follows its sync', async () => {
  const printed = await run('manage-with-sdk', guide.slice(0, 2))
  expect(printed).toMatch(
    /^(?:\w+: \d of \d\n)*succeeded: 2 of 2\n(?:- .+\n){2}Ask it with the client key cw_pk_/,
  )
})

test('a server passes an answer on to its page without its secret', async () => {
  const port = await freePort()
  const pair = await citewell.json<{ client_id: string; client_secret: string }>(
    'POST',
    `/api/v1/knowledge-bases/${base.id}/client-keys`,
    { name: 'Server', kind: 'secret' },
  )
  const server = start('answer-a-page', [], {
    CLIENT_ID: pair.client_id,
    CLIENT_SECRET: pair.client_secret,
    PORT: String(port),
  })
  try {
    let printed = ''
    server.stdout.on('data', (piece: Buffer) => (printed += piece.toString()))
    await until(
      async () => printed,
      (lines) => lines.includes('Listening'),
      30,
    )
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: JSON.stringify({ question: QUESTION }),
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const last = (await response.text()).trimEnd().split('\n\n').at(-1)
    expect(JSON.parse(last?.slice('data: '.length) ?? '')).toMatchObject({ done: true, covered: true })
  } finally {
    server.kill()
    await once(server, 'exit')
  }
})

test('the OpenAI client gets the same answer', async () => {
  expect(await run('ask-with-openai', [QUESTION])).toContain('https://docs.example.com/docs/guide/webhooks')
})

test('a search prints pages with their addresses', async () => {
  expect(await run('search', ['webhook signature'])).toMatch(
    /^.+\nhttps:\/\/docs\.example\.com\/docs\/guide\/.+\n.+\n/,
  )
})

test('a webhook is accepted with its signature, and refused with another', async () => {
  const port = await freePort()
  const receiver = start('receive-webhooks', [], { SECRET, PORT: String(port) })
  let printed = ''
  receiver.stdout.on('data', (piece: Buffer) => (printed += piece.toString()))
  try {
    await until(
      async () => printed,
      (lines) => lines.includes('Listening'),
      30,
    )
    const address = `http://127.0.0.1:${port}/`
    const forged = await fetch(address, {
      method: 'POST',
      headers: { 'x-service-event': 'forged', 'x-service-signature': '0'.repeat(64) },
      body: '{}',
    })
    expect(forged.status).toBe(401)
    await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/webhook-triggers`, {
      name: 'Example',
      url: address,
      events: ['conversation.completed'],
      secret: SECRET,
    })
    await run('ask', [QUESTION])
    await until(
      async () => printed,
      (lines) => lines.includes('conversation.completed {'),
      30,
    )
    expect(printed).not.toContain('forged')
  } finally {
    receiver.kill()
    await once(receiver, 'exit')
  }
})
