import type { z } from 'zod'
import type { RefusalCode } from './refusals.ts'

/** What a token may be used for at most; what its person may do is decided on top of that. */
export const TOKEN_SCOPES = ['read', 'config', 'admin'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/**
 * What the person behind a token needs on the knowledge base or workspace: to be a member of it, to hold Chat (ask an internal base), Config
 * (everything about a base but the next), or Edit Config (archive, restore, delete, type, members switch).
 */
export type Permission = 'member' | 'chat' | 'config' | 'edit-config'

/** What an endpoint answers when all is well. */
export type EndpointAnswer =
  | { status: 200 | 201 | 202; body: z.ZodType; description?: string }
  /** A stream of server-sent events, one JSON frame each. */
  | { status: 200; events: z.ZodType; description?: string }
  | { status: 200; text: string; description?: string }
  | { status: 204; description?: string }

interface EndpointFields {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI form: `/api/v1/sources/{id}`. */
  path: `/${string}`
  /** The folder under `service/src` that answers. */
  room: string
  /** Heading under which the reference lists it. */
  group: string
  /** One line, in the imperative: `Add a source`. */
  summary: string
  /** Markdown: paragraphs, `code` and lists. */
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** How the body is sent. `files` is multipart/form-data. JSON where it is left out. */
  bodyIs?: 'json' | 'files'
  /** A request without a body counts as one with `{}`. */
  isBodyOptional?: true
  /** Bytes; 1 MiB where it is left out. */
  maxBodyBytes?: number
  answer: EndpointAnswer
  /** Refusals beyond those that every endpoint of its kind can make; see `refusalsOf`. */
  refusals?: readonly RefusalCode[]
}

/** One endpoint: the only place that says its address, its shapes and who may call it. */
export type EndpointDeclaration = EndpointFields &
  (
    | { caller: 'access-token'; scope: TokenScope; permission: Permission }
    | { caller: 'public-key' }
    | { caller: 'nobody' }
  )

export type Endpoint = EndpointDeclaration & { operationId: string }

export type CallerKind = Endpoint['caller']

type Named<Declared extends Record<string, EndpointDeclaration>> = {
  [Key in keyof Declared]: Declared[Key] & { operationId: Key & string }
}

/** Gives each endpoint its key as its operation id. */
export function declareEndpoints<const Declared extends Record<string, EndpointDeclaration>>(
  declared: Declared,
): Named<Declared> {
  const entries = Object.entries(declared).map(([operationId, endpoint]) => [
    operationId,
    { ...endpoint, operationId },
  ])
  return Object.fromEntries(entries) as Named<Declared>
}

const OF_CALLER: Record<CallerKind, readonly RefusalCode[]> = {
  'access-token': ['UNAUTHENTICATED', 'FORBIDDEN'],
  'public-key': [
    'UNAUTHENTICATED',
    'ORIGIN_NOT_ALLOWED',
    'KNOWLEDGE_BASE_INTERNAL',
    'KNOWLEDGE_BASE_ARCHIVED',
    'RATE_LIMITED',
  ],
  nobody: [],
}

/** Every refusal an endpoint can make: its own, and those of its kind. */
export function refusalsOf(endpoint: Endpoint): RefusalCode[] {
  const takesInput = endpoint.params ?? endpoint.query ?? endpoint.body
  return [
    ...new Set<RefusalCode>([
      ...(takesInput === undefined ? [] : (['BAD_REQUEST'] as const)),
      ...OF_CALLER[endpoint.caller],
      ...(endpoint.params === undefined ? [] : (['NOT_FOUND'] as const)),
      ...(endpoint.body === undefined ? [] : (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
      ...(endpoint.refusals ?? []),
      'INTERNAL',
      'UNAVAILABLE',
    ]),
  ]
}
