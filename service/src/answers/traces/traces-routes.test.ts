import type { AnswerSteps, Replay, Trace } from '@citewell/contract/traces'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthorizationWorld } from '../../../test/authorization-world.ts'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { openPushedBase } from '../../../test/open-pushed-base.ts'
import { snapshotStorage } from '../../../test/snapshot-storage.ts'
import { OWNER_TOKEN, startTestService, type TestService } from '../../../test/start-service.ts'

let llm: FakeLlm
let citewell: TestService
beforeAll(async () => {
  llm = await startFakeLlm()
  citewell = await startTestService({
    CITEWELL_LLM_BASE_URL: llm.baseUrl,
    CITEWELL_LLM_MODEL: 'fake',
    CITEWELL_LLM_API_KEY: 'sk-canary-of-the-instance',
  })
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
})

const KEYS = {
  title: 'Rotating signing keys',
  text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
}
const PLUGINS = { title: 'Installing plugins', text: 'Plugins are installed with the plugin command.' }
const query = 'When are signing keys rotated?'

const traceOf = async (messageId: string | undefined) =>
  await citewell.json<Trace>('GET', `/api/v1/messages/${messageId}/trace`)

const numberOf = (evidence: string, title: string) =>
  /\[(\d+)\]/.exec(evidence.split(title)[0]?.slice(-6) ?? '')?.[1]

/** A model that cites each page by its number, and one that does not exist. */
const citesBoth = fakeLlm.replies((messages) => {
  const excerpts = messages.at(-1)?.content ?? ''
  const [keys, plugins] = [numberOf(excerpts, KEYS.title), numberOf(excerpts, PLUGINS.title)]
  return `Plugins are installed with the plugin command [${plugins}]. Signing keys are rotated every day at midnight [${keys}]. Whales sing [${keys}]. The moon is cheese [97].`
})

verifies(
  [
    'traces.query',
    'traces.retrieved',
    'traces.what-the-model-got',
    'traces.nothing-secret',
    'traces.answer',
    'traces.citation-checks',
    'traces.covered',
    'traces.times',
  ],
  'the trace of a model’s answer has every step, and its prompt is what was sent over the wire',
  async () => {
    const base = await openPushedBase(citewell, [KEYS, PLUGINS])
    llm.script(citesBoth)
    const calls = llm.requests.length
    const last = await base.ask({ query, top_k: 5 })

    const trace = await traceOf(last.message_id)

    expect(trace).toMatchObject({
      id: last.message_id,
      conversation_id: last.thread_id,
      knowledge_base_id: base.id,
      query,
      rewritten_query: null,
      scope: { top_k: 5, source_group_ids: null, includes_restricted: false },
      search_mode: 'hybrid',
      writer: 'model',
      model: 'fake',
      covered: true,
      confidence: expect.closeTo(last.confidence, 2),
      answer: last.answer,
      citations: last.citations,
      stopped_by: null,
      withheld: false,
    })
    const [best] = trace.retrieved
    expect(new Set(trace.retrieved.map(({ title }) => title))).toEqual(new Set([PLUGINS.title, KEYS.title]))
    expect(best).toMatchObject({
      rank: 1,
      title: KEYS.title,
      score: expect.any(Number),
      similarity: expect.any(Number),
      word_score: expect.any(Number),
      shown_as: 1,
    })
    expect(best?.score).toBeGreaterThan(trace.retrieved[1]?.score ?? 1)

    const messages = llm.requests[calls]?.body.messages ?? []
    expect(messages[0]).toEqual({ role: 'system', content: trace.instructions })
    expect(trace.evidence).toHaveLength(2)
    for (const { text } of trace.evidence) expect(messages.at(-1)?.content).toContain(text)
    expect(JSON.stringify(trace)).not.toContain('sk-canary-of-the-instance')

    expect(trace.written).toMatch(/Whales sing \[\d\]. The moon is cheese \[97\]\.$/)
    expect(trace.answer).toMatch(/Whales sing\. The moon is cheese\.$/)
    expect(trace.citation_checks.map(({ outcome, became, reason }) => [outcome, became, reason])).toEqual([
      ['moved', 1, null],
      ['moved', 2, null],
      ['dropped', null, 'not_supported'],
      ['dropped', null, 'not_offered'],
    ])
    expect(trace.coverage).toMatchObject({ covered: true, features: { heading: expect.any(Number) } })
    expect(trace.steps.map(({ name }) => name)).toEqual([
      'rewrite-query',
      'retrieve-chunks',
      'choose-evidence',
      'find-custom-answer',
      'write-answer',
      'check-citations',
    ])
    expect(trace.first_ms).toBeGreaterThan(0)
    expect(trace.total_ms).toBeGreaterThanOrEqual(trace.first_ms ?? 0)
  },
)

verifies(
  ['traces.query', 'traces.every-answer'],
  'a follow-up’s trace has its rewritten query and the turns before it; an answer that is not covered has a trace too',
  async () => {
    const base = await openPushedBase(citewell, [KEYS, PLUGINS])
    llm.script(
      fakeLlm.says('Signing keys are rotated every day at midnight [1].'),
      fakeLlm.says('Are old signing keys still valid?'),
      fakeLlm.says('Old signing keys stay valid for one hour [1].'),
    )
    const first = await base.ask({ query })
    const second = await base.ask({ query: 'Are they still valid?', thread_id: first.thread_id })

    expect(await traceOf(second.message_id)).toMatchObject({
      query: 'Are they still valid?',
      rewritten_query: 'Are old signing keys still valid?',
      earlier: [{ query, answer: 'Signing keys are rotated every day at midnight.' }],
    })
    llm.script(fakeLlm.says('NOT COVERED: It does not say.'))
    const strange = await base.ask({ query: 'Who won the chess championship of 1972?' })
    expect(await traceOf(strange.message_id)).toMatchObject({
      writer: 'model',
      covered: false,
      citations: [],
    })
  },
)

verifies(
  ['traces.replay', 'traces.replay-not-kept'],
  'a replay answers from the current pages, is compared with the stored answer, and stores nothing',
  async () => {
    const base = await openPushedBase(citewell, [PLUGINS])
    const { workspace_id: workspaceId } = await citewell.json<{ workspace_id: string }>(
      'GET',
      `/api/v1/knowledge-bases/${base.id}`,
    )
    // What is pushed below uses storage, but is no question.
    const usage = async () => ({
      ...(await citewell.json<object>('GET', `/api/v1/workspaces/${workspaceId}/usage`)),
      stored_bytes: undefined,
    })
    const conversations = async () =>
      await citewell.json<{ data: { message_count: number }[] }>(
        'GET',
        `/api/v1/knowledge-bases/${base.id}/conversations`,
      )
    llm.script(fakeLlm.says('NOT COVERED: The documentation does not say.'))
    const last = await base.ask({ query })
    const [usedBefore, keptBefore] = [await usage(), await conversations()]
    expect(keptBefore.data).toHaveLength(1)
    await base.push([KEYS])
    llm.script(citesBoth)

    const replay = await citewell.json<Replay>('POST', `/api/v1/messages/${last.message_id}/replay`)

    expect(replay.before).toMatchObject({ query, covered: false, citations: [] })
    expect(replay.after).toMatchObject({ query, covered: true, writer: 'model', stopped_by: null })
    expect(replay.differences).toMatchObject({
      any: true,
      rewritten_query: false,
      pages_found: { gone: [], added: [{ title: KEYS.title }] },
      pages_cited: { kept: 0, gone: [] },
      covered: { before: false, after: true },
      answer: true,
    })
    expect(await usage()).toEqual(usedBefore)
    expect(await conversations()).toEqual(keptBefore)
    expect(await traceOf(last.message_id)).toMatchObject({ covered: false })

    llm.script(fakeLlm.refuses(401))
    const failed = await citewell.send('POST', `/api/v1/messages/${last.message_id}/replay`)
    expect(failed.status).toBe(503)
    expect(await failed.json()).toMatchObject({ error: expect.stringContaining('not set up correctly') })
    await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/archive`)
    const archived = await citewell.send('POST', `/api/v1/messages/${last.message_id}/replay`)
    expect(archived.status).toBe(403)
  },
)

verifies(
  ['traces.restricted-withheld', 'traces.replay-restricted'],
  'a member without Chat sees no text of restricted pages in a trace, and cannot replay a question that searched them',
  async () => {
    const secret = {
      title: 'Layoffs',
      text: 'The canary layoffs are rotated in March.',
      visibility: 'restricted',
    } as const
    const base = await openPushedBase(citewell, [KEYS, secret])
    llm.script(fakeLlm.echoesPrompt())
    const last = await base.askAsTeam(OWNER_TOKEN, { query: 'When are the layoffs rotated?' })
    const full = await traceOf(last.message_id)
    expect(JSON.stringify(full)).toContain('canary')
    await citewell.json('PATCH', `/api/v1/knowledge-bases/${base.id}`, { workspace_members_can_chat: false })
    const holder = await inviteHolder(base.id)
    const sent = async (method: string, path: string) =>
      await citewell.service.fetch(
        new Request(`${citewell.address}/api/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${holder}` },
        }),
      )

    const response = await sent('GET', `/messages/${last.message_id}/trace`)

    expect(response.status).toBe(200)
    const trace = (await response.json()) as Trace
    expect(trace).toMatchObject({ withheld: true, answer: null, written: null, citations: [] })
    expect(trace.retrieved.find(({ withheld }) => withheld)).toMatchObject({ title: null, url: null })
    expect(trace.retrieved.find(({ title }) => title === KEYS.title)).toMatchObject({ withheld: false })
    expect(JSON.stringify({ ...trace, query: '' })).not.toMatch(/canary|layoffs/i)
    expect((await sent('POST', `/messages/${last.message_id}/replay`)).status).toBe(403)
  },
)

verifies(
  ['traces.tried', 'traces.replay-not-kept'],
  'a question is tried with settings that are not saved, its steps are shown, and nothing is stored',
  async () => {
    const base = await openPushedBase(citewell, [KEYS, PLUGINS], { fields: { tone: 'Like a pirate.' } })
    const path = `/api/v1/knowledge-bases/${base.id}/try`
    const before = await snapshotStorage(citewell.storage)
    llm.script(citesBoth)
    const plain = await citewell.json<AnswerSteps>('POST', path, { query })
    expect(plain).toMatchObject({ query, covered: true, writer: 'model', stopped_by: null, withheld: false })
    expect(plain.scope).toEqual({ top_k: 15, source_group_ids: null, includes_restricted: true })
    expect(plain.instructions).toContain('Like a pirate.')
    expect(plain.steps.map(({ name }) => name)).toContain('retrieve-chunks')

    const style = { persona: 'A lighthouse keeper.', tone: null, standing_instructions: 'Name the hour.' }
    const other = await citewell.json<AnswerSteps>('POST', path, { query, top_k: 1, ...style })
    expect(other.scope.top_k).toBe(1)
    expect(other.retrieved).toHaveLength(1)
    expect(other.instructions).toContain('A lighthouse keeper.')
    expect(other.instructions).toContain('Name the hour.')
    expect(other.instructions).not.toContain('pirate')
    expect(await snapshotStorage(citewell.storage)).toEqual(before)

    const last = await base.ask({ query })
    const replay = await citewell.json<Replay>('POST', `/api/v1/messages/${last.message_id}/replay`, style)
    expect(replay.before.instructions).toContain('pirate')
    expect(replay.after.instructions).toContain('A lighthouse keeper.')
    expect(replay.after.instructions).not.toContain('pirate')
  },
)

verifies(
  ['traces.tried', 'traces.restricted-withheld'],
  'a try uses restricted pages for people alone who may chat, and only if it is not asked as a reader',
  async () => {
    const secret = {
      title: 'Canary',
      text: 'The canary keys are rotated in March.',
      visibility: 'restricted',
    } as const
    const base = await openPushedBase(citewell, [KEYS, secret])
    const path = `/api/v1/knowledge-bases/${base.id}/try`
    llm.script(fakeLlm.echoesPrompt())
    const body = { query: 'When are the canary keys rotated?' }
    const usesSecret = (steps: AnswerSteps) => steps.retrieved.some(({ title }) => title === secret.title)

    expect(usesSecret(await citewell.json<AnswerSteps>('POST', path, body))).toBe(true)
    const asReader = { ...body, include_restricted: false }
    expect(usesSecret(await citewell.json<AnswerSteps>('POST', path, asReader))).toBe(false)
    await citewell.json('PATCH', `/api/v1/knowledge-bases/${base.id}`, { workspace_members_can_chat: false })
    const holder = await inviteHolder(base.id)
    const response = await citewell.service.fetch(
      new Request(`${citewell.address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${holder}` },
        body: JSON.stringify({ ...body, include_restricted: true }),
      }),
    )
    expect(response.status).toBe(200)
    const steps = (await response.json()) as AnswerSteps
    expect(steps.scope.includes_restricted).toBe(false)
    expect(JSON.stringify({ ...steps, query: '' })).not.toMatch(/in March/)
  },
)

verifies(
  'traces.tried',
  'a try is limited to groups of its base, and refused on an archived one',
  async () => {
    const base = await openPushedBase(citewell, [KEYS])
    const other = await openPushedBase(citewell, [KEYS])
    const groups = (id: string) => `/api/v1/knowledge-bases/${id}/source-groups`
    const own = await citewell.json<{ id: string }>('POST', groups(base.id), { name: 'Own' })
    const foreign = await citewell.json<{ id: string }>('POST', groups(other.id), { name: 'Foreign' })
    const path = `/api/v1/knowledge-bases/${base.id}/try`
    const attempt = async (group_ids: string[]) => await citewell.send('POST', path, { query, group_ids })

    const inGroup = (await (await attempt([own.id])).json()) as AnswerSteps
    expect(inGroup).toMatchObject({ covered: false, retrieved: [], scope: { source_group_ids: [own.id] } })
    const refused = await attempt([foreign.id])
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      403,
      'GROUP_NOT_ALLOWED',
    ])
    expect((await citewell.send('POST', path, { query, top_k: 101 })).status).toBe(400)
    await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/archive`)
    expect((await attempt([])).status).toBe(403)
  },
)

/** Creates a member with Config on the base but not Chat, and returns their access token. */
async function inviteHolder(knowledgeBaseId: string): Promise<string> {
  const { workspace_id: workspaceId } = await citewell.json<{ workspace_id: string }>(
    'GET',
    `/api/v1/knowledge-bases/${knowledgeBaseId}`,
  )
  const person = await createAuthorizationWorld(citewell).addPerson(workspaceId, 'member')
  await citewell.json('PUT', `/api/v1/knowledge-bases/${knowledgeBaseId}/grants/${person.userId}`, {
    permissions: ['config'],
  })
  return person.token
}

test('a misspelled question is searched for in the spelling of the documentation, and its trace shows that', async () => {
  const base = await openPushedBase(citewell, [
    PLUGINS,
    { title: 'Removing plugins', text: 'Plugins are removed with the same command.' },
    KEYS,
  ])
  const asked = await base.ask({ query: 'How are plguins installed?' })
  const trace = await traceOf(asked.message_id)
  expect(trace.rewritten_query).toBe('How are plugins installed?')
  expect(trace.query).toBe('How are plguins installed?')
  expect(trace.retrieved[0]?.title).toBe(PLUGINS.title)
})

test('traces are listed newest first, and by coverage, surface and vote', async () => {
  const base = await openPushedBase(citewell, [KEYS])
  llm.script(fakeLlm.says('NOT COVERED: It does not say.'), fakeLlm.says(`${KEYS.text} [1]`))
  const strange = await base.ask({ query: 'Who won the chess championship of 1972?' })
  const liked = await base.askAsTeam(OWNER_TOKEN, { query })
  const disliked = await base.askAsTeam(OWNER_TOKEN, { query })
  for (const [{ message_id: id }, vote] of [
    [liked, 'up'],
    [disliked, 'down'],
  ] as const)
    await citewell.json('PUT', `/api/v1/messages/${id}/rating`, { vote })
  const list = async (filter: string) => {
    const path = `/api/v1/knowledge-bases/${base.id}/traces?${filter}`
    const { data } = await citewell.json<{ data: { message_id: string }[] }>('GET', path)
    return data.map(({ message_id: id }) => id)
  }
  const [first, second, third] = [strange, liked, disliked].map(({ message_id: id }) => id)
  expect(await list('')).toEqual([third, second, first])
  expect(await list('vote=up')).toEqual([second])
  expect(await list('vote=down')).toEqual([third])
  expect(await list('covered=false')).toEqual([first])
  expect(await list('surface=api')).toEqual([first])
})

test('other pages are a difference, also where the answer is the same', async () => {
  const base = await openPushedBase(citewell, [KEYS])
  llm.script(fakeLlm.says(`${KEYS.text} [1]`))
  const last = await base.ask({ query })
  const path = `/api/v1/messages/${last.message_id}/replay`
  expect((await citewell.json<Replay>('POST', path)).differences.any).toBe(false)
  await base.push([PLUGINS])
  expect((await citewell.json<Replay>('POST', path)).differences).toMatchObject({
    any: true,
    pages_found: { gone: [], added: [{ title: PLUGINS.title }] },
    pages_cited: { kept: 1, gone: [], added: [] },
    covered: null,
    answer: false,
  })
})
