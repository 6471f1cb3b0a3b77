import { once } from 'node:events'
import { createServer } from 'node:http'
import { PassThrough } from 'node:stream'
import { json as readJson } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../test/fake-llm.ts'
import { freePort } from '../../test/free-port.ts'
import { joinTestWorkspace } from '../../test/join-workspace.ts'
import { openPushedBase } from '../../test/open-pushed-base.ts'
import { startTestService, type TestService } from '../../test/start-service.ts'
import { createLog } from '../platform/log/log.ts'

const KEY = 'sk-a-key-that-nobody-may-read'
const PAGE = { title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }
const ANSWER = fakeLlm.says('Signing keys are rotated every day at midnight [1].')
const REFUSAL = fakeLlm.refuses(401, { message: `Incorrect API key provided: ${KEY}` })

const POLL = { timeout: 10_000 }

let questions = 0
/** Each time another question: what was asked before may be remembered. */
const askedAnew = () => ({ query: `When are signing keys rotated, ${(questions += 1)}?` })

function collectLog() {
  const lines: string[] = []
  const stream = new PassThrough()
  stream.on('data', (line: Buffer) => lines.push(line.toString()))
  return {
    log: createLog('info', stream),
    text: () => lines.join(''),
    about: (what: string) =>
      lines
        .join('')
        .split('\n')
        .filter((line) => line.includes(what)),
  }
}

type Base = Awaited<ReturnType<typeof openPushedBase>>
/** Asks so often; what fails is none of these tests. */
async function ask(base: Base, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await base.ask(askedAnew()).catch(() => undefined)
}

const readiness = async (citewell: TestService) => {
  const response = await citewell.fetch('/readyz')
  const body = (await response.json()) as { checks: Record<string, string>; notices: string[] }
  return { ...body, status: response.status }
}
/** What is known now: it is read once in a second. */
async function eventuallyReady(citewell: TestService, checks: Record<string, string>): Promise<void> {
  await expect.poll(async () => await readiness(citewell), POLL).toMatchObject({ status: 200, checks })
}
/** They are computed once in a second. */
const metricsOf = async (citewell: TestService) => await (await citewell.fetch('/metrics')).text()

async function openBase(citewell: TestService) {
  const base = await openPushedBase(citewell, [PAGE])
  const path = `/api/v1/knowledge-bases/${base.id}`
  const { workspace_id: workspaceId } = await citewell.json<{ workspace_id: string }>('GET', path)
  return { base, workspaceId }
}

verifies(
  'running.models-answer',
  'a language model that refuses three questions shows in readiness, metrics, log, doctor and to owners, until it answers one',
  async () => {
    await using llm = await startFakeLlm(REFUSAL)
    const { log, text, about } = collectLog()
    await using citewell = await startTestService(
      { CITEWELL_LLM_BASE_URL: llm.baseUrl, CITEWELL_LLM_MODEL: 'fake', CITEWELL_LLM_API_KEY: KEY },
      { log },
    )
    const { base, workspaceId } = await openBase(citewell)
    const problem = async () =>
      (await citewell.json<{ llm_problem: unknown }>('GET', `/api/v1/workspaces/${workspaceId}`)).llm_problem

    await ask(base, 2)
    expect(await problem()).toBeNull()
    expect(await readiness(citewell)).toMatchObject({ status: 200, checks: { language_model: 'up' } })
    await ask(base, 2)
    await eventuallyReady(citewell, { language_model: 'degraded', storage: 'up' })
    const { notices } = await readiness(citewell)
    expect(notices.join()).toMatch(
      /language_model: it has not answered since \d{4}-\d\d-\d\dT[\d:.]+Z \(misconfigured\)/,
    )
    expect(await problem()).toEqual({
      since: expect.any(String),
      message: 'The model of this instance does not answer. Tell its operator.',
    })
    const doctor = await citewell.json<{ checks: { name: string; status: string; detail: string }[] }>(
      'GET',
      '/api/v1/diagnostics',
    )
    expect(doctor.checks.find(({ name }) => name === 'answers')).toMatchObject({
      status: 'fault',
      detail: expect.stringContaining('answered 401: Incorrect API key provided: [key]'),
    })
    // Of all conversations of these questions, each may have called the model more than once.
    await expect
      .poll(() => metricsOf(citewell), POLL)
      .toMatch(/citewell_model_calls_total\{model="instance",outcome="misconfigured"\} [4-9]/)

    llm.script(ANSWER)
    await ask(base, 1)
    expect(await problem()).toBeNull()
    await eventuallyReady(citewell, { language_model: 'up' })
    await expect
      .poll(() => metricsOf(citewell), POLL)
      .toMatch(/citewell_model_calls_total\{model="instance",outcome="answered"\} [1-9]/)
    expect(about('the language model does not answer')).toHaveLength(1)
    expect(about('the language model answers again')).toHaveLength(1)
    expect(text()).not.toContain(KEY)
  },
  120_000,
)

verifies(
  'running.models-answer',
  'the refusing model of a workspace is told to its owners, without its key, and to nobody else; a try that succeeds ends it',
  async () => {
    await using llm = await startFakeLlm(REFUSAL)
    const { log, text, about } = collectLog()
    await using citewell = await startTestService({}, { log })
    const { base, workspaceId } = await openBase(citewell)
    const path = `/api/v1/workspaces/${workspaceId}`
    await citewell.json('PATCH', path, { llm: { base_url: llm.baseUrl, model: 'own', api_key: KEY } })
    await ask(base, 3)

    expect(await citewell.json('GET', path)).toMatchObject({
      llm_problem: {
        since: expect.any(String),
        message: expect.stringContaining('answered 401: Incorrect API key provided: [key]'),
      },
    })
    const member = await joinTestWorkspace(citewell.storage.db, () => new Date(), {
      workspaceId,
      role: 'member',
    })
    const asMember = await citewell.fetch(path, { headers: { authorization: `Bearer ${member.token}` } })
    expect(await asMember.json()).toMatchObject({ llm: { model: 'own' }, llm_problem: null })
    const metrics = await metricsOf(citewell)
    expect(metrics).toMatch(/citewell_model_calls_total\{model="workspace",outcome="misconfigured"\} [3-9]/)
    expect(metrics).toContain('citewell_workspace_models_in_trouble 1')
    expect(metrics).not.toContain(workspaceId)
    expect((await readiness(citewell)).checks).not.toHaveProperty('language_model')
    expect(about('the language model of a workspace does not answer')).toHaveLength(1)
    expect(text()).not.toContain(KEY)

    llm.script(ANSWER)
    expect(await citewell.json('POST', `${path}/llm/test`, {})).toMatchObject({ ok: true })
    expect(await citewell.json('GET', path)).toMatchObject({ llm_problem: null })
  },
  { timeout: 120_000, tags: ['long'] },
)

verifies(
  'running.models-answer',
  'what a provider says that may repeat the question is kept nowhere',
  async () => {
    const secret = 'my customer number is 4711'
    await using llm = await startFakeLlm(fakeLlm.refuses(400, { message: `Bad prompt: ${secret}` }))
    const { log, text, about } = collectLog()
    await using citewell = await startTestService({}, { log })
    const { base, workspaceId } = await openBase(citewell)
    const path = `/api/v1/workspaces/${workspaceId}`
    await citewell.json('PATCH', path, {
      zero_data_retention: true,
      llm: { base_url: llm.baseUrl, model: 'own' },
    })
    await ask(base, 3)
    const workspace = await citewell.json<{ llm_problem: { message: string } }>('GET', path)
    expect(workspace.llm_problem.message).toBe('The model provider answered 400.')
    expect(about('the language model of a workspace does not answer')).toHaveLength(1)
    expect(text()).not.toContain(secret)
  },
  120_000,
)

verifies(
  'running.models-answer',
  'a language model that cannot be reached is named after three questions in a row, although it is left alone after the second',
  async () => {
    const { log, about } = collectLog()
    await using citewell = await startTestService(
      { CITEWELL_LLM_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`, CITEWELL_LLM_MODEL: 'fake' },
      { log },
    )
    const base = await openPushedBase(citewell, [PAGE])
    await ask(base, 3)
    expect(about('the language model does not answer')).toHaveLength(1)
    await eventuallyReady(citewell, { language_model: 'degraded' })
    expect((await readiness(citewell)).notices.join()).toContain('(unavailable)')
  },
  { timeout: 120_000, tags: ['long'] },
)

verifies(
  'running.models-answer',
  'an embeddings endpoint that fails three times is named as degraded, and questions are answered by words',
  async () => {
    let isDown = false
    const endpoint = createServer((request, response) => {
      void (async () => {
        const { input } = (await readJson(request)) as { input: string[] }
        if (isDown) return response.writeHead(401).end(`no such key: ${KEY}`)
        const data = input.map((said, index) => ({ index, embedding: [said.length, 1, 0] }))
        return response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
      })()
    })
    endpoint.listen(0, '127.0.0.1')
    await once(endpoint, 'listening')
    try {
      const { log, text, about } = collectLog()
      await using citewell = await startTestService(
        {
          CITEWELL_EMBEDDING_BASE_URL: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`,
          CITEWELL_EMBEDDING_MODEL: 'embed-1',
          CITEWELL_EMBEDDING_API_KEY: KEY,
        },
        { log },
      )
      const base = await openPushedBase(citewell, [PAGE])
      await base.ask(askedAnew())
      expect(await readiness(citewell)).toMatchObject({ status: 200, checks: { embedding: 'up' } })
      isDown = true
      await ask(base, 3)
      await eventuallyReady(citewell, { embedding: 'degraded' })
      expect((await readiness(citewell)).notices.join()).toContain('words alone are searched')
      await expect
        .poll(() => metricsOf(citewell), POLL)
        .toMatch(/citewell_model_calls_total\{model="embedding",outcome="misconfigured"\} [3-9]/)
      isDown = false
      await base.ask(askedAnew())
      await eventuallyReady(citewell, { embedding: 'up' })
      expect(about('the embedding model does not answer')).toHaveLength(1)
      expect(about('the embedding model answers again')).toHaveLength(1)
      expect(text()).not.toContain(KEY)
    } finally {
      endpoint.close()
    }
  },
  { timeout: 120_000, tags: ['long'] },
)
