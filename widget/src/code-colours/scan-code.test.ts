import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanCode } from './scan-code.ts'

const read = (code: string, lang: string) =>
  scanCode(code, lang).map(({ kind, start, end }) => `${kind} ${code.slice(start, end)}`)

test('comments, strings, numbers, keywords and names of common languages are found', () => {
  expect(read('const a = "x" // why\nreturn 12', 'ts')).toEqual([
    'keyword const',
    'string "x"',
    'comment // why',
    'keyword return',
    'number 12',
  ])
  expect(read('acme keys rotate --client "$WEB" # now', 'sh')).toEqual([
    'name --client',
    'string "$WEB"',
    'comment # now',
  ])
  expect(read("SELECT * FROM t WHERE a = 'x' -- all", 'SQL')).toEqual([
    'keyword SELECT',
    'keyword FROM',
    'keyword WHERE',
    "string 'x'",
    'comment -- all',
  ])
  expect(read('<p class="a">x</p><!-- y -->', 'html')).toEqual([
    'name <p',
    'keyword class',
    'string "a"',
    'name >',
    'name </p',
    'name >',
    'comment <!-- y -->',
  ])
  expect(read('anything "at all"', 'brainfuck')).toEqual([])
})

test('pieces do not overlap, whatever the code, and code that is not closed takes no longer', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          '/*',
          '*/',
          '"',
          "'",
          '`',
          '\\',
          '#',
          '//',
          '<!--',
          '\n',
          ' ',
          'const',
          '1',
          '<',
          '>',
        ),
      ),
      fc.constantFrom('ts', 'sh', 'sql', 'html'),
      (pieces, lang) => {
        let at = 0
        for (const { start, end } of scanCode(pieces.join(''), lang)) {
          expect(start).toBeGreaterThanOrEqual(at)
          expect(end).toBeGreaterThan(start)
          at = end
        }
      },
    ),
    { seed: 3, numRuns: 500 },
  )
  const started = performance.now()
  for (const text of ['/*', '"\\', '`', '<!--', '--', '#', "'"])
    for (const lang of ['ts', 'sh', 'sql', 'html']) scanCode(text.repeat(20_000 / text.length), lang)
  expect(performance.now() - started).toBeLessThan(2_000)
})
