import { expect, test } from 'vitest'
import { nextLink } from './linked-pages.ts'

test.each([
  [
    '<https://api.example/a?after=x%3D&b=1>; rel="next", <https://api.example/a?first>; rel="first"',
    'https://api.example/a?after=x%3D&b=1',
  ],
  [
    '<https://api.example/a?before=x>; rel="prev", <https://api.example/b>; rel=next',
    'https://api.example/b',
  ],
  ['<https://api.example/a>; rel="last"', undefined],
  ['next', undefined],
  ['', undefined],
])('the next page in %s', (link, expected) => {
  expect(nextLink(new Headers({ link }))).toBe(expected)
})
