import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { createOpenAiCompatibleModel } from '../../platform/llm/openai-compatible-model.ts'
import type { ModelTimeLimits } from '../../platform/llm/model-time-limits.ts'

const KEY = 'sk-a-key-of-the-customer-9fK2'

/** The limits that the service gave to its models; they are shortened, so that no test waits for them. */
const limits: ModelTimeLimits[] = []
let api: TestManagement
beforeAll(async () => {
  api = await openTestManagement({
    surroundings: {
      createModel: (settings, deps) => {
        if (deps.limits !== undefined) limits.push(deps.limits)
        const short = { firstTokenMs: 2_000, betweenTokensMs: 2_000, totalMs: 2_000 }
        return createOpenAiCompatibleModel(settings, { ...deps, limits: short, random: () => 0 })
      },
    },
  })
})
afterAll(() => api.close())

async function openWorkspace() {
  const { token, workspaceId } = await api.joinWorkspace()
  const path = `/workspaces/${workspaceId}`
  const attempt = async (llm?: object) =>
    await api.send('POST', `${path}/llm/test`, llm === undefined ? undefined : { llm }, token)
  const keep = async (llm: object) => await api.send('PATCH', path, { llm }, token)
  return { workspaceId, token, path, attempt, keep }
}

const given = (baseUrl: string) => ({ base_url: baseUrl, model: 'of-the-customer', api_key: KEY })

verifies(
  'language-models.tried',
  'the stored model is tried with its key, and one of the body without storing it',
  async () => {
    await using llm = await startFakeLlm(fakeLlm.says('yes'))
    const { attempt, keep, path, token } = await openWorkspace()
    expect((await attempt()).body).toEqual({
      ok: false,
      model: null,
      first_ms: null,
      error: 'No model is set up: answers are sentences quoted from the pages.',
    })

    expect((await attempt(given(llm.baseUrl))).body).toEqual({
      ok: true,
      model: 'of-the-customer',
      first_ms: expect.any(Number),
      error: null,
    })
    expect((await api.send('GET', path, undefined, token)).body['llm']).toBeNull()

    await keep(given(llm.baseUrl))
    expect((await attempt()).body).toMatchObject({ ok: true, model: 'of-the-customer' })
    expect((await attempt({ model: 'newer' })).body).toMatchObject({ ok: true, model: 'newer' })
    const sent = llm.requests.map(({ body, headers }) => [body.model, headers.authorization])
    expect(sent).toEqual(
      ['of-the-customer', 'of-the-customer', 'newer'].map((name) => [name, `Bearer ${KEY}`]),
    )
  },
)

verifies(
  ['language-models.tried', 'language-models.key-stays-home'],
  'a try at another host does not send the stored key there',
  async () => {
    await using own = await startFakeLlm(fakeLlm.says('yes'))
    await using other = await startFakeLlm(fakeLlm.says('yes'))
    const { attempt, keep } = await openWorkspace()
    await keep(given(own.baseUrl))
    expect((await attempt({ base_url: other.baseUrl })).body).toMatchObject({ ok: true })
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
  },
)

verifies(
  'language-models.tried',
  'what is wrong is said in plain words, bounded, and without the key',
  async () => {
    const said = `Incorrect API key provided: ${KEY}. ${'<b>Read more.</b> '.repeat(100)}`
    const { attempt } = await openWorkspace()
    const errorOf = async (behaviour: Parameters<typeof startFakeLlm>[0]) => {
      await using llm = await startFakeLlm(behaviour)
      const { status, body } = await attempt(given(llm.baseUrl))
      expect({ status, body }).toMatchObject({ status: 200, body: { ok: false, first_ms: null } })
      return String(body['error'])
    }
    const wrongKey = await errorOf(fakeLlm.refuses(401, { message: said }))
    expect(wrongKey).toMatch(/^The model provider answered 401: Incorrect API key provided: \[key\]\. /)
    expect(wrongKey.length).toBeLessThan(320)
    expect(await errorOf(fakeLlm.refuses(404, { message: 'no such model' }))).toContain('no such model')
    expect(await errorOf(fakeLlm.says())).toBe('The model returned an empty answer.')
    expect(await errorOf(fakeLlm.outOfQuota())).toContain('You exceeded your current quota')
    expect(await errorOf(fakeLlm.rateLimited({ 'retry-after': '60' }))).toMatch(/refuses more questions/)
    expect(await errorOf(fakeLlm.neverAnswers())).toMatch(/^The model did not answer in time\./)
    expect(limits.map(({ totalMs }) => totalMs)).toContain(20_000)
    expect(Math.max(...limits.map(({ totalMs }) => totalMs))).toBe(20_000)
    const closed = await startFakeLlm(fakeLlm.says('yes'))
    await closed[Symbol.asyncDispose]()
    const gone = await attempt(given(closed.baseUrl))
    expect(gone.body).toMatchObject({ ok: false, error: expect.stringContaining('could not be reached') })
  },
)

test('a model that used up its output with thinking counts as one that answers', async () => {
  await using llm = await startFakeLlm(fakeLlm.finishesWith('length'))
  const { attempt } = await openWorkspace()
  expect((await attempt(given(llm.baseUrl))).body).toMatchObject({ ok: true, error: null })
})

test(
  'a second try of a workspace waits for the first; one of another workspace does not',
  { tags: ['long'] },
  async () => {
    await using llm = await startFakeLlm(fakeLlm.neverAnswers())
    const [one, other] = [await openWorkspace(), await openWorkspace()]
    const answers = await Promise.all([
      one.attempt(given(llm.baseUrl)),
      one.attempt(given(llm.baseUrl)),
      other.attempt(given(llm.baseUrl)),
    ])
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect((await one.attempt(given(llm.baseUrl))).status).toBe(200)
  },
)

test('members who are neither owner nor admin try no model, and a model without an address is refused', async () => {
  const { workspaceId, attempt } = await openWorkspace()
  const member = await api.joinWorkspace({ role: 'member', workspaceId })
  expect(await api.send('POST', `/workspaces/${workspaceId}/llm/test`, {}, member.token)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' },
  })
  expect(await attempt({ model: 'm' })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'llm.base_url' }] },
  })
})
