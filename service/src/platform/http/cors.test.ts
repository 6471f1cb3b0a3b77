import { expect, test } from 'vitest'
import { isOriginAllowed } from './cors.ts'

test('an origin is allowed only if scheme, host and port match exactly', () => {
  const allowed = ['https://docs.example.com', 'http://localhost:3000']
  expect(isOriginAllowed('https://docs.example.com', allowed)).toBe(true)
  expect(isOriginAllowed('HTTPS://DOCS.EXAMPLE.COM', allowed)).toBe(true)
  expect(isOriginAllowed('http://localhost:3000', allowed)).toBe(true)
  const foreign = [
    'http://docs.example.com',
    'https://docs.example.com:8443',
    'https://docs.example.com.evil.com',
    'https://evil.com/docs.example.com',
    'http://localhost:30001',
    'http://localhost',
    'null',
    '',
  ]
  expect(foreign.filter((origin) => isOriginAllowed(origin, allowed))).toEqual([])
})

test('a star matches one or more leftmost labels of the host, and nothing else', () => {
  const allowed = ['https://*.example.com']
  expect(isOriginAllowed('https://docs.example.com', allowed)).toBe(true)
  expect(isOriginAllowed('https://a.b.example.com', allowed)).toBe(true)
  const foreign = [
    'https://example.com',
    'https://.example.com',
    'https://evilexample.com',
    'https://evil.com#.example.com',
    'https://evil.com/.example.com',
    'https://user@.example.com',
    'https://docs.example.com:8443',
    'http://docs.example.com',
    'https://docs.example.com.evil.com',
  ]
  expect(foreign.filter((origin) => isOriginAllowed(origin, allowed))).toEqual([])
  expect(isOriginAllowed('https://docs.example.com:8443', ['https://*.example.com:8443'])).toBe(true)
})

test('an empty list allows every page', () => {
  expect(isOriginAllowed('https://anything.example', [])).toBe(true)
})
