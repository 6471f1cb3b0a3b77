import { expect, test } from 'vitest'
import { compileAddressGlob, compileGlob } from './glob.ts'
import { processorTime } from '../../../test/time-limit.ts'

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

test('hostile patterns are matched quickly', async () => {
  const spent = await processorTime(() => {
    expect(compileGlob(`${'**a*'.repeat(100)}x`)('a'.repeat(2_000))).toBe(false)
    expect(compileGlob(`${'{**,*}'.repeat(6)}${'**a?'.repeat(110)}x`)('a'.repeat(1_000))).toBe(false)
  })
  // 375 ms were measured.
  expect(spent).toBeLessThan(4_000)
})
