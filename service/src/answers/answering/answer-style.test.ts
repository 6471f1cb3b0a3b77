import type { Analytics } from '@citewell/contract/analytics'
import type { Trace } from '@citewell/contract/traces'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { openPushedBase } from '../../../test/open-pushed-base.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let llm: FakeLlm
let citewell: TestService
beforeAll(async () => {
  llm = await startFakeLlm()
  citewell = await startTestService({ CITEWELL_LLM_BASE_URL: llm.baseUrl, CITEWELL_LLM_MODEL: 'fake' })
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
})

const KEYS = {
  title: 'Rotating signing keys',
  text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
}
const BACKUPS = {
  title: 'Backups',
  text: 'To make a backup, stop the service and copy the data directory.',
}
const query = 'When are signing keys rotated?'
const said = fakeLlm.says('Signing keys are rotated every day at midnight [1].')
const style = {
  persona: 'A pirate of the seven seas.',
  tone: 'Short and salty.',
  standing_instructions: 'Never write numbers in brackets.',
}

/** The system message of the last call to the model. */
const systemMessage = () => llm.requests.at(-1)?.body.messages[0]?.content ?? ''

verifies(
  [
    'answer-style.persona',
    'answer-style.tone',
    'answer-style.standing-instructions',
    'answer-style.changed-at-once',
    'answer-style.rules-stand',
  ],
  'persona, tone and instructions are sent to the model after the rules, and a change applies to the next question',
  async () => {
    const base = await openPushedBase(citewell, [KEYS], { fields: style })
    llm.script(said)
    await base.ask({ query })

    const places = [
      'put the number of the excerpt',
      style.persona,
      style.tone,
      style.standing_instructions,
    ].map((words) => systemMessage().indexOf(words))
    expect(places.every((index) => index > 0)).toBe(true)
    expect(places).toEqual(places.toSorted((left, right) => left - right))
    expect(systemMessage()).toMatch(/The rules still apply: every statement comes from the excerpts/)

    await citewell.json('PATCH', `/api/v1/knowledge-bases/${base.id}`, { persona: 'A nurse.', tone: null })
    await base.ask({ query })
    expect(systemMessage()).toContain('A nurse.')
    expect(systemMessage()).not.toMatch(/pirate|salty/)
    expect(systemMessage()).toContain(style.standing_instructions)

    llm.script(fakeLlm.says('Signing keys are rotated every day at midnight, arr.'))
    expect(await base.ask({ query })).toMatchObject({
      covered: false,
      citations: [],
      answer: expect.stringContaining('No page of the documentation was found that supports this answer'),
    })
  },
)

verifies(
  'answer-style.widget-voice',
  'a widget with its own style overrides the style of the base, and otherwise uses it',
  async () => {
    const base = await openPushedBase(citewell, [KEYS], { fields: style })
    await citewell.json('PATCH', `/api/v1/widgets/${base.widgetId}`, {
      config: { persona: 'A museum guide.', tone: '' },
    })
    llm.script(said)

    await base.ask({ query, widget_id: base.widgetId })
    expect(systemMessage()).toContain('A museum guide.')
    expect(systemMessage()).not.toContain(style.persona)
    expect(systemMessage()).toContain(style.tone)
    expect(systemMessage()).toContain(style.standing_instructions)

    await base.ask({ query })
    expect(systemMessage()).toContain(style.persona)
  },
)

verifies(
  'answer-style.version-label',
  'every excerpt of a source names its version to the model, on one line',
  async () => {
    const pages = [
      KEYS,
      { title: 'Key\nstores', text: 'Signing keys are kept in key stores, and rotated there.' },
    ]
    const base = await openPushedBase(citewell, pages, { versionLabel: 'v7 (LTS)' })
    llm.script(said)
    await base.ask({ query })
    const excerpts = llm.requests.at(-1)?.body.messages.at(-1)?.content ?? ''
    expect(excerpts.match(/^\[\d\] .*$/gm)).toHaveLength(2)
    expect(excerpts.match(/^Version: v7 \(LTS\)$/gm)).toHaveLength(2)
  },
)

verifies(
  ['answer-style.lengths', 'answer-style.starter-questions', 'knowledge-bases.starter-questions'],
  'a style field that is too long is refused by name, one that just fits is accepted',
  async () => {
    const base = await openPushedBase(citewell, [KEYS])
    const path = `/api/v1/knowledge-bases/${base.id}`
    const questions = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => `${index}${'?'.repeat(length - 1)}`)
    const fits = {
      persona: 'é'.repeat(2_000),
      tone: '🙂'.repeat(1_000),
      standing_instructions: 'x'.repeat(8_000),
      starter_questions: { mode: 'own', questions: questions(8, 200) },
    }
    expect(await citewell.json('PATCH', path, fits)).toMatchObject(fits)
    const shown = async () => {
      const response = await citewell.fetch(`/api/v1/public/knowledge-bases/${base.id}/suggested-questions`, {
        headers: { 'x-client-key': base.key },
      })
      return await response.json()
    }
    expect(await shown()).toEqual({ questions: questions(8, 200) })
    await citewell.json('PATCH', path, { starter_questions: { mode: 'none' } })
    expect(await shown()).toEqual({ questions: [] })
    for (const [change, field] of [
      [{ persona: 'x'.repeat(2_001) }, 'persona'],
      [{ tone: 'x'.repeat(1_001) }, 'tone'],
      [{ standing_instructions: 'x'.repeat(8_001) }, 'standing_instructions'],
      [{ starter_questions: { questions: questions(9, 10) } }, 'starter_questions.questions'],
      [{ starter_questions: { questions: questions(1, 201) } }, 'starter_questions.questions.0'],
    ] as const) {
      const refused = await citewell.send('PATCH', path, change)
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: field }] })
    }
    const widget = await citewell.send('PATCH', `/api/v1/widgets/${base.widgetId}`, {
      config: { tone: 'x'.repeat(1_001) },
    })
    expect(await widget.json()).toMatchObject({ details: [{ path: 'config.tone' }] })
  },
)

verifies(
  'analytics.by-meaning',
  'with an embedding model, questions in different words are grouped by meaning',
  async () => {
    const base = await openPushedBase(citewell, [KEYS])
    const questions = [
      'Erase my profile for good',
      'Removing a user profile permanently',
      'Which currencies can invoices be in?',
    ]
    llm.script(fakeLlm.says('NOT COVERED: The pages do not say.'))
    for (const each of questions) await base.ask({ query: each })
    const read = async () =>
      await citewell.json<Analytics>('GET', `/api/v1/knowledge-bases/${base.id}/analytics`)

    const { knowledge_gaps: gaps, bounds } = await read()

    expect(bounds.compared_by).toBe('meaning')
    expect(gaps.map(({ count }) => count)).toEqual([2, 1])
    expect(gaps[0]?.examples.map((example) => example.query).toSorted()).toEqual(
      questions.slice(0, 2).toSorted(),
    )
    expect((await read()).knowledge_gaps).toEqual(gaps)
  },
)

describe('without a model', () => {
  let quoting: TestService
  beforeAll(async () => {
    quoting = await startTestService()
  })
  afterAll(() => quoting[Symbol.asyncDispose]())

  const traceOf = async (messageId: string | undefined) =>
    await quoting.json<Trace>('GET', `/api/v1/messages/${messageId}/trace`)

  verifies(
    ['answer-style.quotes-as-they-are', 'traces.every-answer'],
    'without a model the pages are quoted regardless of the style, and the trace has no instructions',
    async () => {
      const plain = await openPushedBase(quoting, [KEYS])
      const styled = await openPushedBase(quoting, [KEYS], { fields: style })
      const answers = await Promise.all([plain, styled].map((base) => base.ask({ query })))
      const traces = await Promise.all(
        answers.map((answer) =>
          quoting.json<{ written: string; writer: string }>(
            'GET',
            `/api/v1/messages/${answer.message_id}/trace`,
          ),
        ),
      )
      expect(traces[0]).toMatchObject({ writer: 'quotes', model: null, instructions: null })
      expect(traces[0]?.written).toContain('Signing keys are rotated every day at midnight.')
      expect(traces[1]?.written).toBe(traces[0]?.written)
    },
  )

  verifies(
    'answer-style.quotes-as-they-are',
    'quotes are word for word: not cut at signs within sentences, without blanks of our own, and procedures to their end',
    async () => {
      const authorship =
        '**Neither "fixup!" nor "amend!"** commits change authorship of `<commit>`, not in HEAD..HEAD or *r1^!*.'
      const steps = [
        'Stop the service.',
        'Copy the signing keys, z.B. Docker secrets.',
        'Start the service.',
        'Check it.',
      ]
      const numbered = steps.map((step, place) => `${place + 1}. ${step}`).join('\n')
      const base = await openPushedBase(quoting, [
        { title: 'Fixup', text: `${authorship} [[20]](https://docs.test/#20) says why.` },
        { title: 'Restoring the service', text: `How to restore the service from a backup.\n\n${numbered}` },
      ])
      const writtenOf = async (asked: string) =>
        (await traceOf((await base.ask({ query: asked })).message_id)).written ?? ''
      const answer = await writtenOf('Do fixup commits change authorship?')
      expect(answer).toContain(`> ${authorship}`)
      expect(answer.match(/(?<!\\)\[\d+\]/g)).toEqual(['[1]'])
      const restored = await writtenOf('How do I restore the service from a backup?')
      expect(restored).toContain(numbered.replaceAll(/^/gm, '> '))
    },
  )

  test('in a thread, a follow-up is answered and an off-topic question is not, although earlier words complete it', async () => {
    const base = await openPushedBase(quoting, [KEYS])
    const first = await base.ask({ query })
    expect(first.covered).toBe(true)
    const { coverage, steps } = await traceOf(first.message_id)
    expect(coverage?.features).toMatchObject({
      nearest: expect.any(Number),
      nearest_mean: expect.any(Number),
    })
    expect(steps.map(({ name }) => name)).toContain('compare-passages')

    const follow = async (followUp: string) => await base.ask({ query: followUp, thread_id: first.thread_id })
    expect((await follow('And at which time of the day?')).covered).toBe(true)
    const offTopic = await follow('best pizza recipe')
    expect((await traceOf(offTopic.message_id)).rewritten_query).toContain('keys')
    expect(offTopic.covered).toBe(false)
  })

  test('in a thread, a short question about something else is asked as it is', async () => {
    const base = await openPushedBase(quoting, [KEYS, BACKUPS])
    const first = await base.ask({ query })
    const second = await base.ask({ query: 'Tell me about backups', thread_id: first.thread_id })
    const { rewritten_query: sought, written } = await traceOf(second.message_id)
    expect(sought).toBeNull()
    expect(written).toContain('copy the data directory')
    expect(written).not.toContain('rotated')
  })

  test('a question in a language that pages and model do not know is searched for by the words that it may share', async () => {
    const base = await openPushedBase(quoting, [KEYS])
    const asked = await base.ask({ query: 'Wie kann ich Keys rotieren?' })
    expect((await traceOf(asked.message_id)).rewritten_query).toBe('Keys rotieren?')
  })
})
