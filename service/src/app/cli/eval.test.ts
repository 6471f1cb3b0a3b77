import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWNER_TOKEN, startTestService, type TestService } from '../../../test/start-service.ts'
import { runCli } from './cli.ts'

const DOCS = 'https://docs.example.com'
const PAGES = [
  [
    'keys',
    'Rotating keys',
    'Signing keys are rotated every day at midnight. Run `acme keys rotate` to do it by hand.',
  ],
  [
    'webhooks',
    'Webhooks',
    'A webhook delivery that fails is tried again three times, with a pause in between.',
  ],
  ['billing', 'Billing', 'Invoices are sent by e-mail on the first day of each month, as PDF files.'],
]

let citewell: TestService
beforeAll(async () => {
  citewell = await startTestService()
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'pages',
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: PAGES.map(([id, title, markdown]) => ({
      external_id: id,
      title,
      url: `${DOCS}/${id}`,
      markdown,
    })),
  })
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

async function evaluate(lines: readonly (object | string)[], ...options: string[]) {
  const file = join(mkdtempSync(join(tmpdir(), 'citewell-eval-')), 'questions.jsonl')
  writeFileSync(
    file,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  )
  let [stdout, stderr] = ['', '']
  const exitCode = await runCli({
    words: ['eval', file, '--url', citewell.address, '--token', OWNER_TOKEN, ...options],
    environment: {},
    streams: {
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
    },
    signal: new AbortController().signal,
  })
  return { exitCode, stdout, stderr }
}

const KEYS = { question: 'How often are signing keys rotated?', url: `${DOCS}/keys/#by-hand` }
const WEBHOOKS = {
  question: 'How often is a failed webhook delivery tried again?',
  urls: [`${DOCS}/webhooks`, `${DOCS}/deliveries`],
}
const NOWHERE = { question: 'When are invoices sent?', url: `${DOCS}/another-page` }

test('a table tells what was found, and refusing is left alone where every question can be answered', async () => {
  const { exitCode, stdout, stderr } = await evaluate([KEYS, WEBHOOKS, '', NOWHERE], '--kb', 'Acme docs')
  expect(stdout).toMatch(/^questions +3\nfound first +66\.7%\nfound in the first 5 +66\.7%\n/)
  expect(stdout).toMatch(/MRR +0\.667\n$/)
  expect(stderr).toContain('not in the first 5: When are invoices sent?')
  expect(exitCode).toBe(0)
})

test('questions that are not answerable are asked, and counted as refused or not', async () => {
  const unanswerable = { question: 'Who painted the ceiling of the Sistine Chapel?', answerable: false }
  const { exitCode, stdout } = await evaluate([KEYS, unanswerable], '--json')
  expect(JSON.parse(stdout)).toEqual({
    questions: 2,
    hit1: 1,
    hit5: 1,
    hit10: 1,
    mrr10: 1,
    refused_rightly: 1,
    answered: 1,
  })
  expect(exitCode).toBe(0)
})

test('exits with 6 when too few are found, and with 0 when enough are', async () => {
  expect((await evaluate([KEYS, NOWHERE], '--min-hit5', '0.8')).exitCode).toBe(6)
  expect((await evaluate([KEYS, NOWHERE], '--min-hit5', '0.5')).exitCode).toBe(0)
})

test('a line that is no question is named', async () => {
  const { exitCode, stderr } = await evaluate([KEYS, { query: 'What?' }])
  expect(stderr).toContain('Line 2 of')
  expect(exitCode).toBe(5)
  expect((await evaluate([KEYS], '--min-hit5', '80')).exitCode).toBe(2)
  expect((await evaluate(['', ''])).exitCode).toBe(5)
})

test('without a file the evaluation set of the base is run, and compared with the run before', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'citewell-eval-')), 'set.csv')
  writeFileSync(file, `question,url\n${KEYS.question},${KEYS.url}\n${NOWHERE.question},${NOWHERE.url}\n`)
  const run = async (...options: string[]) => {
    let [stdout, stderr] = ['', '']
    const exitCode = await runCli({
      words: ['eval', '--url', citewell.address, '--token', OWNER_TOKEN, ...options],
      environment: {},
      streams: {
        stdout: { write: (text) => (stdout += text) },
        stderr: { write: (text) => (stderr += text) },
      },
      signal: new AbortController().signal,
    })
    return { exitCode, stdout, stderr }
  }
  const empty = await run()
  expect(empty.exitCode).not.toBe(0)
  expect(empty.stderr).toContain('The evaluation set has no question yet')

  const first = await run('--add', file, '--min-hit5', '0.9')
  expect(first.exitCode).toBe(6)
  expect(first.stdout).toMatch(/found in the first 5\s+50\.0% {2}1 of 2/)
  expect(first.stderr).toContain(`not in the first 5: ${NOWHERE.question}`)
  const second = await run('--json', '--min-hit5', '0.5')
  expect(second.exitCode).toBe(0)
  expect(JSON.parse(second.stdout)).toMatchObject({
    questions: 2,
    hit5: 0.5,
    failed: 0,
    compared_with: expect.any(String),
    better: [],
    worse: [],
  })
}, 120_000)
