import type { Evaluation, EvaluationDetail } from '@citewell/contract/evaluations'
import { LIMITS } from '@citewell/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import { createAskables } from '../../../test/make-askable.ts'
import { openPushedBase } from '../../../test/open-pushed-base.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { openTestManagement } from '../../../test/test-management.ts'

let citewell: TestService
beforeAll(async () => {
  citewell = await startTestService()
})
afterAll(() => citewell[Symbol.asyncDispose]())

const KEYS = {
  title: 'Rotating signing keys',
  text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
}
const PLUGINS = { title: 'Installing plugins', text: 'Plugins are installed with the plugin command.' }

const send = async (method: string, path: string, body?: unknown) => {
  const response = await citewell.send(method, `/api/v1${path}`, body)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const json = async <Body>(method: string, path: string, body?: unknown) =>
  await citewell.json<Body>(method, `/api/v1${path}`, body)

const pageOf = async (base: string, title: string) => {
  const { data } = await json<{ data: { title: string; url: string }[] }>(
    'GET',
    `/knowledge-bases/${base}/documents`,
  )
  return data.find((page) => page.title === title)?.url ?? ''
}

const ended = async (id: string) => {
  await citewell.until<Evaluation>(
    `/api/v1/evaluations/${id}`,
    ({ status }) => status !== 'queued' && status !== 'running',
  )
  return await json<EvaluationDetail>('GET', `/evaluations/${id}`)
}

const importText = async (base: string, format: string, text?: string) =>
  await send('POST', `/knowledge-bases/${base}/evaluation-questions/import`, { format, text })

test('a run asks every question of the set, counts in nothing, and the next run shows what changed', async () => {
  const base = await openPushedBase(citewell, [KEYS])
  const of = `/knowledge-bases/${base.id}`
  const rows = [
    { question: 'When are signing keys rotated?', url: `${await pageOf(base.id, KEYS.title)}#rotation` },
    { question: 'How are plugins installed?', url: 'https://docs.example.com/plugins' },
    { question: 'Which Terraform provider belongs to the billing portal?', answerable: false },
  ]
  const jsonl = rows.map((row) => JSON.stringify(row)).join('\n')
  expect((await importText(base.id, 'jsonl', jsonl)).status).toBe(200)

  const started = await json<Evaluation>('POST', `${of}/evaluations`)
  expect(started).toMatchObject({ status: 'queued', total: 3, completed: 0 })
  const first = await ended(started.id)
  expect(first).toMatchObject({
    status: 'succeeded',
    completed: 3,
    compared_with: null,
    figures: {
      hit1: { count: 1, of: 2 },
      hit5: { count: 1, of: 2 },
      cited: { count: 1, of: 2 },
      covered: { count: 1, of: 2 },
      refused_rightly: { count: 1, of: 1 },
      failed: 0,
    },
  })
  const byQuestion = ({ results }: EvaluationDetail) =>
    rows.map(({ question }) => results.find((result) => result.question === question))
  expect(byQuestion(first)).toMatchObject([
    { status: 'right', rank: 1, covered: true, cited: true, change: 'new' },
    { status: 'wrong', rank: null, covered: false, change: 'new' },
    { status: 'right', rank: null, covered: false, cited: null },
  ])
  expect(byQuestion(first)[0]?.found[0]).toMatchObject({ title: KEYS.title })

  await json('POST', `${of}/custom-answers`, {
    question: 'How are plugins installed?',
    answer: PLUGINS.text,
    url: 'https://docs.example.com/plugins/',
  })
  const second = await ended((await json<Evaluation>('POST', `${of}/evaluations`)).id)
  expect(second).toMatchObject({
    compared_with: { id: first.id },
    figures: { hit5: { count: 2, of: 2 }, covered: { count: 2, of: 2 } },
  })
  expect(byQuestion(second).map((result) => [result?.change, result?.before?.rank])).toEqual([
    ['same', 1],
    ['better', null],
    ['same', null],
  ])

  const conversations = await json<{ data: unknown[] }>('GET', `${of}/conversations`)
  expect(conversations.data).toEqual([])
  const counted = await citewell.storage.db.selectFrom('question_usage').selectAll().execute()
  expect(counted.filter((row) => Object.values(row).includes(base.id))).toEqual([])
}, 180_000)

test('a file is added completely or not at all, by lines, and a question that is known is left as it is', async () => {
  const base = await openPushedBase(citewell, [KEYS])
  const csv = [
    '\uFEFFquestion,url,answerable',
    '"How, exactly, do I ""rotate""?",https://docs.example.com/keys https://docs.example.com/more,',
    '=Can I pay?,,no',
    '',
    'How, exactly,,',
  ].join('\r\n')
  expect((await importText(base.id, 'csv', csv)).body).toEqual({ added: 3, known: 0, total: 3 })
  const { data } = await json<{ data: Record<string, unknown>[] }>(
    'GET',
    `/knowledge-bases/${base.id}/evaluation-questions`,
  )
  const added = data.toSorted((one, other) =>
    String(one['question']).localeCompare(String(other['question'])),
  )
  expect(added).toMatchObject([
    { question: '=Can I pay?', urls: [], answerable: false },
    { question: 'How', urls: ['exactly'] },
    {
      question: 'How, exactly, do I "rotate"?',
      urls: ['https://docs.example.com/keys', 'https://docs.example.com/more'],
      answerable: true,
    },
  ])
  const again = '{"question":"=can i pay?"}\n{"question":"New"}\n{"question":"new"}'
  expect((await importText(base.id, 'jsonl', again)).body).toEqual({ added: 1, known: 2, total: 4 })

  const wrong = await importText(base.id, 'jsonl', '{"question":"Good"}\n\nnot json\n{"question":""}')
  expect(wrong).toMatchObject({
    status: 400,
    body: {
      details: [
        { path: 'text', message: expect.stringMatching(/^line 3: /) },
        { path: 'text', message: 'line 4: question must not be empty' },
      ],
    },
  })
  // The character is in the text only as an escape of the JSON in it.
  const hidden = String.raw`{"question":"a\u0000b"}
{"question":"c","url":"https://docs.example.com/\u0000"}
{"question":"\ud800"}`
  expect((await importText(base.id, 'jsonl', hidden)).body).toMatchObject({
    details: [
      { path: 'text', message: 'line 1: question must not have the character U+0000' },
      { path: 'text', message: 'line 2: url must not have the character U+0000' },
      { path: 'text', message: 'line 3: question must not have half of a surrogate pair' },
    ],
  })
  expect((await importText(base.id, 'csv', 'frage,url\nWas?,x')).status).toBe(400)
  expect((await importText(base.id, 'csv', '')).status).toBe(400)

  const most = LIMITS.evaluation.questions
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => JSON.stringify({ question: `Question ${index}` })).join('\n')
  expect((await importText(base.id, 'jsonl', lines(most - 3))).status).toBe(409)
  expect((await importText(base.id, 'jsonl', lines(most - 4))).body).toMatchObject({ total: most })
  const one = await send('POST', `/knowledge-bases/${base.id}/evaluation-questions`, { question: 'One more' })
  expect(one.status).toBe(409)
}, 180_000)

test('questions whose answers were rated up come with the pages that they cite', async () => {
  const base = await openPushedBase(citewell, [KEYS])
  const { message_id: messageId } = await base.ask({ query: 'When are signing keys rotated?' })
  await base.ask({ query: 'How long are old signing keys valid?' })
  await citewell.storage.db
    .insertInto('feedback')
    .values({
      knowledge_base_id: base.id,
      message_id: messageId ?? '',
      id: messageId ?? '',
      vote: 'up',
      comment: null,
      source: 'api',
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute()
  expect((await importText(base.id, 'ratings')).body).toEqual({ added: 1, known: 0, total: 1 })
  const { data } = await json<{ data: Record<string, unknown>[] }>(
    'GET',
    `/knowledge-bases/${base.id}/evaluation-questions`,
  )
  expect(data).toMatchObject([
    { question: 'When are signing keys rotated?', urls: [await pageOf(base.id, KEYS.title)] },
  ])
}, 180_000)

test('a base has one run at a time, one that is cancelled keeps its results, and an empty set is refused', async () => {
  const base = await openPushedBase(citewell, [KEYS])
  const of = `/knowledge-bases/${base.id}`
  expect((await send('POST', `${of}/evaluations`)).status).toBe(409)
  const lines = Array.from({ length: 300 }, (_, index) => JSON.stringify({ question: `Keys ${index}?` }))
  await importText(base.id, 'jsonl', lines.join('\n'))
  const run = await json<Evaluation>('POST', `${of}/evaluations`)
  expect(await send('POST', `${of}/evaluations`)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('running') },
  })
  await citewell.until<Evaluation>(`/api/v1/evaluations/${run.id}`, ({ completed }) => completed > 0)
  expect(await json('POST', `/evaluations/${run.id}/cancel`)).toMatchObject({ status: 'cancelled' })
  const { completed, status } = await ended(run.id)
  expect([completed > 0, completed < 300, status]).toEqual([true, true, 'cancelled'])
  // The place is free: it may have begun already.
  expect((await json<Evaluation>('POST', `${of}/evaluations`)).status).toMatch(/^(queued|running)$/)
}, 180_000)

test('a run whose process stops in the middle of a question is continued with that question; one that breaks says so to its owner, and why to the log', async () => {
  const logged: unknown[] = []
  const keepFault = ({ err }: { err?: Error }) => void logged.push(err?.message)
  const log = { debug: () => {}, info: () => {}, warn: keepFault, error: keepFault } as never
  await using api = await openTestManagement({ log })
  await using llm = await startFakeLlm(fakeLlm.neverAnswers())
  const base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
  const id = base['id'] ?? ''
  await createAskables(api.storage, api, () => api.clock.time).addPages(id, [KEYS])
  const model = { base_url: llm.baseUrl, model: 'fake', api_key: 'sk-of-the-customer' }
  await api.ask('PATCH', `/workspaces/${base['workspace_id']}`, { llm: model })
  const question = 'When are signing keys rotated?'
  await api.ask('POST', `/knowledge-bases/${id}/evaluation-questions`, { question })
  const job = api.jobs.find(({ name }) => name === 'run-evaluation')
  const begin = async () => await api.ask<Evaluation>('POST', `/knowledge-bases/${id}/evaluations`)
  const work = async (stopping = new AbortController()) => await job?.handle({}, stopping.signal)
  const read = async (run: Evaluation) => await api.ask<Evaluation>('GET', `/evaluations/${run.id}`)

  const stopped = await begin()
  const stopping = new AbortController()
  const working = work(stopping)
  await expect.poll(() => llm.requests.length).toBe(1)
  stopping.abort(new Error('The service is shutting down.'))
  await working
  expect(await read(stopped)).toMatchObject({ status: 'queued', completed: 0 })
  llm.script(fakeLlm.says(`${KEYS.text} [1]`))
  await work()
  expect(await read(stopped)).toMatchObject({ status: 'succeeded', completed: 1, figures: { failed: 0 } })

  const broken = await begin()
  await api.storage.execute(
    'alter table evaluation_results add constraint broken check (outcome is null) not valid',
  )
  await work()
  expect(logged.join()).toContain('broken')
  await api.storage.execute('alter table evaluation_results drop constraint broken')
  expect(await read(broken)).toMatchObject({ status: 'failed', error: 'Something went wrong here.' })
}, 180_000)
