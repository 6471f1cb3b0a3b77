import { takesIdempotencyKey, type CallerKind, type Endpoint } from '@citewell/contract/endpoint'
import { BODY_BYTES } from '@citewell/contract/limits'
import type { z } from 'zod'
import { Refusal } from '../../kernel/refusal.ts'
import { validateResponse } from './validate-response.ts'
import type { AnyHandlerInput, Gate, RawGate, RequestFacts, Route } from './endpoint.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import { idempotencyKeyOf } from './idempotency/request-hash.ts'
import { readJsonBody, readQuery, readRawBody } from './read-body.ts'
import { parseRequestPart } from './parse-request-part.ts'
import type { RefusalBody } from './render-refusal.ts'
import type { EventStream } from './sse.ts'

/** The response of a route before it is written to the wire. */
export type RouteResponse =
  | { kind: 'json'; status: number; value: unknown }
  | { kind: 'text'; contentType: string; text: string }
  | { kind: 'events'; stream: EventStream }
  | { kind: 'empty' }

/** A route behind its authentication: the type of the caller is erased. */
export interface MountedRoute {
  endpoint: Endpoint
  refusalBody: RefusalBody | undefined
  answer: (facts: RequestFacts, rawParams: Record<string, string>) => Promise<RouteResponse>
}

async function readBody(endpoint: Endpoint, request: Request): Promise<unknown> {
  if (endpoint.body === undefined) return undefined
  // The handler streams files itself (`platform/files/read-multipart.ts`): here they would fill the memory.
  if (endpoint.bodyIs === 'files') return undefined
  const json = await readJsonBody(request, endpoint.maxBodyBytes ?? BODY_BYTES.json)
  return parseRequestPart(endpoint.body, json === undefined && endpoint.isBodyOptional === true ? {} : json)
}

const parsePart = (schema: z.ZodType | undefined, read: () => unknown): unknown =>
  schema === undefined ? undefined : parseRequestPart(schema, read())

async function* checkFrames(schema: z.ZodType, frames: EventStream['frames'], name: string) {
  for await (const frame of frames) yield validateResponse(schema, frame, name) as Record<string, unknown>
}

const isEventStream = (value: unknown): value is EventStream =>
  typeof value === 'object' && value !== null && 'frames' in value && 'onError' in value

function answerOf(
  { answer, operationId }: Endpoint,
  value: unknown,
  validatesResponses: boolean,
): RouteResponse {
  if ('body' in answer && !('events' in answer && isEventStream(value))) {
    if (validatesResponses) validateResponse(answer.body, value, operationId)
    return { kind: 'json', status: answer.status, value }
  }
  if ('events' in answer) {
    const stream = value as EventStream
    if (!validatesResponses) return { kind: 'events', stream }
    return {
      kind: 'events',
      stream: { ...stream, frames: checkFrames(answer.events, stream.frames, operationId) },
    }
  }
  if ('text' in answer) return { kind: 'text', contentType: answer.text, text: String(value) }
  return { kind: 'empty' }
}

/** Runs a handler, or returns the stored response of an earlier request with the same idempotency key. */
type Once<Caller> = (asked: AnyHandlerInput<Caller>, run: () => Promise<unknown>) => Promise<unknown>

function mount<Caller>(
  {
    endpoint,
    handle,
    refusalBody,
  }: Pick<Route<CallerKind, Caller>, 'handle' | 'refusalBody'> & {
    endpoint: Endpoint
  },
  gate: Gate<Caller>,
  validatesResponses: boolean,
  once: Once<Caller> = (_, run) => run(),
): MountedRoute {
  return {
    endpoint,
    refusalBody,
    answer: async (facts, rawParams) => {
      const params = parsePart(endpoint.params, () => rawParams)
      // Before the body is read: the body of an unauthenticated request is not parsed.
      const caller = await gate({ ...facts, endpoint, params: (params ?? {}) as Record<string, unknown> })
      const query = parsePart(endpoint.query, () => readQuery(new URL(facts.request.url)))
      const body = await readBody(endpoint, facts.request)
      const asked = { ...facts, params, query, body, caller }
      return answerOf(endpoint, await once(asked, () => handle(asked)), validatesResponses)
    },
  }
}

/** Reads the raw body before the gate, which verifies its signature; the body is parsed only by who knows the platform. */
function mountPlatform<Caller>(
  { endpoint, handle, refusalBody }: Route<'platform', Caller>,
  gate: RawGate<Caller>,
  validatesResponses: boolean,
): MountedRoute {
  return {
    endpoint,
    refusalBody,
    answer: async (facts, rawParams) => {
      const params = parsePart(endpoint.params, () => rawParams)
      const rawBody = await readRawBody(facts.request, endpoint.maxBodyBytes ?? BODY_BYTES.json)
      const named = (params ?? {}) as Record<string, unknown>
      const caller = await gate({ ...facts, endpoint, params: named, rawBody })
      const asked = { ...facts, params, query: undefined, body: undefined, caller }
      return answerOf(endpoint, await handle(asked), validatesResponses)
    },
  }
}

function onceFor<Caller>(
  endpoint: Endpoint,
  idempotency: RoutesGiven<Caller, unknown>['idempotency'],
): Once<Caller> | undefined {
  if (idempotency === undefined || !takesIdempotencyKey(endpoint)) return undefined
  return async ({ request, body, caller, signal, setHeader }, run) => {
    const key = idempotencyKeyOf(request.headers)
    if (key === undefined) return await run()
    const path = new URL(request.url).pathname
    const credentialId = idempotency.credentialIdOf(caller)
    const keyed = { credentialId, method: endpoint.method, path, key, body }
    const { value, isReplay } = await idempotency.of.once(keyed, signal, run)
    if (isReplay) setHeader('Idempotency-Replayed', 'true')
    return value
  }
}

export interface RoutesGiven<TeamCaller, PublicCaller, PlatformCaller = never> {
  /** Authentication for each kind of caller that the contract names. `nobody` needs none. */
  authenticate: {
    'access-token': Gate<TeamCaller>
    'public-key': Gate<PublicCaller>
    platform?: RawGate<PlatformCaller>
  }
  routes: readonly (
    | Route<'access-token', TeamCaller>
    | Route<'public-key', PublicCaller>
    | Route<'platform', PlatformCaller>
    | Route<'nobody', undefined>
  )[]
  /** Validate every response against its schema, and fail on the first that does not match: for tests. */
  validatesResponses: boolean
  /** Stores responses to requests with an `Idempotency-Key`; without it the header is ignored. */
  idempotency?: { of: Idempotency; credentialIdOf: (caller: TeamCaller) => string } | undefined
  /** Middleware around every route for access tokens. */
  aroundTeamRoutes?: (route: Route<'access-token', TeamCaller>) => Route<'access-token', TeamCaller>
}

const isOfKind = <Kind extends CallerKind, Caller>(
  route: { endpoint: Endpoint },
  kind: Kind,
): route is Route<Kind, Caller> => route.endpoint.caller === kind

/** Puts every route behind the authentication of its kind of caller. */
export function createRoutes<TeamCaller, PublicCaller, PlatformCaller = never>({
  authenticate,
  routes,
  validatesResponses,
  idempotency,
  aroundTeamRoutes = (route) => route,
}: RoutesGiven<TeamCaller, PublicCaller, PlatformCaller>): MountedRoute[] {
  const openGate = async () => undefined
  const refuseAll = () => Promise.reject(new Refusal('UNAUTHENTICATED'))
  return routes.map((route) => {
    if (isOfKind<'access-token', TeamCaller>(route, 'access-token')) {
      const once = onceFor(route.endpoint, idempotency)
      return mount(aroundTeamRoutes(route), authenticate['access-token'], validatesResponses, once)
    }
    if (isOfKind<'public-key', PublicCaller>(route, 'public-key'))
      return mount(route, authenticate['public-key'], validatesResponses)
    if (isOfKind<'platform', PlatformCaller>(route, 'platform')) {
      const gate = authenticate.platform ?? refuseAll
      return mountPlatform(route, gate, validatesResponses)
    }
    return mount(route, openGate, validatesResponses)
  })
}
