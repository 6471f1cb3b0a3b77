import { isForPages, rateLimitOf, takesIdempotencyKey, type Endpoint } from '@citewell/contract/endpoint'

interface OpenApiHeader {
  description: string
  schema: { type: 'string' | 'integer'; maxLength?: number; minimum?: number; format?: string }
  example: unknown
}

/** The headers of responses, for `components.headers`. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'The request’s own `X-Request-Id` if it was valid, else a new id.',
    schema: { type: 'string', maxLength: 128 },
    example: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  },
  'RateLimit-Policy': {
    description: 'The limits that this request counts against: `q` requests in `w` seconds.',
    schema: { type: 'string', maxLength: 500 },
    example: '"chat-address";q=20;w=60, "chat-key";q=60;w=60',
  },
  RateLimit: {
    description: 'What is left of each limit: `r` requests; it resets in `t` seconds.',
    schema: { type: 'string', maxLength: 500 },
    example: '"chat-address";r=19;t=60, "chat-key";r=12;t=31',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1, format: 'int32' },
    example: 31,
  },
  'Access-Control-Allow-Origin': {
    description:
      'The origin of the calling page, if the key allows it, or if no key is known yet; missing for requests without an origin.',
    schema: { type: 'string', maxLength: 300 },
    example: 'https://docs.example.com',
  },
  'Idempotency-Replayed': {
    description:
      '`true` if an earlier request with this `Idempotency-Key` took effect and this is a copy of its response.',
    schema: { type: 'string', maxLength: 4 },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'The kind of credential that is missing or not valid.',
    schema: { type: 'string', maxLength: 500 },
    example: 'Bearer realm="citewell"',
  },
  'X-Citewell-Truncated': {
    description: '`true` if there are more rows than the file has.',
    schema: { type: 'string', maxLength: 5 },
    example: 'false',
  },
} as const satisfies Record<string, OpenApiHeader>

type HeaderName = keyof typeof RESPONSE_HEADERS
export type HeaderRefs = Partial<Record<HeaderName, { $ref: string }>>

const refTo = (name: HeaderName) => [name, { $ref: `#/components/headers/${name}` }]

/**
 * The headers of a response of an endpoint with this status. If a request was refused before it was counted (no key, a foreign origin),
 * the headers of the limits are missing.
 */
export function headersOf(endpoint: Endpoint, status: number): HeaderRefs {
  const isLimited = rateLimitOf(endpoint) !== undefined && status < 500
  const names: HeaderName[] = ['X-Request-Id']
  if (isForPages(endpoint)) names.push('Access-Control-Allow-Origin')
  if (isLimited) names.push('RateLimit-Policy', 'RateLimit')
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429) names.push('Retry-After')
  if (status === 200 && 'isBounded' in endpoint.answer) names.push('X-Citewell-Truncated')
  if (status === endpoint.answer.status && takesIdempotencyKey(endpoint)) names.push('Idempotency-Replayed')
  return Object.fromEntries(names.map(refTo)) as HeaderRefs
}
