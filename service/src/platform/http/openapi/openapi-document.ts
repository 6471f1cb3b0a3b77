import { rateLimitOf, refusalsOf, takesIdempotencyKey, type Endpoint } from '@citewell/contract/endpoint'
import { ErrorBody } from '@citewell/contract/errors'
import { OpenAiError } from '@citewell/contract/openai-error'
import type { RateLimitedAs } from '@citewell/contract/rate-limited'
import { REFUSALS, type RefusalCode } from '@citewell/contract/refusals'
import { RESPONSE_HEADERS, headersOf, type HeaderRefs } from './response-headers.ts'
import { curlExample } from './curl-example.ts'
import { exampleOf } from './examples.ts'
import { createJsonSchemas, type JsonSchema } from './json-schemas.ts'

interface OpenApiMedia {
  schema?: JsonSchema
  example?: unknown
}

export interface OpenApiResponse {
  description: string
  headers?: HeaderRefs
  content?: Record<string, OpenApiMedia>
  /** Extension: the error codes that this status can have. */
  'x-codes'?: RefusalCode[]
}

export interface OpenApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

export interface OpenApiOperation {
  operationId: string
  summary: string
  description?: string
  tags: [string]
  security: Record<string, string[]>[]
  parameters?: OpenApiParameter[]
  requestBody?: { required: boolean; content: Record<string, OpenApiMedia> }
  responses: Record<string, OpenApiResponse>
  /** Extension: the permission that the caller needs on the workspace or knowledge base. */
  'x-permission'?: string
  /** Extension: the rate limit of the public API that its requests count against. */
  'x-rate-limit'?: RateLimitedAs
  'x-codeSamples': [{ lang: string; label: string; source: string }]
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    description: string
    contact: { name: string; url: string }
    license: { name: string; identifier: string }
  }
  servers: [{ url: string; description: string; 'x-internal': boolean }]
  tags: { name: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: {
    schemas: Record<string, JsonSchema>
    headers: typeof RESPONSE_HEADERS
    securitySchemes: Record<string, unknown>
  }
}

const SECURITY_SCHEMES = {
  accessToken: { type: 'http', scheme: 'bearer', description: 'An access token of a member: `cw_pat_…`.' },
  clientKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Client-Key',
    description: 'A public client key: `cw_pk_…`.',
  },
  clientKeyAsBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A client key in place of an OpenAI key: `cw_pk_…`, or a secret pair as `cw_id_…:cw_sk_…`.',
  },
  clientId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Client-Id',
    description: 'The id of a secret pair: `cw_id_…`.',
  },
  clientSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Client-Secret',
    description: 'The secret of a secret pair: `cw_sk_…`. For servers only.',
  },
  platformSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Slack-Signature',
    description: 'The proof of the chat platform or help desk, in the header that it uses for it.',
  },
} as const

const securityOf = (endpoint: Endpoint): Record<string, string[]>[] => {
  if (endpoint.caller === 'access-token') return [{ accessToken: [endpoint.scope] }]
  if (endpoint.wireFormat === 'openai')
    return [{ clientKeyAsBearer: [] }, { clientKey: [] }, { clientId: [], clientSecret: [] }]
  if (endpoint.caller === 'platform') return [{ platformSignature: [] }]
  return endpoint.caller === 'public-key' ? [{ clientKey: [] }, { clientId: [], clientSecret: [] }] : []
}

/** Default descriptions of endpoints. */
const DEFAULT_DESCRIPTIONS: Record<Endpoint['caller'], string> = {
  'access-token': 'Requires an access token of a member with permission.',
  'public-key': 'Requires a client key.',
  platform: 'Requires the signature of the platform.',
  nobody: 'No authentication required.',
}

type SchemaOf = ReturnType<typeof createJsonSchemas>['schemaOf']

const IDEMPOTENCY_KEY: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text that you choose, such as a UUID. For a day, a second request with the same key and body has no effect and gets the response of the first; with another body it gets `CONFLICT`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const CAPTCHA_TOKEN: OpenApiParameter = {
  name: 'X-Captcha-Token',
  in: 'header',
  required: false,
  description: 'A CAPTCHA token, new for each request: required with a public key if CAPTCHA is on.',
  schema: { type: 'string', maxLength: 8192 },
}

function parametersOf(endpoint: Endpoint, schemaOf: SchemaOf): OpenApiParameter[] {
  const { params, query } = endpoint
  const of = (place: 'path' | 'query', part: Endpoint['params']) => {
    if (part === undefined) return []
    const { properties, required } = schemaOf(part, 'input')
    return Object.entries(properties ?? {}).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      required: place === 'path' || required?.includes(name) === true,
      ...(description !== undefined && { description }),
      schema,
    }))
  }
  const headers = [
    ...(takesIdempotencyKey(endpoint) ? [IDEMPOTENCY_KEY] : []),
    ...('captcha' in endpoint ? [CAPTCHA_TOKEN] : []),
  ]
  return [...of('path', params), ...of('query', query), ...headers]
}

function answerOf({ answer }: Endpoint, schemaOf: SchemaOf): OpenApiResponse {
  const description = answer.description ?? (answer.status === 204 ? 'Done. No body.' : 'Done.')
  const body =
    'body' in answer ? { 'application/json': { schema: schemaOf(answer.body, 'output') } } : undefined
  if ('events' in answer)
    return {
      description: answer.description ?? 'A stream of server-sent events; each `data:` line is one frame.',
      content: { ...body, 'text/event-stream': { schema: schemaOf(answer.events, 'output') } },
    }
  if (body !== undefined) return { description, content: body }
  if ('sends' in answer) {
    const oneOf = [schemaOf(answer.takes, 'input'), schemaOf(answer.sends, 'output')]
    return { description, content: { 'application/json': { schema: { oneOf } } } }
  }
  return 'text' in answer
    ? {
        description,
        content: Object.fromEntries(
          [answer.text, ...(answer.others ?? [])].map((type) => [type, { schema: { type: 'string' } }]),
        ),
      }
    : { description }
}

/** The refusals by status. If a status has several codes, the description distinguishes them. */
function refusalResponses(endpoint: Endpoint, errorSchema: JsonSchema): Record<string, OpenApiResponse> {
  const byStatus = Map.groupBy(refusalsOf(endpoint), (code) => REFUSALS[code].status)
  const entries = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\`: ${REFUSALS[code].reader}`).join('\n\n'),
      headers: headersOf(endpoint, status),
      content: { 'application/json': { schema: errorSchema } },
      'x-codes': codes,
    },
  ])
  return Object.fromEntries(entries) as Record<string, OpenApiResponse>
}

export interface OpenApiGiven {
  endpoints: readonly Endpoint[]
  /** Without a trailing slash. */
  publicUrl: string
  version: string
}

/** The OpenAPI 3.1 document, generated from the declarations that also validate requests, so that the two cannot differ. */
export function createOpenApiDocument({ endpoints, publicUrl, version }: OpenApiGiven): OpenApiDocument {
  const { components, schemaOf } = createJsonSchemas()
  const errorSchema = schemaOf(ErrorBody, 'output')
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    const parameters = parametersOf(endpoint, schemaOf)
    const body = endpoint.body === undefined ? undefined : schemaOf(endpoint.body, 'input')
    const bodyExample = body === undefined ? undefined : exampleOf(body, components, true)
    const limitedAs = rateLimitOf(endpoint)
    const mediaType = endpoint.bodyIs === 'files' ? 'multipart/form-data' : 'application/json'
    const operations = (paths[endpoint.path] ??= {})
    operations[endpoint.method.toLowerCase()] = {
      operationId: endpoint.operationId,
      summary: endpoint.summary,
      description: endpoint.description ?? `${endpoint.summary}. ${DEFAULT_DESCRIPTIONS[endpoint.caller]}`,
      tags: [endpoint.group],
      security: securityOf(endpoint),
      ...(endpoint.caller === 'access-token' && { 'x-permission': endpoint.permission }),
      ...(limitedAs !== undefined && { 'x-rate-limit': limitedAs }),
      ...(parameters.length > 0 && { parameters }),
      ...(body !== undefined && {
        requestBody: {
          required: endpoint.isBodyOptional !== true,
          content: { [mediaType]: { schema: body } },
        },
      }),
      responses: {
        [endpoint.answer.status]: {
          ...answerOf(endpoint, schemaOf),
          headers: headersOf(endpoint, endpoint.answer.status),
        },
        ...refusalResponses(
          endpoint,
          endpoint.wireFormat === 'openai' ? schemaOf(OpenAiError, 'output') : errorSchema,
        ),
      },
      'x-codeSamples': [
        { lang: 'Shell', label: 'curl', source: curlExample(endpoint, publicUrl, bodyExample) },
      ],
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Citewell API',
      version,
      description:
        'Ask questions about documentation and get streamed answers with citations. Manage the sources of the answers.',
      contact: { name: 'The operator of this service', url: publicUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: publicUrl,
        description: 'This instance of the service, in production or in any other environment.',
        'x-internal': false,
      },
    ],
    tags: [...new Set(endpoints.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(components).toSorted(([left], [right]) => (left < right ? -1 : 1)),
      ),
      headers: RESPONSE_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}
