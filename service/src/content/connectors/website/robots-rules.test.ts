import { expect, test } from 'vitest'
import { parseRobots } from './robots-rules.ts'
import { readRobotsTag } from './robots-tag.ts'
import { processorTime } from '../../../../test/time-limit.ts'

const isForbidden = (text: string, path: string) =>
  parseRobots('https://docs.example.com', text).forbids(`https://docs.example.com${path}`) !== undefined

test.each([
  ['User-agent: *\nDisallow: /a', '/a/b', true],
  ['User-agent: *\nDisallow: /a', '/b', false],
  ['User-agent: *\nDisallow:', '/a', false],
  ['User-agent: *\nDisallow: /\nAllow: /docs/', '/docs/x', false],
  ['User-agent: *\nDisallow: /*.pdf$', '/x.pdf', true],
  ['User-agent: *\nDisallow: /*.pdf$', '/x.pdf?y', false],
  ['User-agent: Citewell\nDisallow: /\n\nUser-agent: *\nAllow: /', '/x', true],
  ['User-agent: citewell/2.0\nAllow: /\n\nUser-agent: *\nDisallow: /', '/x', false],
  ['User-agent: other\nUser-agent: citewell\nDisallow: /x', '/x', true],
  ['\uFEFFUser-agent: *\r\nDisallow: /x # a comment', '/x', true],
  ['<html>not a robots.txt</html>', '/x', false],
  ['User-agent: *\nDisallow: /%7Ejoe', '/~joe', true],
  ['User-agent: *\nDisallow: /*?filter[', '/x?filter[a]=1', true],
  ['User-agent: *\nDisallow: /*?filter[', '/x?filter%5Ba%5D=1', true],
  ['User-agent: *\nDisallow: /a{b|c', '/a{b|c', true],
  ['User-agent: *\nDisallow: /a%2Fb', '/a/b', false],
  ['User-agent: *\nDisallow: /100%25', '/100%', false],
  ['User-agent: *\nDisallow: /caf\u00e9', '/caf%C3%A9', true],
])('robots.txt %j forbids %s: %s', (text, path, forbidden) => {
  expect(isForbidden(text, path)).toBe(forbidden)
})

test('thousands of wildcards are matched quickly, and forbid more rather than less', async () => {
  const text = `User-agent: *\n${'Disallow: /x*a*a*a*a*a*a*a*a*b\n'.repeat(15_000)}Allow: /*\n`
  const rules = parseRobots('https://docs.example.com', text)
  const spent = await processorTime(() => {
    expect(rules.forbids(`https://docs.example.com/x${'a'.repeat(2_000)}`)).toBeDefined()
    expect(rules.forbids(`https://docs.example.com/y${'a'.repeat(2_000)}`)).toBeUndefined()
  })
  expect(spent).toBeLessThan(1_000)
})

test('a crawl delay is obeyed, up to a limit', () => {
  expect(parseRobots('https://a.example', 'User-agent: *\nCrawl-delay: 1.5').crawlDelayMs).toBe(1_500)
  expect(parseRobots('https://a.example', 'User-agent: *\nCrawl-delay: 86400').crawlDelayMs).toBe(10_000)
  expect(parseRobots('https://a.example', 'User-agent: *\nCrawl-delay: -5').crawlDelayMs).toBe(0)
})

test.each([
  [null, false, false],
  ['noindex', true, false],
  ['none', true, true],
  ['NOFOLLOW, max-snippet: 5', false, true],
  ['googlebot: noindex, nofollow', false, false],
  ['citewell: noindex', true, false],
  ['googlebot: nofollow, citewell: noindex', true, false],
  ['unavailable_after: 2030-01-01, noindex', true, false],
])('X-Robots-Tag %s', (field, isNoindex, isNofollow) => {
  expect(readRobotsTag(field)).toEqual({ isNoindex, isNofollow })
})
