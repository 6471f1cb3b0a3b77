import type { CallerKind, Endpoint } from '@citewell/contract/endpoint'
import { BODY_BYTES } from '@citewell/contract/limits'
import type { z } from 'zod'
import { checkAnswer } from './check-answer.ts'
import type { AskedOfAny, Gate, RequestFacts, Route } from './endpoint.ts'
import { readJsonBody, readQuery } from './read-body.ts'
import { parseRequestPart } from './request-faults.ts'
import type { EventStream } from './sse.ts'

/** What a route answered, before it is written to the wire. */
export type RouteAnswer =
  | { kind: 'json'; status: number; value: unknown }
  | { kind: 'text'; contentType: string; text: string }
  | { kind: 'events'; stream: EventStream }
  | { kind: 'empty' }

/** A route behind its gate: who calls no longer shows in its type. */
export interface MountedRoute {
  endpoint: Endpoint
  answer: (facts: RequestFacts, rawParams: Record<string, string>) => Promise<RouteAnswer>
}

async function readBody(endpoint: Endpoint, request: Request): Promise<unknown> {
  if (endpoint.body === undefined) return undefined
  // Files are read by the handler as they arrive (`platform/files/read-multipart.ts`): they would fill the memory here.
  if (endpoint.bodyIs === 'files') return undefined
  const json = await readJsonBody(request, endpoint.maxBodyBytes ?? BODY_BYTES.json)
  return parseRequestPart(endpoint.body, json === undefined && endpoint.isBodyOptional === true ? {} : json)
}

const parsePart = (schema: z.ZodType | undefined, read: () => unknown): unknown =>
  schema === undefined ? undefined : parseRequestPart(schema, read())

async function* checkFrames(schema: z.ZodType, frames: EventStream['frames'], name: string) {
  for await (const frame of frames) yield checkAnswer(schema, frame, name) as Record<string, unknown>
}

function answerOf({ answer, operationId }: Endpoint, value: unknown, checksAnswers: boolean): RouteAnswer {
  if ('body' in answer) {
    if (checksAnswers) checkAnswer(answer.body, value, operationId)
    return { kind: 'json', status: answer.status, value }
  }
  if ('events' in answer) {
    const stream = value as EventStream
    if (!checksAnswers) return { kind: 'events', stream }
    return {
      kind: 'events',
      stream: { ...stream, frames: checkFrames(answer.events, stream.frames, operationId) },
    }
  }
  if ('text' in answer) return { kind: 'text', contentType: answer.text, text: String(value) }
  return { kind: 'empty' }
}

function mount<Caller>(
  { endpoint, handle }: { endpoint: Endpoint; handle: (asked: AskedOfAny<Caller>) => Promise<unknown> },
  gate: Gate<Caller>,
  checksAnswers: boolean,
): MountedRoute {
  return {
    endpoint,
    answer: async (facts, rawParams) => {
      const params = parsePart(endpoint.params, () => rawParams)
      // Before the body is read: a stranger's megabyte is not parsed.
      const caller = await gate({ ...facts, endpoint, params: (params ?? {}) as Record<string, unknown> })
      const query = parsePart(endpoint.query, () => readQuery(new URL(facts.request.url)))
      const body = await readBody(endpoint, facts.request)
      return answerOf(endpoint, await handle({ ...facts, params, query, body, caller }), checksAnswers)
    },
  }
}

export interface RoutesGiven<TeamCaller, PublicCaller> {
  /** Who may pass, by the kind of caller that the contract names. `nobody` needs no gate. */
  authenticate: { 'access-token': Gate<TeamCaller>; 'public-key': Gate<PublicCaller> }
  routes: readonly (
    | Route<'access-token', TeamCaller>
    | Route<'public-key', PublicCaller>
    | Route<'nobody', undefined>
  )[]
  /** Check every answer against its schema, and fail on the first that does not fit: for tests. */
  checksAnswers: boolean
}

const isOfKind = <Kind extends CallerKind, Caller>(
  route: { endpoint: Endpoint },
  kind: Kind,
): route is Route<Kind, Caller> => route.endpoint.caller === kind

/** Puts every route behind the gate of its kind. */
export function createRoutes<TeamCaller, PublicCaller>({
  authenticate,
  routes,
  checksAnswers,
}: RoutesGiven<TeamCaller, PublicCaller>): MountedRoute[] {
  const openGate = async () => undefined
  return routes.map((route) => {
    if (isOfKind<'access-token', TeamCaller>(route, 'access-token')) {
      return mount(route, authenticate['access-token'], checksAnswers)
    }
    if (isOfKind<'public-key', PublicCaller>(route, 'public-key')) {
      return mount(route, authenticate['public-key'], checksAnswers)
    }
    return mount(route, openGate, checksAnswers)
  })
}
