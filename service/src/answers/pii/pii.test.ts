import fc from 'fast-check'
import { verifies } from '@citewell/spec/verifies'
import { describe, expect, test } from 'vitest'
import type { PiiMasking } from '@citewell/contract/pii-masking'
import { PII_KINDS } from '@citewell/contract/closed-lists'
import { createMasking } from './pii.ts'

const maskingOf = (settings: Partial<PiiMasking>) =>
  createMasking({ mask: [], custom_patterns: [], allow_list: [], ...settings })
const ALL = maskingOf({ mask: [...PII_KINDS] })

const RECOGNISED = [
  ['email', 'ada@example.com'],
  ['email', 'ada.l+x@mail.example.co.uk'],
  ['email', 'ada@exämple.de'],
  ['phone', '+49 30 1234567'],
  ['phone', '+49 (0)30 1234-567'],
  ['phone', '0049 30 1234567'],
  ['phone', '(415) 555-2671'],
  ['phone', '1-415.555.2671'],
  ['phone', '030 1234567'],
  ['phone', '(020) 7946 0958'],
  ['phone', '06 12 34 56 78'],
  ['phone', '06.12.34.56.78'],
  ['phone', '07911123456'],
  ['credit_card', '4111 1111 1111 1111'],
  ['credit_card', '4111-1111-1111-1111'],
  ['credit_card', '378282246310005'],
  ['iban', 'DE89 3704 0044 0532 0130 00'],
  ['iban', 'GB82WEST12345698765432'],
  ['iban', 'GB82 WEST 1234 5698 7654 32'],
  ['iban', 'NL91 ABNA 0417 1643 00'],
  ['iban', 'nl91 abna 0417 1643 00'],
  ['iban', 'MT84 MALT 0110 0001 2345 MTLC AST0 01S'],
  ['ip_address', '203.0.113.9'],
  ['ip_address', '2001:db8::8a2e:370:7334'],
  ['ip_address', 'fe80::1ff:fe23:4567:890a'],
  ['national_id', '123-45-6789'],
  ['national_id', 'AB 12 34 56 C'],
  ['national_id', '12345678Z'],
  ['national_id', 'X1234567L'],
  ['national_id', 'RSSMRA85T10A562S'],
  ['national_id', '1 85 05 78 006 084 91'],
  ['national_id', '111.444.777-35'],
  ['secret', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
  ['secret', 'AKIAIOSFODNN7EXAMPLE'],
  ['secret', 'sk-abcdefghijklmnopqrstuvwx'],
] as const

/** Common in questions about software, and not personal data. */
const LEFT_ALONE = [
  'version 1.2.3.4 and v10.0.19.1, Chrome/119.0.0.0, numpy==1.26.4.1',
  'http://127.0.0.1:3000 with the mask 255.255.255.0',
  'std::vector, face::bad, dead::beef, 12:34:56',
  '2024-01-15 10:20:30, 01/02/2026 10:00, 2026-11-21, 01-02-2026 10 to 12',
  'git clone git@github.com:acme/app.git && npm i @scope/package@1.2.3 react@18.2.0',
  'user@localhost, 550e8400-e29b-41d4-a716-446655440000, 0x7ffee4c3a9b8',
  'order 1234567890123456, ISBN 9780306406157, 3.14159265358979, 1,000,000',
  'RFC 7231 section 6.5.4, lines 100-200, 10 000 000 rows, the 2022 2023 2024 reports',
  'It says so [1][2], and [12] too.',
  'build 111.444.777-36, 111.111.111-11',
]

describe('personal data in a text', () => {
  verifies('pii.kinds', 'each kind is replaced by its name, anywhere in a text', () => {
    for (const [kind, written] of RECOGNISED) {
      expect(ALL.mask(written)).toBe(`[${kind}]`)
      expect(ALL.mask(`**${written}**, (${written}), "${written}". And ${written}`)).toBe(
        `**[${kind}]**, ([${kind}]), "[${kind}]". And [${kind}]`,
      )
    }
  })

  test('version numbers, dates, ids and code are not masked', () => {
    for (const text of LEFT_ALONE) expect(ALL.mask(text)).toBe(text)
  })

  verifies('pii.only-chosen-kinds', 'a kind that was not chosen is not masked', () => {
    expect(maskingOf({ mask: ['email'] }).mask('ada@example.com, +49 30 1234567')).toBe(
      '[email], +49 30 1234567',
    )
    expect(maskingOf({}).mask('ada@example.com')).toBe('ada@example.com')
  })

  test('digits, signs and spaces of other scripts and of typesetting are those of ASCII', () => {
    for (const [kind, written] of [
      ['phone', '＋４９ ３０ １２３４５６７'],
      ['phone', '٠٥٠ ١٢٣٤٥٦٧٨'],
      ['phone', '+٩٧١ ٥٠ ١٢٣ ٤٥٦٧'],
      ['phone', '०१७१ १२३४५६७'],
      ['phone', '415‑555‑2671'],
      ['phone', '415–555–2671'],
      ['credit_card', '4111‑1111‑1111‑1111'],
      ['credit_card', '4111\u00A01111\u00A01111\u00A01111'],
      ['credit_card', '４１１１１１１１１１１１１１１１'],
      ['national_id', '123‐45‐6789'],
      ['iban', 'DE89\u202F3704\u202F0044\u202F0532\u202F0130\u202F00'],
      ['email', 'ada＠example.com'],
    ] as const) {
      expect([written, ALL.mask(`鍵 ${written}, and`)]).toEqual([written, `鍵 [${kind}], and`])
      const stream = ALL.startAnswer([])
      const pieces = `鍵 ${written}, and`.split('').map((piece) => stream.push(piece))
      expect(pieces.join('') + stream.end()).toBe(`鍵 [${kind}], and`)
    }
  })

  test('signs that nobody sees do not hide anything', () => {
    const invisible = [
      '\u200B',
      '\u200D',
      '\u2060',
      '\uFEFF',
      '\u00AD',
      '\u202A',
      '\u180E',
      '\uFE0F',
      '\u{E0100}',
    ]
    for (const [place, [kind, written]] of RECOGNISED.entries()) {
      const sign = invisible[place % invisible.length] ?? ''
      // In the middle, at two places, and between all letters.
      const middle = Math.ceil(written.length / 2)
      for (const hidden of [
        `${written.slice(0, middle)}${sign}${written.slice(middle)}`,
        `${written.slice(0, 2)}${sign}${sign}${written.slice(2, -1)}${sign}${written.slice(-1)}`,
        Array.from(written).join(sign),
      ]) {
        expect([hidden, ALL.mask(`see ${hidden}, and`)]).toEqual([hidden, `see [${kind}], and`])
        const stream = ALL.startAnswer([])
        const pieces = Array.from(`see ${hidden}, and`).map((piece) => stream.push(piece))
        expect(pieces.join('') + stream.end()).toBe(`see [${kind}], and`)
      }
    }
    // Elsewhere they stay.
    expect(ALL.mask('Grüße 👩\u200D💻 zu\u00ADsammen, ada@example.com')).toBe(
      'Grüße 👩\u200D💻 zu\u00ADsammen, [email]',
    )
  })

  test('an address within an address of the web, and a card in groups by dots, are masked', () => {
    expect(ALL.mask('https://a.example/?to=eve%40corp.example')).toBe('https://a.example/?to=[email]')
    expect(ALL.mask('card 4111.1111.1111.1111.')).toBe('card [credit_card].')
    expect(ALL.mask('version 4111.1111.1111.1112')).toBe('version 4111.1111.1111.1112')
  })

  test('a telephone number is masked directly after what introduces it', () => {
    for (const before of ['Tel:', 'Tel.:', 'Tel.', 'tel=', 'mobile/', '-'])
      expect(ALL.mask(`${before}+49 30 1234567`)).toBe(`${before}[phone]`)
    for (const formula of ['a+12345678', '1+12345678', 'C++12345678']) expect(ALL.mask(formula)).toBe(formula)
  })

  test('a number is masked wherever in a long line it stands, also with patterns of the owner', () => {
    const masking = maskingOf({ mask: [...PII_KINDS], custom_patterns: [String.raw`ACME-\d+`] })
    for (let before = 1_960; before <= 2_005; before += 1) {
      const line = `${'so it is said '.repeat(200).slice(0, before)} 4111 1111 1111 1111 or +49 30 1234567 and more`
      expect([before, masking.mask(line).match(/\d/)]).toEqual([before, null])
    }
  })

  test('a card number needs a valid check digit, an IBAN the length of its country', () => {
    expect(ALL.mask('4111 1111 1111 1112')).toBe('4111 1111 1111 1112')
    expect(maskingOf({ mask: ['iban'] }).mask('DE89 3704 0044 0532 0130 01')).toContain('DE89')
    expect(maskingOf({ mask: ['iban'] }).mask('DE89 3704 0044 0532 0130')).toContain('DE89')
  })

  verifies(
    'pii.allow-list',
    'texts on the allow-list, and whole matches of its patterns, are not masked',
    () => {
      const masking = maskingOf({
        mask: ['email'],
        custom_patterns: [String.raw`ACME-\d+`],
        allow_list: ['Support@example.com', String.raw`/.*@acme\.example/`, 'ACME-1'],
      })
      expect(masking.mask('support@example.com x@acme.example x@acme.example.org ACME-1 ACME-12')).toBe(
        'support@example.com x@acme.example [email] ACME-1 [masked]',
      )
    },
  )

  verifies(
    'pii.custom-patterns',
    'matches of the owner’s patterns are masked, and merge with findings that they overlap',
    () => {
      const masking = maskingOf({
        mask: ['email'],
        custom_patterns: [String.raw`ACME-\d{6}`, 'lovelace@.*com'],
      })
      expect(masking.mask('ticket ACME-123456 of ada.lovelace@example.com')).toBe(
        'ticket [masked] of [email]',
      )
    },
  )
})

describe('an answer', () => {
  const known = ['Write to support@acme.example or call +49 30 1234567.']

  verifies('pii.answers', 'personal data that occurs in its pages is kept, other is masked', () => {
    const said = 'Write to support@acme.example or ada@example.com [1].'
    expect(ALL.maskAnswer(said, known)).toBe('Write to support@acme.example or [email] [1].')
  })

  const SAMPLES = [
    ...RECOGNISED.map(([, written]) => written),
    ...LEFT_ALONE,
    '[1]',
    '[2][3]',
    '**bold** and `code`',
    '- a list\n- of two\n',
    '[a link](https://docs.example.com/page#part)',
    'ACME-123456 is secret',
    'see the page',
    '鍵は毎日 🔑',
  ]
  // What is before and behind a sample decides; the time grows with the square of the length.
  const text = fc
    .array(fc.constantFrom(...SAMPLES), { minLength: 1, maxLength: 4 })
    .chain((parts) => fc.constantFrom(' ', ', ', '\n', ' (').map((gap) => parts.join(gap)))
  const custom = maskingOf({ mask: [...PII_KINDS], custom_patterns: [String.raw`ACME-\d+ is \w+`] })

  verifies('pii.delta-boundaries', 'is masked the same as a whole and in pieces, split at any offset', () => {
    for (const masking of [ALL, custom]) {
      fc.assert(
        fc.property(text, (said) => {
          const whole = masking.maskAnswer(said, known)
          for (let cut = 0; cut <= said.length; cut += 1) {
            const stream = masking.startAnswer(known)
            expect(stream.push(said.slice(0, cut)) + stream.push(said.slice(cut)) + stream.end()).toBe(whole)
          }
          const stream = masking.startAnswer(known)
          expect(
            said
              .split('')
              .map((character) => stream.push(character))
              .join('') + stream.end(),
          ).toBe(whole)
        }),
        { numRuns: 60 },
      )
    }
  })

  test('no piece shows a part of a finding that is masked at the end', () => {
    const stream = ALL.startAnswer([])
    const shown = 'Call +1 415 555 2671 or write to ada@example.com today.'
      .split('')
      .map((piece) => stream.push(piece))
    expect(shown.join('')).toBe('Call [phone] or write to [email] ')
    expect(stream.end()).toBe('today.')
  })

  test('plain words are released immediately, and citations and Markdown stay unchanged', () => {
    const stream = ALL.startAnswer([])
    expect(stream.push('Keys **rotate** daily')).toBe('Keys **rotate** ')
    expect(stream.push(' [1]. See')).toBe('daily ')
    expect(stream.push(' [the page](https://docs.example.com/a-b#c).\n')).toBe(
      '[1]. See [the page](https://docs.example.com/a-b#c).\n',
    )
  })
})
