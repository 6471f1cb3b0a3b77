import type { z } from 'zod'
import { rateLimitedAs, type RateLimitedAs } from './rate-limited.ts'
import type { RefusalCode } from './refusals.ts'

/** The maximum that a token may be used for; the permissions of its owner are checked in addition. */
export const TOKEN_SCOPES = ['read', 'config', 'admin'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** Actions of a CAPTCHA token: a token for one of them is refused for the others. */
export const CAPTCHA_ACTIONS = ['chat', 'search', 'feedback', 'form_deflect'] as const
export type CaptchaAction = (typeof CAPTCHA_ACTIONS)[number]

/**
 * The permission that the owner of a token needs on the knowledge base or workspace: to be a member of it, to hold Chat (ask an internal
 * base), Config (everything about a base except what follows), or Edit Config (archive, restore, delete, type, members switch).
 */
export type Permission = 'member' | 'chat' | 'config' | 'edit-config'

/** What a caller may do with one knowledge base, apart from knowing of it. */
export const PERMISSIONS_ON_BASE = ['chat', 'config', 'edit-config'] as const satisfies readonly Permission[]

/** Permissions on one knowledge base that can be granted to individual members. */
export const GRANTED_PERMISSIONS = ['config', 'chat'] as const
export type GrantedPermission = (typeof GRANTED_PERMISSIONS)[number]

/** Permissions that do not concern one knowledge base: to be an owner or admin of the workspace, or to operate this instance. */
export type WorkspacePermission = 'administer' | 'operate'

/** Who calls most endpoints: with which scope of their token, and which permission. */
export const CALLED_BY = {
  members: { scope: 'read', permission: 'member' },
  configurers: { scope: 'config', permission: 'config' },
  admins: { scope: 'admin', permission: 'administer' },
} as const satisfies Record<string, { scope: TokenScope; permission: Permission | WorkspacePermission }>

/** A successful response of an endpoint. */
export type EndpointAnswer =
  | { status: 200 | 201 | 202; body: z.ZodType; description?: string }
  /** One body, or a stream of server-sent events if the request asks for it. */
  | { status: 200; body: z.ZodType; events: z.ZodType; description?: string }
  /** A stream of server-sent events, one JSON frame each. */
  | { status: 200; events: z.ZodType; description?: string }
  /**
   * `others`: media types that it has instead where the query asks for them. `isBounded`: the header `X-Citewell-Truncated` states whether
   * rows are missing.
   */
  | { status: 200; text: string; others?: readonly string[]; isBounded?: true; description?: string }
  /** A WebSocket: what each side sends. */
  | { status: 101; takes: z.ZodType; sends: z.ZodType; description?: string }
  | { status: 204; description?: string }

interface EndpointFields {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI form: `/api/v1/sources/{id}`. */
  path: `/${string}`
  /** The folder under `service/src` that implements it. */
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
  /** The encoding of the body. `files` is multipart/form-data. Default: JSON. */
  bodyIs?: 'json' | 'files'
  /** A request without a body counts as one with `{}`. */
  isBodyOptional?: true
  /** Bytes; default 1 MiB. */
  maxBodyBytes?: number
  answer: EndpointAnswer
  /** `openai`: credentials are read, and errors written, in the format of that API. Default: our own format. */
  wireFormat?: 'openai'
  /** Refusals beyond those that every endpoint of its kind can return; see `refusalsOf`. */
  refusals?: readonly RefusalCode[]
}

/** Method and address of an endpoint, as one writes them in one line. */
const at =
  <Method extends EndpointFields['method']>(method: Method) =>
  <const Path extends EndpointFields['path']>(path: Path) =>
    ({ method, path }) as const

export const GET = at('GET')
export const POST = at('POST')
export const PUT = at('PUT')
export const PATCH = at('PATCH')
export const DELETE = at('DELETE')

/** One endpoint: the only declaration of its address, its schemas and its callers. */
export type EndpointDeclaration = EndpointFields &
  (
    | {
        caller: 'access-token'
        scope: TokenScope
        permission: Permission | WorkspacePermission
        /**
         * Who records the change in the activity log. `room`: its room, in the transaction that performs it. `nobody`: it only reads, asks or
         * answers, although its method is not GET. Default: the route layer, after it was performed.
         */
        recordedBy?: 'room' | 'nobody'
      }
    /** `captcha`: public keys send a CAPTCHA token for this action if CAPTCHA is on. If omitted: never. */
    | { caller: 'public-key'; captcha?: CaptchaAction }
    /** A chat platform or help desk: the signature of the raw body proves it, before anything is parsed. Its body has no schema here. */
    | { caller: 'platform' }
    | { caller: 'nobody' }
  )

export type Endpoint = EndpointDeclaration & { operationId: string }

export type CallerKind = Endpoint['caller']

type Named<Declared extends Record<string, EndpointDeclaration>> = {
  [Key in keyof Declared]: Declared[Key] & { operationId: Key & string }
}

/** Sets the key of each endpoint as its operation id. */
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
  ],
  platform: ['UNAUTHENTICATED', 'PAYLOAD_TOO_LARGE'],
  nobody: [],
}

/** Whether pages of other origins call it: with a public key, or to learn which key that is. */
export const isForPages = ({ caller, path }: Pick<Endpoint, 'caller' | 'path'>): boolean =>
  caller === 'public-key' || (caller === 'nobody' && path.startsWith('/api/v1/public/'))

/** The rate limit that requests of an endpoint count against; undefined if they are not counted. */
export const rateLimitOf = (endpoint: Endpoint): RateLimitedAs | undefined =>
  isForPages(endpoint) && endpoint.answer.status !== 101 ? rateLimitedAs(endpoint.operationId) : undefined

/** Whether an endpoint accepts an `Idempotency-Key`: every management endpoint that creates a record from a JSON body. */
export const takesIdempotencyKey = ({ caller, method, answer, bodyIs }: Endpoint): boolean =>
  caller === 'access-token' && method === 'POST' && answer.status === 201 && bodyIs !== 'files'

/** Every refusal that an endpoint can return: its own, and those of its kind. */
export function refusalsOf(endpoint: Endpoint): RefusalCode[] {
  const takesInput = endpoint.params ?? endpoint.query ?? endpoint.body
  return [
    ...new Set<RefusalCode>([
      ...(takesInput === undefined ? [] : (['BAD_REQUEST'] as const)),
      ...OF_CALLER[endpoint.caller],
      ...(rateLimitOf(endpoint) === undefined ? [] : (['RATE_LIMITED'] as const)),
      ...(takesIdempotencyKey(endpoint) ? (['CONFLICT'] as const) : []),
      // A platform is not told whether there is such an integration.
      ...(endpoint.params === undefined || endpoint.caller === 'platform' ? [] : (['NOT_FOUND'] as const)),
      ...(endpoint.body === undefined ? [] : (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
      ...('captcha' in endpoint ? (['CAPTCHA_REQUIRED', 'CAPTCHA_FAILED'] as const) : []),
      ...(endpoint.refusals ?? []),
      'INTERNAL',
      'UNAVAILABLE',
    ]),
  ]
}
