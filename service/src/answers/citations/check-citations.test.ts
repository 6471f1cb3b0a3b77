import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { passage } from '../../../test/answering-world.ts'
import { checkCitations, type Evidence } from './check-citations.ts'

const page = (text: string, more: Partial<Evidence['passages'][number]> = {}): Evidence => ({
  passages: [
    passage(1, text, {
      chunkId: `chunk of ${text.slice(0, 20)}`,
      documentId: 'document',
      title: 'Signing keys',
      url: 'https://docs.test/keys',
      anchor: 'rotation',
      headingPath: ['Rotation'],
      ...more,
    }),
  ],
})

const KEYS = page(
  'Signing keys rotate daily. Old keys are accepted for 48 hours. Call `client.keys.rotate()` to force it.',
)
const LIMITS = page('Each workspace may send 1,000 requests per minute. Set `max_burst` to allow more.', {
  title: 'Rate limits',
  headingPath: [],
})
const BILLING = page('Invoices are sent on the first day of a month by e-mail.', {
  title: 'Billing',
  headingPath: [],
})
const ALL = [KEYS, LIMITS, BILLING]

const indexesOf = (cited: { index: number }[]) => cited.map(({ index }) => index)

describe('supported citation markers', () => {
  test('are renumbered from 1 in order of appearance', () => {
    const checked = checkCitations('Invoices are sent each month [3]. Signing keys rotate daily [1].', ALL)
    expect(checked.text).toBe('Invoices are sent each month [1]. Signing keys rotate daily [2].')
    expect(checked.cited.map(({ index, title }) => [index, title])).toEqual([
      [1, 'Billing'],
      [2, 'Signing keys'],
    ])
    expect(checked.dropped).toEqual([])
  })

  test.for<[string, string, string]>([
    [
      'after the full stop',
      'Signing keys rotate daily. [1] And so on.',
      'Signing keys rotate daily. [1] And so on.',
    ],
    ['directly after the word', 'Signing keys rotate daily[1].', 'Signing keys rotate daily[1].'],
    [
      'in a list of numbers',
      'Keys rotate, and invoices are sent monthly [1, 3].',
      'Keys rotate, and invoices are sent monthly [1][2].',
    ],
    [
      'one after the other',
      'Keys rotate, and invoices are sent monthly [3][1].',
      'Keys rotate, and invoices are sent monthly [1][2].',
    ],
    ['the same number twice', 'Signing keys rotate daily [1][1].', 'Signing keys rotate daily [1].'],
    ['in other brackets', 'Signing keys rotate daily 【1†source】.', 'Signing keys rotate daily [1].'],
    [
      'at the start of a sentence',
      'According to [1], signing keys rotate daily.',
      'According to [1], signing keys rotate daily.',
    ],
    ['alone under the paragraph', 'Signing keys rotate daily.\n\n[1]', 'Signing keys rotate daily.\n\n[1]'],
    [
      'in a table',
      '| What | When |\n|---|---|\n| signing keys | daily [1] |',
      '| What | When |\n|---|---|\n| signing keys | daily [1] |',
    ],
    [
      'in a list',
      '- Signing keys rotate daily [1]\n- Invoices are sent [3]',
      '- Signing keys rotate daily [1]\n- Invoices are sent [2]',
    ],
    ['behind code', '```\nclient.keys.rotate()\n```\n[1]', '```\nclient.keys.rotate()\n```\n[1]'],
  ])('%s', ([, answer, expected]) => {
    expect(checkCitations(answer, ALL).text).toBe(expected)
  })

  test('after a sentence without content apply to the previous one', () => {
    const answer = 'The documentation says:\n\n> Signing keys rotate daily. What we want is: [1]'
    expect(checkCitations(answer, ALL)).toMatchObject({ text: answer, dropped: [] })
  })

  test('each apply to their own part of a sentence', () => {
    const answer = 'The limit is 1000 requests per minute [2] and signing keys rotate daily [1].'
    expect(checkCitations(answer, ALL).dropped).toEqual([])
  })

  test('together support a claim that neither page supports alone', () => {
    const answer =
      'Old signing keys are accepted for 48 hours and a workspace may send 1000 requests per minute [1][2].'
    expect(checkCitations(answer, ALL).dropped).toEqual([])
  })

  test('may be supported by the title or the version of the page', () => {
    const versioned = page('Keys rotate daily.', { versionLabel: 'v7' })
    expect(checkCitations('In v7, the signing keys rotate daily [1].', [versioned]).cited).toHaveLength(1)
  })

  test('are compared only by numbers and identifiers if the answer is in another language', () => {
    const answer =
      'Die Schlüssel werden jeden Tag gewechselt, und die alten gelten noch 48 Stunden lang weiter, wie es die Seite sagt [1].'
    const pages = [
      page(`${KEYS.passages[0]?.text ?? ''} This is what you can read on the page that is about the keys.`),
    ]
    expect(checkCitations(answer, pages).cited).toHaveLength(1)
    expect(checkCitations(answer.replace('48', '72'), pages).cited).toHaveLength(0)
  })
})

describe('dropped citation markers', () => {
  test.for<[string, string, string, string]>([
    [
      'a number without an excerpt',
      'Signing keys rotate daily [7].',
      'Signing keys rotate daily.',
      'not_offered',
    ],
    ['number zero', 'Signing keys rotate daily [0].', 'Signing keys rotate daily.', 'not_offered'],
    [
      'a page about something else',
      'Signing keys rotate daily [3].',
      'Signing keys rotate daily.',
      'not_supported',
    ],
    [
      'a page that only shares a word',
      'Keys of pianos need regular tuning [1].',
      'Keys of pianos need regular tuning.',
      'not_supported',
    ],
    [
      'a number that differs from the page',
      'Old keys are accepted for 72 hours [1].',
      'Old keys are accepted for 72 hours.',
      'not_supported',
    ],
    [
      'an identifier that the page does not contain',
      'Call `client.keys.purge_all()` to force it [1].',
      'Call `client.keys.purge_all()` to force it.',
      'not_supported',
    ],
  ])('%s', ([, answer, text, reason]) => {
    const checked = checkCitations(answer, ALL)
    expect(checked).toMatchObject({ text, cited: [] })
    expect(checked.dropped.map((marker) => marker.reason)).toEqual([reason])
  })

  test('leave the supported marker next to them', () => {
    const checked = checkCitations('Signing keys rotate daily [3][1].', ALL)
    expect(checked.text).toBe('Signing keys rotate daily [1].')
    expect(checked.dropped).toMatchObject([{ number: 3 }])
  })
})

describe('brackets that are not citation markers stay unchanged', () => {
  test.for([
    '```js\nconst first = keys[1] // [1]\n```',
    'Write `keys[1]` for it.',
    'See [1](https://docs.test/keys) there.',
    'See [the keys [1]](https://docs.test/keys).',
    'A note[^1].\n\n[^1]: Keys.',
    'An escaped \\[1\\] bracket.',
    '- [ ] open\n- [x] done',
  ])('%s', (answer) => {
    expect(checkCitations(answer, ALL)).toEqual({ text: answer, cited: [], dropped: [], checks: [] })
  })

  test('brackets that occur in the page', () => {
    const answer = 'The name is in sys.argv[1] then.'
    expect(checkCitations(answer, [page('The file name is sys.argv[1], if given.')])).toMatchObject({
      text: answer,
      cited: [],
    })
  })
})

test('the address of a citation names the section and the quoted words, and its excerpt shows them', () => {
  const { cited } = checkCitations('They are still accepted for 48 hours [1].', ALL)
  expect(cited[0]).toEqual({
    index: 1,
    title: 'Signing keys',
    url: 'https://docs.test/keys#rotation:~:text=Old%20keys%20are%20accepted%20for%2048%20hours.',
    document_id: 'document',
    chunk_id: KEYS.passages[0]?.chunkId,
    heading_path: ['Rotation'],
    excerpt:
      'Signing keys rotate daily. Old keys are accepted for 48 hours. Call client.keys.rotate() to force it.',
  })
})

describe('a passage that holds several small sections', () => {
  const first = '**IndexError**\n\nRaised when a subscript is out of range.'
  const second = '**KeyError**\n\nRaised when a mapping key is not found. Its `args` hold the key.'
  const ERRORS = page(`${first}\n\n${second}`, {
    title: 'Exceptions',
    url: 'https://docs.test/exceptions',
    anchor: 'IndexError',
    headingPath: ['Concrete exceptions'],
    places: [
      { at: 0, anchor: 'IndexError', headings: ['IndexError'] },
      { at: first.length + 2, anchor: 'KeyError', headings: ['KeyError'] },
    ],
  })

  test('is cited at the section that supports the claim, and the excerpt shows only that section', () => {
    const { cited } = checkCitations('A mapping key was not found [1].', [ERRORS])
    expect(cited).toMatchObject([
      {
        url: 'https://docs.test/exceptions#KeyError:~:text=Raised%20when%20a%20mapping%20key%20is%20not%20found.',
        heading_path: ['Concrete exceptions', 'KeyError'],
        excerpt: 'Raised when a mapping key is not found. Its args hold the key.',
      },
    ])
  })

  test('gets one number for each cited section', () => {
    const { text, cited } = checkCitations(
      'A mapping key is not found [1]. A subscript is out of range [1]. Its args hold the key [1].',
      [ERRORS],
    )
    expect(text).toBe(
      'A mapping key is not found [1]. A subscript is out of range [2]. Its args hold the key [1].',
    )
    expect(cited.map(({ url }) => /#(\w+)/.exec(url)?.[1])).toEqual(['KeyError', 'IndexError'])
  })
})

test('the excerpt of a quote shows all of its parts, whatever the text between them', () => {
  const between = Array.from({ length: 80 }, (_, place) => `word${place}`).join(' ')
  const piece = page(`Keys rotate daily. ${between}.\n\nFor example:\n\n\`\`\`sh\nacme keys rotate\n\`\`\``)
  const answer = 'It says:\n\n> Keys rotate daily. For example: [1]\n>\n> ```sh\n> acme keys rotate\n> ```'
  const { cited } = checkCitations(answer, [piece])
  expect(cited[0]?.excerpt).toMatch(/^Keys rotate daily\. … .*For example: acme keys rotate$/)
})

test('the excerpt of a quoted list shows its items and the line before it, also if its last item is a short word', () => {
  const between = Array.from({ length: 80 }, (_, place) => `word${place}`).join(' ')
  const line =
    'Each of these servers has a page below, which shows how it is installed, started and stopped in production:'
  const list = ['Gunicorn', 'mod_wsgi', 'ASGI']
  const piece = page(`${between}.\n\n${line}\n\n- ${list.join('\n- ')}\n\n${between}.`)
  const { cited } = checkCitations(`It says:\n\n> ${line}\n>\n> - ${list.join('\n> - ')} [1]`, [piece])
  expect(cited[0]?.excerpt).toContain(`${line} ${list.join(' ')}`)
})

test('the excerpt of a long quoted list shows every item, also those too short to be found alone', () => {
  const items = Array.from({ length: 60 }, (_, place) => `W${place}`)
  const line = 'The following names are reserved and cannot be used for fields:'
  const piece = page(`${line}\n\n- ${[...items, 'BACKWARD', 'X1', 'X2'].join('\n- ')}`)
  const { cited } = checkCitations(
    `It says:\n\n> ${line}\n>\n> - ${[...items, 'BACKWARD'].join('\n> - ')} [1]`,
    [piece],
  )
  expect(cited[0]?.excerpt).toContain(`${line} ${items.join(' ')} BACKWARD`)
})

test('a citation is dropped if another page supports the claim much better', () => {
  const near = page('Signing keys of partners are tested first.', {
    title: 'Partners',
    headingPath: [],
  })
  expect(checkCitations('Signing keys rotate daily [1].', [near]).cited).toHaveLength(1)
  expect(checkCitations('Signing keys rotate daily [1].', [near, KEYS]).cited).toEqual([])
  expect(checkCitations('Signing keys rotate daily [2].', [near, KEYS]).cited).toHaveLength(1)
})

describe('for any answer', () => {
  const claims = [
    'Signing keys rotate daily',
    'A workspace may send 1,000 requests per minute',
    'Invoices are sent each month',
    'Whales sing at night',
  ]
  const marker = fc.integer({ min: 0, max: 5 }).map((number) => ` [${number}]`)
  const sentence = fc
    .tuple(
      fc.constantFrom(...claims),
      fc.array(marker, { maxLength: 3 }),
      fc.constantFrom('. ', '.\n\n', '\n- '),
    )
    .map(([claim, markers, end]) => claim + markers.join('') + end)
  const code = fc.constantFrom('\n\n```\nkeys[1] = [2]\n```\n\n', '`rows[3]` ', '[2](https://docs.test) ')
  const answer = fc
    .array(fc.oneof({ weight: 4, arbitrary: sentence }, code), { maxLength: 8 })
    .map((parts) => parts.join(''))
  const codeIn = (text: string) => text.match(/```[\s\S]*?```|`[^`\n]+`|\[\d\]\([^)]*\)/g) ?? []
  const numbersIn = (text: string) =>
    [...text.replaceAll(/```[\s\S]*?```|`[^`\n]+`|\[\d\]\([^)]*\)/g, '').matchAll(/\[(\d+)\]/g)].map(
      ([, number]) => Number(number),
    )

  test('its numbers are exactly those of its citations, 1 to n, in order of first appearance', () => {
    fc.assert(
      fc.property(answer, (text) => {
        const checked = checkCitations(text, ALL)
        const seen = [...new Set(numbersIn(checked.text))]
        expect(seen).toEqual(indexesOf(checked.cited))
        expect(seen).toEqual(seen.map((_, place) => place + 1))
      }),
    )
  })

  test('different pages keep different numbers, and code and links stay untouched', () => {
    fc.assert(
      fc.property(answer, (text) => {
        const checked = checkCitations(text, ALL)
        expect(new Set(checked.cited.map(({ chunk_id }) => chunk_id)).size).toBe(checked.cited.length)
        expect(codeIn(checked.text)).toEqual(codeIn(text))
      }),
    )
  })

  test('checking a checked answer again changes nothing', () => {
    fc.assert(
      fc.property(answer, (text) => {
        const once = checkCitations(text, ALL)
        const pages = once.cited.flatMap(({ chunk_id }) =>
          ALL.filter(({ passages }) => passages[0]?.chunkId === chunk_id),
        )
        const twice = checkCitations(once.text, pages)
        expect(twice.text).toBe(once.text)
        expect(twice.dropped).toEqual([])
      }),
    )
  })

  test('no text makes the check throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const { cited, text: checked } = checkCitations(`${text} [1] ${text} [2`, ALL)
        expect(cited.length).toBeLessThanOrEqual(1)
        expect(checked.length).toBeLessThanOrEqual(2 * text.length + 8)
      }),
    )
  })
})

test('a citation of a name that the page writes with Markdown escapes is kept', () => {
  const options = page('Options such as SQLITE\\_OMIT\\_TRIGGER work with canonical source files alone.')
  const answer = '> Options such as SQLITE\\_OMIT\\_TRIGGER work with canonical source files alone. [1]'
  expect(checkCitations(answer, [options]).dropped).toEqual([])
})
