import { verifies } from '@citewell/spec/verifies'
import { describe, expect, test } from 'vitest'
import {
  ask,
  askModel,
  BILLING,
  IDS,
  KEYS,
  LIMITS,
  NEAR,
  STRANGE,
  world,
} from '../../../test/answering-world.ts'
import { fakeLlm, type FakeBehaviour } from '../../../test/fake-llm.ts'

describe('without a model', () => {
  test('a covered question is answered with quotes and their citations, in order found, deltas, finished', async () => {
    const answering = world([KEYS, LIMITS, BILLING])
    const { kinds, found, streamed, last } = await ask(answering)
    expect(kinds).toEqual(['found', 'delta', 'finished'])
    expect(found.map(({ index, title }) => [index, title])).toEqual([
      [1, 'Signing keys (v7)'],
      [2, 'Rate limits'],
      [3, 'Billing'],
    ])
    expect(streamed).toBe(
      'The documentation of v7 says, word for word:\n\n> Signing keys rotate daily. Old keys are accepted for 48 hours. [1]',
    )
    expect(last).toMatchObject({ kind: 'finished', covered: true, rewritten: undefined, ids: IDS })
    expect(last?.kind === 'finished' && last.cited).toMatchObject([
      {
        index: 1,
        chunk_id: 'chunk-1',
        url: 'https://docs.test/1#rotation:~:text=Signing%20keys%20rotate%20daily.',
      },
    ])
  })

  test('quotes from a later page are renumbered from 1 at the end', async () => {
    const { streamed, last } = await ask(world([LIMITS, BILLING, KEYS]))
    expect(streamed).toContain('Signing keys rotate daily. Old keys are accepted for 48 hours. [3]')
    expect(last).toMatchObject({
      cited: [{ index: 1, title: 'Signing keys (v7)' }],
      rewritten: streamed.replace('[3]', '[1]'),
    })
  })

  test('an off-topic question gets one sentence and no citations', async () => {
    const answering = world(STRANGE)
    const { streamed, last, found } = await ask(answering)
    expect(streamed).toBe('The documentation does not cover this question.')
    expect(found).toHaveLength(2)
    expect(last).toMatchObject({ covered: false, cited: [], rewritten: undefined })
    expect(answering.stored).toMatchObject([{ covered: false, citations: [], answer: streamed }])
  })

  test('a question that is not covered gets the best sentence of each of the nearest passages, with citations', async () => {
    const answering = world(NEAR)
    const { streamed, last } = await ask(answering)
    expect(streamed).toBe(
      'The documentation does not cover this question.\n\nThe nearest passages say, word for word:\n\nFrom Page 1:\n\n> A key may be signed. [1]\n\nFrom Page 2:\n\n> Bananas rotate slowly. [2]',
    )
    expect(last).toMatchObject({
      covered: false,
      rewritten: undefined,
      cited: [
        { index: 1, url: 'https://docs.test/1#:~:text=A%20key%20may%20be%20signed.' },
        { index: 2, url: 'https://docs.test/2#:~:text=Bananas%20rotate%20slowly.' },
      ],
    })
    expect(answering.stored).toMatchObject([{ covered: false, citations: [{ index: 1 }, { index: 2 }] }])
  })

  test('with nothing found the refusal is one sentence', async () => {
    const { streamed, found, last } = await ask(world([]))
    expect(found).toEqual([])
    expect(streamed).toBe('The documentation does not cover this question.')
    expect(last).toMatchObject({ covered: false })
  })
})

describe('with a model', () => {
  test('deltas are streamed as they arrive, and the answer is checked at the end', async () => {
    const said = ['Invoices come monthly [3]. Keys rotate daily', ' [1', ']. Whales sing [2].']
    const { events, streamed, last, stored } = await askModel(fakeLlm.says(...said))
    expect(events.length).toBeGreaterThan(3)
    expect(events.filter((event) => event.kind === 'delta' && /\[\d?$/.test(event.text))).toEqual([])
    expect(streamed).toBe(said.join(''))
    expect(last).toMatchObject({
      kind: 'finished',
      covered: true,
      cited: [
        { index: 1, title: 'Billing' },
        { index: 2, title: 'Signing keys (v7)' },
      ],
      rewritten: 'Invoices come monthly [1]. Keys rotate daily [2]. Whales sing.',
    })
    expect(stored[0]).toMatchObject({
      stoppedBy: undefined,
      answer: last?.kind === 'finished' ? last.rewritten : '',
      trace: { model: 'fake', dropped: [{ number: 2, reason: 'not_supported' }] },
    })
  })

  test('an answer that needs no correction is not sent twice', async () => {
    const { last } = await askModel(fakeLlm.says('Keys rotate daily [1].'))
    expect(last).toMatchObject({ covered: true, rewritten: undefined })
  })

  verifies(
    'versions.with-every-excerpt',
    'the model gets the excerpts between fences, with their versions, the style of the owner, and the question',
    async () => {
      const { calls } = await askModel(fakeLlm.says('Keys rotate daily [1].'))
      const [system, user] = calls[0]?.body.messages ?? []
      expect(system?.content).toContain('A patient engineer')
      expect(user?.content).toContain('=====fence=====\n[1] Signing keys\nSection: Rotation\nVersion: v7')
      expect(user?.content).toMatch(/=====fence=====\n\nQuestion: How often do signing keys rotate\?$/)
    },
  )

  test.for([
    ['NOT COVERED: The documentation says nothing about it.', 'The documentation says nothing about it.'],
    ['**Not covered.** It only says that keys rotate daily [1].', 'It only says that keys rotate daily [1].'],
    ['NOT COVERED', 'The documentation does not cover this question.'],
  ])('the marker for "not covered" is recognized and removed: %s', async ([said = '', shown]) => {
    const { streamed, last } = await askModel(fakeLlm.says(...said.split(/(?<= )/)))
    expect(streamed.split('\n\n')[0]).toBe(shown)
    expect(last).toMatchObject({ covered: false })
  })

  test('a beginning that only resembles the marker is kept', async () => {
    expect((await askModel(fakeLlm.says('Not', ' covered keys', ' rotate daily [1].'))).streamed).toMatch(
      /keys rotate daily/,
    )
    expect((await askModel(fakeLlm.says('No', 'te that keys rotate daily [1].'))).streamed).toBe(
      'Note that keys rotate daily [1].',
    )
  })

  test.for<[string, FakeBehaviour]>([
    ['cites nothing', fakeLlm.says('Keys rotate daily, I am sure.')],
    ['cites numbers that do not exist', fakeLlm.citesWhatIsNotThere()],
    ['cites at random', fakeLlm.citesAtRandom(() => 0.5)],
  ])('an answer of a model that %s is not presented as covered', async ([, behaviour]) => {
    const { last } = await askModel(behaviour)
    expect(last).toMatchObject({ covered: false, cited: [] })
    expect(last?.kind === 'finished' && last.rewritten).toMatch(
      /No page of the documentation was found that supports this answer/,
    )
  })

  test('the model is asked whatever the gate thinks, except if nothing was found', async () => {
    expect((await askModel(fakeLlm.says('Keys are signed [1].'), STRANGE)).calls).toHaveLength(1)
    const { calls, last, streamed } = await askModel(fakeLlm.says('Hello'), [])
    expect(calls).toEqual([])
    expect(last).toMatchObject({ covered: false })
    expect(streamed).toBe('The documentation does not cover this question.')
  })

  test.for([
    ['NOT COVERED: It does not say.', 'It does not say.'],
    ['NOT COVERED', 'The documentation does not cover this question.'],
  ])(
    'what a model does not find covered is followed by the nearest passages: %s',
    async ([said = '', shown]) => {
      const { streamed, last } = await askModel(fakeLlm.says(said), NEAR)
      expect(streamed).toBe(
        `${shown}\n\nThe nearest passages say, word for word:\n\nFrom Page 1:\n\n> A key may be signed. [1]\n\nFrom Page 2:\n\n> Bananas rotate slowly. [2]`,
      )
      expect(last).toMatchObject({ covered: false, cited: [{ index: 1 }, { index: 2 }] })
    },
  )

  verifies(
    'traps.persona-has-no-way-out',
    'a model that obeys a hostile page gets no link, image or script to the reader, at no point of the stream',
    async () => {
      const said = [
        'Click [here',
        '](https://evil.test/?q=',
        'SECRET) ![x](https://evil.test/p',
        ' "t") <img src=x> [a][b]\n\n[b]: htt',
        'ps://evil.test\n',
      ]
      const { streamed, last } = await askModel(fakeLlm.says(...said))
      expect(streamed).not.toMatch(/\]\(|<img|https:/)
      expect(JSON.stringify(last)).not.toMatch(/\]\(|<img|https:\/\/evil/)
    },
  )
})

test('the search query of a follow-up contains the subject of its conversation', async () => {
  const answering = world([KEYS], {
    conversations: {
      history: async () => [
        { query: 'What are signing keys?', answer: 'Keys sign. [1]', citedTitles: ['Signing keys'] },
      ],
    },
  })
  await ask(answering, { query: 'How often do they rotate?', threadId: 'thread' })
  expect(answering.seen.queries).toEqual(['How often do they rotate? signing keys'])
  expect(answering.stored).toMatchObject([{ rewrittenQuery: 'How often do they rotate? signing keys' }])
})
