import type { CallerKind, Endpoint } from '@citewell/contract/endpoint'
import type { z } from 'zod'
import type { RequestSource } from './request-source.ts'
import type { RefusalBody } from './render-refusal.ts'
import type { EventStream } from './sse.ts'

type Parsed<Part> = Part extends z.ZodType ? z.output<Part> : undefined
type PartOf<Declared, Name extends string> = Declared extends Record<Name, infer Part> ? Part : undefined

/** What every request has before any of it is parsed. */
export interface RequestFacts extends RequestSource {
  request: Request
  requestId: string
  /** Aborted when the client disconnects or reads too slowly, or the service stops. */
  signal: AbortSignal
  /** Sets a response header, for a success and for a refusal. */
  setHeader: (name: string, value: string) => void
}

/** The input of a handler, validated and typed as the contract declares it. */
export interface HandlerInput<Declared extends Endpoint, Caller> extends RequestFacts {
  params: Parsed<PartOf<Declared, 'params'>>
  query: Parsed<PartOf<Declared, 'query'>>
  /** Undefined for file uploads: the handler reads the files from `request`. */
  body: Declared extends { bodyIs: 'files' } ? undefined : Parsed<PartOf<Declared, 'body'>>
  caller: Caller
}

/** The result of a handler: the JSON of the body, text, frames, or nothing, as the contract declares it. */
export type HandlerResult<Declared extends Endpoint> = Declared['answer'] extends {
  body: infer Body extends z.ZodType
}
  ? z.input<Body> | (Declared['answer'] extends { events: z.ZodType } ? EventStream : never)
  : Declared['answer'] extends { events: z.ZodType }
    ? EventStream
    : Declared['answer'] extends { text: string }
      ? string
      : void

/** A request as the authentication for its kind of caller sees it. */
export interface AuthenticationRequest extends RequestFacts {
  endpoint: Endpoint
  /** Already validated: ids are UUIDs. */
  params: Record<string, unknown>
}

/** Authenticates the caller, or throws a refusal. */
export type Gate<Caller> = (asked: AuthenticationRequest) => Promise<Caller>

/** The same for platforms, whose proof is a signature of the body's bytes. */
export type RawGate<Caller> = (asked: AuthenticationRequest & { rawBody: Uint8Array }) => Promise<Caller>

/** An endpoint with its handler. */
export interface Route<Kind extends CallerKind, Caller> {
  endpoint: Extract<Endpoint, { caller: Kind }>
  handle: (asked: AnyHandlerInput<Caller>) => Promise<unknown>
  /** For an endpoint whose errors have another format than ours. */
  refusalBody?: RefusalBody
}

/** `HandlerInput` of an endpoint whose type is no longer known. */
export interface AnyHandlerInput<Caller> extends RequestFacts {
  params: unknown
  query: unknown
  body: unknown
  caller: Caller
}

/**
 * Creates the function with which a room declares its routes. It accepts only endpoints for one kind of caller, so that a room cannot
 * put a public endpoint behind the wrong authentication.
 *
 * @example
 * const endpoint = endpointsFor<'access-token', Member>()
 *
 * endpoint(ENDPOINTS.getSource, async ({ params, caller }) => await sources.get(caller, params.id))
 */
export function endpointsFor<Kind extends CallerKind, Caller>() {
  return <Declared extends Extract<Endpoint, { caller: Kind }>>(
    endpoint: Declared,
    handle: (
      asked: HandlerInput<Declared, Caller>,
    ) => Promise<HandlerResult<Declared>> | HandlerResult<Declared>,
  ): Route<Kind, Caller> => ({
    endpoint,
    // The parts were parsed by the schemas of this endpoint.
    handle: async (asked) => await handle(asked as HandlerInput<Declared, Caller>),
  })
}
