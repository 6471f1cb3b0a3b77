import { once } from 'node:events'
import { globSync, mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { verifies } from '@citewell/spec/verifies'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, expect } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../service/test/fake-llm.ts'
import { dumpTables, endOf, linesWith, tablesWith, textsOfHeap, wordsInFiles } from './find-traces.ts'
import { newDataDirectory, startCitewell, until, type RunningCitewell } from './run-citewell.ts'
import { PROVIDER_SECRET, signInWithSecrets } from './sign-in-with-secrets.ts'

/** Occurs in every text of a chat that must leave no trace; the control occurs in one that may. */
const CANARY = 'zqxcanary'
const CONTROL = 'zqxcontrol'
const PAGE = 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.'

const dataDirectory = newDataDirectory()
const snapshots = join(dataDirectory, '..', `citewell-heap-${process.pid}`)

let llm: FakeLlm
let outside: OAuth2Server
let receiver: Server
const posted: string[] = []
let citewell: RunningCitewell
let base: { id: string; workspace_id: string; client_key: { key: string } }

beforeAll(async () => {
  llm = await startFakeLlm()
  outside = new OAuth2Server()
  await outside.issuer.keys.generate('RS256')
  await outside.start(0, '127.0.0.1')
  outside.issuer.url = `http://127.0.0.1:${outside.address().port}`
  receiver = createServer((request, response) => {
    request.setEncoding('utf8')
    request.on('data', (part: string) => posted.push(part))
    request.on('end', () => response.end())
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  mkdirSync(snapshots, { recursive: true })
  citewell = await startCitewell({
    CITEWELL_DATA_DIR: dataDirectory,
    CITEWELL_LOG_LEVEL: 'debug',
    CITEWELL_RATE_LIMITS: 'off',
    CITEWELL_LLM_BASE_URL: llm.baseUrl,
    CITEWELL_LLM_MODEL: 'fake',
    CITEWELL_OIDC_ISSUER: outside.issuer.url,
    CITEWELL_OIDC_CLIENT_ID: 'citewell',
    CITEWELL_OIDC_CLIENT_SECRET: PROVIDER_SECRET,
    CITEWELL_OIDC_NAME: 'Example ID',
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${snapshots}`,
  })
  base = await citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  const path = `/api/v1/knowledge-bases/${base.id}`
  const source = await citewell.json<{ id: string }>('POST', `${path}/sources`, {
    type: 'push',
    name: 'Docs',
    config: {},
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      { external_id: 'keys', title: 'Signing keys', url: 'https://docs.example.com/keys', markdown: PAGE },
    ],
  })
  await citewell.json('POST', `${path}/webhook-triggers`, {
    name: 'All',
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    events: ['conversation.completed', 'deflection.completed'],
  })
  await until(
    () => citewell.json<{ document_count: number }>('GET', path),
    (found) => found.document_count === 1,
    30,
  )
})
afterAll(async () => {
  if (citewell?.process.exitCode === null) await citewell.stop()
  await llm?.[Symbol.asyncDispose]()
  await outside?.stop()
  receiver?.close()
})

async function send(path: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) {
  return await fetch(`${citewell.address}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-client-key': base.client_key.key, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  })
}

const publicPath = () => `/public/knowledge-bases/${base.id}`
const framesIn = (text: string) =>
  text
    .trim()
    .split('\n\n')
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as Record<string, unknown>)

/** A chat over the WebSocket, until its last frame. */
async function askOverSocket(query: string): Promise<Record<string, unknown>> {
  const socket = new WebSocket(`${citewell.address.replace('http', 'ws')}/api/v1${publicPath()}/ws`)
  await new Promise((opened) => socket.addEventListener('open', opened, { once: true }))
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>()
  socket.addEventListener('close', (event) => reject(new Error(`closed ${event.code}`)))
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as Record<string, unknown>
    if (frame['type'] === 'ready') socket.send(JSON.stringify({ type: 'chat', id: '1', query }))
    if (frame['type'] === 'done' || frame['type'] === 'error') resolve(frame)
  })
  socket.send(JSON.stringify({ type: 'auth', client_key: base.client_key.key }))
  const last = await promise
  socket.close()
  return last
}

/** Every way in which a reader's text arrives, and in which an answer ends; returns the last frames of the complete ones. */
async function chatAsAReader(word: string): Promise<Record<string, unknown>[]> {
  const query = `When are signing keys ${word}question rotated? I am ${word}pii@example.com`
  const user = { id: `${word}userid`, email: `${word}mail@example.com` }
  const says = `Signing keys ${word}answer are rotated every day [1].`
  llm.script(fakeLlm.says(says))
  const first = framesIn(await (await send(`${publicPath()}/chat`, { query, user })).text()).at(-1) ?? {}
  const threadId = first['thread_id']
  const thread = typeof threadId === 'string' ? threadId : crypto.randomUUID()
  const others = [
    await (await send(`/public/threads/${thread}/chat`, { query })).text(),
    await (
      await send(`${publicPath()}/chat`, { query, user: { email: user.email }, thread_id: thread })
    ).text(),
    await (await send(`${publicPath()}/search`, { query })).text(),
    await (await send(`${publicPath()}/related`, { query })).text(),
    await (
      await send(`${publicPath()}/form-deflect`, { subject: `${word}subject`, body: query, user })
    ).text(),
    await (
      await send('/public/openai/chat/completions', {
        model: base.id,
        user: user.id,
        messages: [
          { role: 'user', content: `${word}earlier` },
          { role: 'assistant', content: `${word}said` },
          { role: 'user', content: query },
        ],
      })
    ).text(),
    await (
      await fetch(`${citewell.address}/api/v1${publicPath()}/suggested-questions`, {
        headers: { 'x-client-key': base.client_key.key },
      })
    ).text(),
  ]
  const overSocket = await askOverSocket(query)
  await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/search`, { query })

  // A provider whose error repeats the request, before and after the first word, and one that hangs.
  llm.script(fakeLlm.refuses(400, { message: `I will not answer "${query}"` }))
  const failed = framesIn(await (await send(`${publicPath()}/chat`, { query, user })).text()).at(-1)
  llm.script(fakeLlm.failsAfter({ message: `broken at ${query}` }, says))
  await (await send(`${publicPath()}/chat`, { query, user })).text()
  llm.script(fakeLlm.neverEnds(`${word}answer `))
  const leaving = new AbortController()
  const left = await send(`${publicPath()}/chat`, { query, user }, {}, leaving.signal)
  await left.body?.getReader().read()
  const aborted = llm.nextAbort()
  leaving.abort()
  await aborted

  // Refused requests.
  llm.script(fakeLlm.says(says))
  await (await send(`${publicPath()}/chat`, { query: `${word}long `.repeat(1_000) })).text()
  await (await send(`${publicPath()}/chat`, `{"query": "${word}broken`)).text()
  await (await send(`${publicPath()}/chat`, { query, group_ids: [`${word}group`] })).text()
  await (
    await send(`${publicPath()}/chat?q=${word}address`, { query }, { 'x-client-key': `cw_pk_${word}` })
  ).text()
  await (
    await send('/public/feedback', {
      message_id: crypto.randomUUID(),
      rating: 'up',
      comment: `${word}comment`,
    })
  ).text()

  expect(failed?.['error_code']).toBe('misconfigured')
  expect(others.every((text) => text.length > 0)).toBe(true)
  return [first, framesIn(others[1] ?? '').at(-1) ?? {}, overSocket]
}

// Before the other, which ends the service: both read a log of everything.
verifies(
  'mcp-attacks.no-secret-in-the-log',
  'a sign-in, its failures, and a key in a URL leave no secret in the log output',
  async () => {
    const { secrets, answers, bodies } = await signInWithSecrets(citewell, outside)
    const log = citewell.log()

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 404, 401, 400])
    expect(log).toContain('"answered"')
    expect(log).toContain('signing in with a provider failed')
    expect(secrets.filter((secret) => secret.length < 12)).toEqual([])
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
    expect(secrets.filter((secret) => bodies.join().includes(secret))).toEqual([])
    expect(log).not.toContain('johndoe')
    expect(log).not.toContain('\u001B')
    expect(answers.map(({ headers }) => headers.get('referrer-policy'))).toEqual(
      answers.map(() => 'no-referrer'),
    )
  },
)

verifies(
  [
    'zero-retention.no-ids',
    'zero-retention.nothing-kept',
    'zero-retention.not-in-log',
    'zero-retention.not-in-webhooks',
    'zero-retention.not-in-memory',
    'zero-retention.switched-on',
    'traps.zero-retention',
  ],
  'a chat under zero retention leaves no text in any table, file, log, metric, webhook, cache or heap, and has no ids',
  async () => {
    const control = await chatAsAReader(CONTROL)
    expect(control.map((frame) => [typeof frame['thread_id'], typeof frame['message_id']])).toEqual(
      Array.from({ length: 3 }, () => ['string', 'string']),
    )
    await until(
      () => Promise.resolve(posted.join('')),
      (all) => all.includes(CONTROL),
      10,
    )

    await citewell.json('PATCH', `/api/v1/workspaces/${base.workspace_id}`, { zero_data_retention: true })
    const before = posted.length
    const forgotten = await chatAsAReader(CANARY)

    for (const frame of forgotten) {
      if (frame['error'] === undefined) expect(frame['done'] ?? frame['type']).toBeTruthy()
      expect(Object.keys(frame)).not.toContain('thread_id')
      expect(Object.keys(frame)).not.toContain('message_id')
    }
    const metrics = await (await fetch(`${citewell.address}/metrics`)).text()
    expect(metrics).toContain('citewell')
    const deliveries = await citewell.json('GET', `/api/v1/knowledge-bases/${base.id}/webhook-triggers`)

    // Other requests replace buffers that only hold the last one; then a heap snapshot is written.
    llm.script(fakeLlm.says('Nothing.'))
    for (let round = 0; round < 3; round += 1) {
      await (await send(`${publicPath()}/chat`, { query: 'What are plugins?' })).text()
      await (await send(`${publicPath()}/search`, { query: 'plugins' })).text()
    }
    // A finished stream is released by a timer that ticks every second.
    await new Promise((wake) => {
      setTimeout(wake, 3_000)
    })
    citewell.process.kill('SIGUSR2')
    const heap = await until(
      () =>
        Promise.resolve(globSync('*.heapsnapshot', { cwd: snapshots }).map((file) => join(snapshots, file))),
      ([file]) => file !== undefined && endOf(file).endsWith('}'),
      60,
    )
    const log = citewell.log()
    await citewell.stop()
    const tables = await dumpTables(dataDirectory)

    // Short messages: a failure must not print the whole log.
    const strings = textsOfHeap(heap[0] ?? '')
    const files = wordsInFiles(dataDirectory, [CANARY, CONTROL])
    const filesWith = (word: string) => [...files].flatMap(([file, words]) => (words.has(word) ? [file] : []))
    expect({
      tables: tablesWith(tables, CANARY),
      files: filesWith(CANARY),
      log: linesWith(log, CANARY),
      webhooks: posted.slice(before).join('').includes(CANARY),
      deliveries: JSON.stringify(deliveries).includes(CANARY),
      metrics: linesWith(metrics, CANARY),
      memory: strings.filter((text) => text.toLowerCase().includes(CANARY)).map((text) => text.slice(0, 200)),
    }).toEqual({
      tables: [],
      files: [],
      log: [],
      webhooks: false,
      deliveries: false,
      metrics: [],
      memory: [],
    })
    // Texts stored before the switch prove that the search looks in the right places.
    expect(tablesWith(tables, CONTROL)).toEqual(expect.arrayContaining(['public.messages', 'public.threads']))
    expect(filesWith(CONTROL).length).toBeGreaterThan(0)
    expect([tables.size > 30, log.includes('"answered"'), strings.length > 10_000]).toEqual([
      true,
      true,
      true,
    ])
  },
)
