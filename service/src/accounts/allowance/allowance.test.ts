import { sql } from 'kysely'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import { framesOf, startPublicApi, type Frame } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

let storage: TestStorage
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

type Api = Awaited<ReturnType<typeof startPublicApi>>
type Base = Awaited<ReturnType<Api['makeAskable']>>

const PAGES = [{ title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }]
const QUESTION = 'When are signing keys rotated?'

const withAllowance = (allowance: number) => ({ workspace: { monthly_question_allowance: allowance } })
const chat = (base: Base) => `/public/knowledge-bases/${base.id}/chat`
const ask = (api: Api, base: Base, headers: Record<string, string> = {}) =>
  api.send(chat(base), { headers: { 'x-client-key': base.key, ...headers }, body: { query: QUESTION } })
const lastFrame = async (response: Response): Promise<Frame> => (await framesOf(response)).at(-1) ?? {}

async function countersOf(base: Base) {
  const { db } = storage
  const counters = await db
    .selectFrom('question_allowances')
    .select(['month', 'used'])
    .where('workspace_id', '=', base.workspaceId)
    .orderBy('month')
    .execute()
  const byBase = await db
    .selectFrom('question_usage')
    .select(['used', 'given_back'])
    .where('workspace_id', '=', base.workspaceId)
    .orderBy('month')
    .execute()
  const sum = byBase.reduce((total, { used }) => total + used, 0)
  expect(sum).toBe(counters.reduce((total, { used }) => total + used, 0))
  return { used: sum, refunded: byBase.reduce((total, row) => total + row.given_back, 0), counters }
}

const NO_LIMITS = { chatPerKey: 0, chatPerAddress: 0 }

verifies(
  ['allowance.holds-in-parallel', 'allowance.quota-frame'],
  'of many concurrent questions exactly as many are answered as the quota allows; the rest get one error frame',
  async () => {
    await using api = await startPublicApi({ storage, limits: NO_LIMITS })
    const base = await api.makeAskable(PAGES, withAllowance(12))

    const frames = await Promise.all(Array.from({ length: 40 }, async () => framesOf(await ask(api, base))))

    const answered = frames.filter((each) => each.at(-1)?.['done'] === true)
    const refused = frames.filter((each) => each.at(-1)?.['error_code'] === 'quota_exceeded')
    expect([answered.length, refused.length]).toEqual([12, 28])
    for (const each of refused) {
      expect(each).toEqual([
        {
          error: 'The questions of this month are used up.',
          error_code: 'quota_exceeded',
          code: 'QUOTA_EXCEEDED',
          retryable: false,
          request_id: expect.any(String),
        },
      ])
    }
    expect(await countersOf(base)).toMatchObject({ used: 12, refunded: 0 })
  },
)

verifies(
  ['allowance.quota-json', 'allowance.not-retryable'],
  'an exhausted quota is a 403 in JSON for a client that accepts only JSON',
  async () => {
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable(PAGES, withAllowance(0))

    const response = await ask(api, base, { accept: 'application/json' })

    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'QUOTA_EXCEEDED', retryable: false })
    expect((await ask(api, base, { accept: 'text/event-stream, application/json' })).status).toBe(200)
    expect((await countersOf(base)).used).toBe(0)
  },
)

verifies(
  ['allowance.given-back', 'allowance.failed-later'],
  'a question is refunded only if its answer failed upstream before the first word',
  async () => {
    await using llm = await startFakeLlm()
    await using api = await startPublicApi({ storage, limits: NO_LIMITS, modelUrl: llm.baseUrl })
    const base = await api.makeAskable(PAGES, withAllowance(100))
    const askIt = async (behaviour: Parameters<typeof llm.script>[0]) => {
      llm.script(behaviour)
      return (await lastFrame(await ask(api, base)))['error_code']
    }

    expect(await askIt(fakeLlm.outOfQuota())).toBe('misconfigured')
    expect(await askIt(fakeLlm.paymentRequired())).toBe('misconfigured')
    expect(await countersOf(base)).toMatchObject({ used: 0, refunded: 2 })

    expect(await askIt(fakeLlm.finishesWith('length', 'Signing keys are ro'))).toBe('truncated')
    expect(await countersOf(base)).toMatchObject({ used: 1, refunded: 2 })
    expect(await askIt(fakeLlm.says('Signing keys are rotated daily [1].'))).toBeUndefined()
    expect(await countersOf(base)).toMatchObject({ used: 2, refunded: 2 })
  },
)

verifies(
  'allowance.filtered',
  'an answer that the provider’s filter blocked because of the question counts, so that it is not a way to ask for free',
  async () => {
    await using llm = await startFakeLlm(fakeLlm.finishesWith('content_filter'))
    await using api = await startPublicApi({ storage, modelUrl: llm.baseUrl })
    const base = await api.makeAskable(PAGES, withAllowance(100))

    expect((await lastFrame(await ask(api, base)))['error_code']).toBe('content_filtered')

    expect(await countersOf(base)).toMatchObject({ used: 1, refunded: 0 })
  },
)

verifies(
  'allowance.reader-left',
  'a question is not refunded when the reader disconnects before the first word',
  async () => {
    await using llm = await startFakeLlm(fakeLlm.neverAnswers())
    await using api = await startPublicApi({ storage, modelUrl: llm.baseUrl })
    const base = await api.makeAskable(PAGES, withAllowance(100))
    const leaving = new AbortController()

    const response = await globalThis.fetch(`${api.address}/api/v1${chat(base)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-client-key': base.key },
      body: JSON.stringify({ query: QUESTION }),
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    const aborted = llm.nextAbort()
    leaving.abort()
    await aborted

    expect(await countersOf(base)).toMatchObject({ used: 1, refunded: 0 })
  },
)

verifies(
  'allowance.every-surface',
  'questions count on every surface, also those of the team; searches, related pages and suggestions do not',
  async () => {
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable(PAGES, withAllowance(100))
    const headers = { 'x-client-key': base.key }
    const publicPath = `/public/knowledge-bases/${base.id}`

    const { thread_id: threadId } = await lastFrame(await ask(api, base))
    await api.send(`/public/threads/${String(threadId)}/chat`, { headers, body: { query: QUESTION } })
    await api.send(`${publicPath}/form-deflect`, {
      headers,
      body: { body: `Hello, please tell me: ${QUESTION}` },
    })
    await api.send(`/knowledge-bases/${base.id}/chat`, {
      headers: await api.joinTeam(base),
      body: { query: QUESTION },
    })
    const openai = await api.send('/public/openai/chat/completions', {
      headers: { authorization: `Bearer ${base.key}` },
      body: { model: base.id, messages: [{ role: 'user', content: QUESTION }] },
    })
    expect(openai.status).toBe(200)
    expect((await countersOf(base)).used).toBe(5)

    await api.send(`${publicPath}/search`, { headers, body: { query: QUESTION } })
    await api.send(`${publicPath}/related`, { headers, body: { query: QUESTION } })
    await api.send(`${publicPath}/suggested-questions`, { headers })
    expect((await countersOf(base)).used).toBe(5)
  },
)

verifies(
  'allowance.month',
  'the month is the database’s, in UTC: it changes once, whatever the clock of a process, and a refund goes to the month that counted it',
  async () => {
    const { db } = storage
    const setMonth = (month: string) =>
      sql`create or replace function question_month() returns text language sql stable as ${sql.lit(`select '${month}'::text`)}`.execute(
        db,
      )
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable(PAGES, withAllowance(2))
    const { allowance } = api
    try {
      await setMonth('2026-12')
      await allowance.reserve(base.id, 'team')
      const last = await allowance.reserve(base.id, 'team')
      await expect(allowance.reserve(base.id, 'team')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })

      await setMonth('2027-01')
      await allowance.reserve(base.id, 'team')
      await last.refund()
      await last.refund()
      expect((await countersOf(base)).counters).toEqual([
        { month: '2026-12', used: 1 },
        { month: '2027-01', used: 1 },
      ])

      // The clock goes back an hour across the change of month: the old month continues its count.
      await setMonth('2026-12')
      await allowance.reserve(base.id, 'team')
      await expect(allowance.reserve(base.id, 'team')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    } finally {
      await sql`create or replace function question_month() returns text language sql stable
        as $$ select to_char(now() at time zone 'utc', 'YYYY-MM') $$`.execute(db)
    }
  },
)
