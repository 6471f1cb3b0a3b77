import type { Random } from './random.ts'

const PARTS = [
  'not-an-id',
  '%00',
  '%ff',
  '%',
  '%2e%2e%2fhealthz',
  '..',
  '.',
  '',
  '{id}',
  '0197F0C2-8A4E-7C31-9D52-6F1B2A7E4C10',
  '%7B0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10%7D',
  '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10%0a',
  '00000000-0000-0000-0000-000000000000',
  'x'.repeat(4_000),
  '%F0%9F%94%91',
  "1'%20or%20'1'='1",
  'constructor',
  '__proto__',
  '1e9',
  ';a=b',
] as const

/** Replaces an id in a path. */
export const junkPathPart = (random: Random): string => random.pick(PARTS)

const QUERIES = [
  '?limit=0',
  '?limit=201',
  '?limit=-1',
  '?limit=1e9',
  '?limit=abc',
  '?limit=',
  '?limit=1&limit=2',
  '?cursor=',
  '?cursor=%00',
  '?cursor=%ff%fe',
  '?cursor=bm90LWEtY3Vyc29y',
  `?cursor=${'A'.repeat(501)}`,
  '?cursor=eyJpZCI6MX0',
  '?__proto__[x]=1&constructor=2',
  '?%',
  '?=&&=',
  '?unknown=1',
  '?from=2026-13-45&to=yesterday',
  '?from=2026-01-02&to=2026-01-01',
  '?rating=sideways&covered=maybe',
  '?text=%27%22%5C%25_',
  `?q=${'x'.repeat(3_000)}`,
] as const

export const junkQuery = (random: Random): string => random.pick(QUERIES)

const HEADERS: readonly Record<string, string>[] = [
  { authorization: 'Bearer' },
  { authorization: `Bearer ${'x'.repeat(5_000)}` },
  { authorization: 'Basic dTpw' },
  { authorization: 'Bearer cw_pat_00000000000000000000000000000000AA' },
  { 'x-client-key': '' },
  { 'x-client-key': 'cw_pk_é' },
  { 'x-client-key': 'cw_pk_0000000000000000000000000000000000' },
  { 'x-client-id': 'cw_id_x' },
  { 'x-request-id': 'x'.repeat(500) },
  { 'x-request-id': '<script>' },
  { 'x-forwarded-for': 'rubbish, 1.2.3.4.5, ::1, 999.1.1.1' },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { origin: 'https://[' },
  { accept: 'text/event-stream' },
  { accept: 'application/json' },
  { accept: '*/*;q=0, nothing/at-all' },
  { 'accept-encoding': 'br;q=0, gzip, zstd' },
  { 'content-encoding': 'gzip' },
  { 'idempotency-key': 'the same each time' },
  { 'idempotency-key': 'fuzz-1' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { 'last-event-id': '9'.repeat(1_000) },
  { 'x-http-method-override': 'DELETE' },
  { 'x-captcha-token': 'x'.repeat(5_000) },
  { upgrade: 'websocket', connection: 'upgrade' },
  { cookie: 'session=1; session=2' },
]

/** Headers that are invalid, unusual, or of another protocol. */
export const junkHeaders = (random: Random): Record<string, string> => random.pick(HEADERS)
