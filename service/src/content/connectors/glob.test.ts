import { expect, onTestFinished, test, vi } from 'vitest'
import { addressPatterns, pathPatterns } from './glob.ts'
import { processorTime, TIME_LIMIT } from '../../../test/time-limit.ts'

const compileGlob = (pattern: string) => (path: string) => pathPatterns([pattern]).find(path) === pattern
const compileAddressGlob = (pattern: string) => (url: URL) => addressPatterns([pattern]).find(url) === pattern

test.each([
  ['/docs/**', 'docs/a/b.html', true],
  ['/docs/**', 'blog/docs/a', false],
  ['/docs/*', 'docs/a', true],
  ['/docs/*', 'docs/a/b', false],
  ['docs/**', 'en/docs/a', true],
  ['docs/', 'en/docs/a/b', true],
  ['docs/', 'docs', false],
  ['changelog*', 'a/b/changelog-2.md', true],
  ['*.md', 'a/b.md', true],
  ['*.md', 'a/b.mdx', false],
  ['**/*.{md,mdx}', 'b.mdx', true],
  ['/a/**/b', 'a/b', true],
  ['/a/**/b', 'a/x/y/b', true],
  ['/a/**/b', 'ab', false],
  ['/v?/x', 'v2/x', true],
  ['/v?/x', 'v22/x', false],
  ['/a.c', 'abc', false],
  ['**', '', true],
  ['/', 'anything', true],
  ['/a{b', 'a{b', true],
  ['/(a|b)[c]+.$', '(a|b)[c]+.$', true],
  ['/(a|b)', 'a', false],
  ['/📄?', '📄📄', true],
  ['/a*', 'a\nb', true],
  ['/{**,x}/y', 'y', true],
])('pattern %s matches %s: %s', (pattern, path, isMatch) => {
  expect(compileGlob(pattern)(path)).toBe(isMatch)
})

test('a pattern that begins with a scheme is matched against the whole address', () => {
  const url = new URL('https://docs.example.com/a/b?page=2')
  expect(compileAddressGlob('https://docs.example.com/**')(url)).toBe(true)
  expect(compileAddressGlob('https://docs.example.com/a/b')(url)).toBe(false)
  expect(compileAddressGlob('https://*/a/b?page=*')(url)).toBe(true)
  expect(compileAddressGlob('/a/b')(url)).toBe(true)
  expect(compileAddressGlob('/ä/**')(new URL('https://docs.example.com/ä/b'))).toBe(true)
})

test('hostile patterns are matched quickly', TIME_LIMIT, async () => {
  const spent = await processorTime(() => {
    expect(compileGlob(`${'**a*'.repeat(100)}x`)('a'.repeat(2_000))).toBe(false)
    expect(compileGlob(`${'{**,*}'.repeat(4)}${'**a?'.repeat(110)}x`)('a'.repeat(1_000))).toBe(false)
  })
  // 250 ms were measured.
  expect(spent).toBeLessThan(4_000)
})

test('the patterns of a source together end within their time, and say so', async () => {
  const hostile = Array.from(
    { length: 200 },
    (_, at) => `${'{a,b}'.repeat(6)}${at % 2 === 0 ? '*a'.repeat(230) : '**a'.repeat(150)}${at}`,
  )
  const spent = await processorTime(() => {
    const patterns = pathPatterns(hostile)
    expect(() => patterns.find('a'.repeat(2_000))).toThrow('Use fewer patterns')
  })
  expect(spent).toBeLessThan(4_000)
})

test('the time that other programs take of the machine is not that of the patterns', () => {
  let at = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (at += 10_000))
  onTestFinished(() => clock.mockRestore())
  const patterns = pathPatterns(['docs/**', 'blog/*'])
  expect(['docs/a', 'blog/b', 'c'].map((path) => patterns.find(path))).toEqual([
    'docs/**',
    'blog/*',
    undefined,
  ])
})

test('two hundred ordinary patterns are compared with a thousand addresses', { tags: ['long'] }, () => {
  const patterns = addressPatterns(
    Array.from({ length: 200 }, (_, at) => `/{en,de}/guide/**/v${at}/*/page-*.html`),
  )
  const found = Array.from({ length: 1_000 }, (_, at) =>
    patterns.find(new URL(`https://docs.example.com/de/guide/a/b/v${at}/c/page-${at}.html`)),
  )
  expect(found.filter((pattern) => pattern !== undefined)).toHaveLength(200)
})
