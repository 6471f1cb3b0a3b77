import type { CallerKind, Endpoint } from '@citewell/contract/endpoint'
import type { z } from 'zod'
import type { EventStream } from './sse.ts'

type Parsed<Part> = Part extends z.ZodType ? z.output<Part> : undefined
type PartOf<Declared, Name extends string> = Declared extends Record<Name, infer Part> ? Part : undefined

/** What every request has, before anything of it is parsed. */
export interface RequestFacts {
  request: Request
  requestId: string
  /** Address of the peer, as the socket has it; empty where the request did not come over one. */
  clientAddress: string
  /** Ends when the client has gone, reads too slowly, or the service stops. */
  signal: AbortSignal
  /** Sets a header of the answer, be it a success or a refusal. */
  setHeader: (name: string, value: string) => void
}

/** What a handler is given: everything is checked and typed as the contract declares it. */
export interface Asked<Declared extends Endpoint, Caller> extends RequestFacts {
  params: Parsed<PartOf<Declared, 'params'>>
  query: Parsed<PartOf<Declared, 'query'>>
  /** Undefined where files are sent: the handler reads them from `request`. */
  body: Declared extends { bodyIs: 'files' } ? undefined : Parsed<PartOf<Declared, 'body'>>
  caller: Caller
}

/** What a handler gives back: the body's JSON, the text, the frames, or nothing, as the contract declares it. */
export type Answered<Declared extends Endpoint> = Declared['answer'] extends {
  body: infer Body extends z.ZodType
}
  ? z.input<Body> | (Declared['answer'] extends { events: z.ZodType } ? EventStream : never)
  : Declared['answer'] extends { events: z.ZodType }
    ? EventStream
    : Declared['answer'] extends { text: string }
      ? string
      : void

/** A request as the gate of its kind of caller sees it. */
export interface AtGate extends RequestFacts {
  endpoint: Endpoint
  /** Checked already: ids are ids. */
  params: Record<string, unknown>
}

/** Tells who calls, or throws a refusal. */
export type Gate<Caller> = (asked: AtGate) => Promise<Caller>

/** An endpoint with the function that answers it. */
export interface Route<Kind extends CallerKind, Caller> {
  endpoint: Extract<Endpoint, { caller: Kind }>
  handle: (asked: AskedOfAny<Caller>) => Promise<unknown>
}

/** `Asked` of an endpoint that is no longer known by its type. */
export interface AskedOfAny<Caller> extends RequestFacts {
  params: unknown
  query: unknown
  body: unknown
  caller: Caller
}

/**
 * Makes the function that a room declares its routes with. It takes endpoints of one kind of caller only, so that a room cannot
 * put a public endpoint behind the wrong gate.
 *
 * @example
 * const endpoint = endpointsFor<'access-token', Member>()
 *
 * endpoint(ENDPOINTS.getSource, async ({ params, caller }) => await sources.get(caller, params.id))
 */
export function endpointsFor<Kind extends CallerKind, Caller>() {
  return <Declared extends Extract<Endpoint, { caller: Kind }>>(
    endpoint: Declared,
    handle: (asked: Asked<Declared, Caller>) => Promise<Answered<Declared>> | Answered<Declared>,
  ): Route<Kind, Caller> => ({
    endpoint,
    // The parts were parsed by the schemas of this very endpoint.
    handle: async (asked) => await handle(asked as Asked<Declared, Caller>),
  })
}
