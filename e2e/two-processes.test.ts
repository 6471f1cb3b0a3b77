import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../service/test/fake-llm.ts'
import { databaseUrlOf, onServer } from '../service/test/test-server.ts'
import { startCitewell, until, type RunningCitewell } from './run-citewell.ts'

const SERVER = process.env['DATABASE_URL'] ?? ''
const DATABASE = `citewell_two_${process.pid}`
const ALLOWANCE = 100
const QUESTIONS = 500
const REQUESTS_A_SECOND = 200

interface Base {
  id: string
  client_key: { id: string; key: string }
}

const newDirectory = () => mkdtempSync(join(tmpdir(), 'citewell-two-'))

/** The default answer of the fake model, unless it fails. */
const answers = fakeLlm.replies(() => 'Signing keys are rotated every day at midnight [1].')

describe.skipIf(SERVER === '')('two processes on one PostgreSQL server', () => {
  let llm: FakeLlm
  let processes: RunningCitewell[] = []
  let database: pg.Client
  let base: Base

  beforeAll(async () => {
    llm = await startFakeLlm(async (exchange) => {
      const asked = exchange.request.body.messages.at(-1)?.content ?? ''
      await (asked.includes('please fail') ? fakeLlm.paymentRequired() : answers)(exchange)
    })
    await onServer(SERVER, `drop database if exists ${DATABASE} with (force)`)
    await onServer(SERVER, `create database ${DATABASE}`)
    const DATABASE_URL = databaseUrlOf(SERVER, DATABASE)
    const settings = {
      DATABASE_URL,
      CITEWELL_RATE_LIMITS: 'off',
      CITEWELL_LLM_BASE_URL: llm.baseUrl,
      CITEWELL_LLM_MODEL: 'fake',
    }
    // The second process starts when the first has created the schema and the first owner.
    const first = await startCitewell({ ...settings, CITEWELL_DATA_DIR: newDirectory() })
    processes = [first, await startCitewell({ ...settings, CITEWELL_DATA_DIR: newDirectory() })]
    database = new pg.Client({ connectionString: DATABASE_URL })
    await database.connect()
    base = await first.json('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
    const source = await first.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
      type: 'push',
      name: 'Docs',
      config: {},
    })
    await first.json('PUT', `/api/v1/sources/${source.id}/documents`, {
      documents: [
        {
          external_id: 'keys',
          title: 'Signing keys',
          url: 'https://docs.example.com/keys',
          markdown: '# Signing keys\n\nSigning keys are rotated every day at midnight.',
        },
      ],
    })
    await until(
      () => first.json<{ document_count: number }>('GET', `/api/v1/knowledge-bases/${base.id}`),
      (found) => found.document_count === 1,
      30,
    )
  })
  afterAll(async () => {
    await database?.end()
    await Promise.all(processes.map((running) => running.stop()))
    await llm?.[Symbol.asyncDispose]()
    await onServer(SERVER, `drop database if exists ${DATABASE} with (force)`)
  })

  const startMonth = async () => {
    await database.query('delete from question_allowances')
    await database.query('delete from question_usage')
    await database.query('update workspaces set monthly_question_allowance = $1', [ALLOWANCE])
  }

  const counters = async () => {
    const { rows } = await database.query<{ used: number; by_base: number; given_back: number }>(
      `select (select sum(used) from question_allowances)::integer as used,
        sum(used)::integer as by_base, sum(given_back)::integer as given_back from question_usage`,
    )
    return rows[0]
  }

  /** The outcome of one question: `answered`, or the `error_code` of its last frame. */
  async function ask(index: number, query: string): Promise<string> {
    const address = processes[index % processes.length]?.address ?? ''
    const response = await fetch(`${address}/api/v1/public/knowledge-bases/${base.id}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-client-key': base.client_key.key },
      body: JSON.stringify({ query }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    const frames = (await response.text()).trim().split('\n\n')
    const last = JSON.parse((frames.at(-1) ?? '').replace(/^data: /, '')) as Record<string, unknown>
    return last['done'] === true ? 'answered' : String(last['error_code'])
  }

  const count = (outcomes: readonly string[]) =>
    Object.fromEntries(
      [...Map.groupBy(outcomes, (outcome) => outcome)].map(([key, all]) => [key, all.length]),
    )

  verifies(
    'client-keys.revoked-everywhere',
    'of a revoked key: at 200 requests a second, no request that begins more than a second after the revocation succeeds',
    async () => {
      const [first] = processes
      if (first === undefined) throw new Error('there are two processes')
      const own = await first.json<Base>('POST', '/api/v1/knowledge-bases', { name: 'Revoked' })
      const asked: { startedAt: number; status: number }[] = []
      const running: Promise<void>[] = []
      let place = 0
      const ask = async () => {
        const { address } = processes[place++ % 2] ?? { address: '' }
        const startedAt = performance.now()
        const response = await fetch(
          `${address}/api/v1/public/knowledge-bases/${own.id}/suggested-questions`,
          {
            headers: { 'x-client-key': own.client_key.key },
          },
        )
        await response.arrayBuffer()
        asked.push({ startedAt, status: response.status })
      }
      const load = setInterval(() => {
        for (let count = 0; count < REQUESTS_A_SECOND / 50; count += 1) running.push(ask())
      }, 20)

      await wait(2_000)
      await first.json('DELETE', `/api/v1/client-keys/${own.client_key.id}`)
      const revokedAt = performance.now()
      await wait(3_000)
      clearInterval(load)
      await Promise.all(running)

      const before = asked.filter(({ startedAt }) => startedAt < revokedAt - 500)
      const late = asked.filter(({ startedAt }) => startedAt > revokedAt + 1_000)
      const firstOfAll = Math.min(...asked.map(({ startedAt }) => startedAt))
      const rate = (before.length / (revokedAt - 500 - firstOfAll)) * 1_000
      expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(100)
      expect(late.length).toBeGreaterThan(100)
      expect(late.filter(({ status }) => status !== 401)).toEqual([])
      expect(rate).toBeGreaterThan(REQUESTS_A_SECOND / 4)
      const lastSuccess = Math.max(
        ...asked.filter(({ status }) => status === 200).map(({ startedAt }) => startedAt),
      )
      process.stderr.write(
        `${rate.toFixed(0)} requests a second; ${late.length} late requests, all refused; the last successful one began ${(lastSuccess - revokedAt).toFixed(0)} ms after the revocation\n`,
      )
    },
  )

  verifies(
    'allowance.holds-in-parallel',
    `of ${QUESTIONS} concurrent questions within the monthly quota exactly ${ALLOWANCE} are answered`,
    async () => {
      await startMonth()
      const outcomes = await Promise.all(
        Array.from({ length: QUESTIONS }, (_, index) =>
          ask(index, `When are signing keys rotated? (${index})`),
        ),
      )
      expect(count(outcomes)).toEqual({ answered: ALLOWANCE, quota_exceeded: QUESTIONS - ALLOWANCE })
      expect(await counters()).toEqual({ used: ALLOWANCE, by_base: ALLOWANCE, given_back: 0 })
    },
  )

  verifies(
    'allowance.given-back',
    'with three of ten failing upstream, the whole quota is answered, and every failure is refunded',
    async () => {
      await startMonth()
      const outcomes: string[] = []
      let asked = 0
      while (!outcomes.includes('quota_exceeded')) {
        const wave = Array.from({ length: 10 }, async (_, index) => {
          asked += 1
          return await ask(
            index,
            `When are signing keys rotated?${index % 10 < 3 ? ' please fail' : ''} (${asked})`,
          )
        })
        outcomes.push(...(await Promise.all(wave)))
        // The last wave may be refused while failures are still in flight: asking again uses their refunds.
        if ((await counters())?.used !== ALLOWANCE) {
          for (
            let at = outcomes.indexOf('quota_exceeded');
            at >= 0;
            at = outcomes.indexOf('quota_exceeded')
          ) {
            outcomes.splice(at, 1)
          }
        }
      }
      const { answered, misconfigured } = count(outcomes)
      expect(answered).toBe(ALLOWANCE)
      expect(misconfigured).toBeGreaterThan(30)
      expect(await counters()).toEqual({ used: ALLOWANCE, by_base: ALLOWANCE, given_back: misconfigured })
    },
  )

  verifies(
    'allowance.crash',
    'questions in flight when their process is killed stay counted, and the two counters agree',
    async () => {
      await startMonth()
      llm.script(fakeLlm.neverEnds('Keys '))
      const [survivor, killed] = processes
      if (survivor === undefined || killed === undefined) throw new Error('there are two processes')
      const streams = Array.from({ length: 10 }, () =>
        ask(1, 'When are signing keys rotated?').catch(() => 'cut'),
      )
      await until(counters, (found) => found?.used === 10, 20)
      await killed.kill()
      expect(count(await Promise.all(streams))).toEqual({ cut: 10 })
      processes = [survivor]
      expect(await counters()).toEqual({ used: 10, by_base: 10, given_back: 0 })
    },
  )
})
