import type { Endpoint } from '@citewell/contract/endpoint'
import type { z } from 'zod'
import { parsePageQuery, pageOfRows, type PageRequest } from '../../kernel/paging.ts'
import type { AnyHandlerInput, Route } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'

type TeamEndpoint = Extract<Endpoint, { caller: 'access-token' }>
type Shows<Shown = unknown> = TeamEndpoint & { answer: { body: z.ZodType<unknown, Shown> } }

/** The endpoints of a record, as `recordEndpoints` of the contract declares them. A noun may have fewer. */
interface RecordEndpoints {
  list: Shows<{ data: unknown[] }> & { query: z.ZodType<PageQuery> }
  create?: Shows
  get?: Shows
  change?: Shows
  remove?: TeamEndpoint & { answer: { status: 204 } }
}

interface PageQuery {
  limit: number
  cursor?: string | undefined
}

type PartOf<Declared, Name extends string> =
  Declared extends Record<Name, infer Part extends z.ZodType> ? z.output<Part> : undefined

/** The body that an endpoint answers; no requirement if there is no such endpoint. */
type AnswerOf<Declared> = Declared extends { answer: { body: infer Body extends z.ZodType } }
  ? z.input<Body>
  : unknown

/** A record as all of its endpoints show it. */
type Shown<Endpoints extends RecordEndpoints> = { id: string } & z.input<
  Endpoints['list']['answer']['body']
>['data'][number] &
  AnswerOf<Endpoints['create']> &
  AnswerOf<Endpoints['get']> &
  AnswerOf<Endpoints['change']>

/** What a room does for these endpoints. Fields, not methods: parameters of methods are compared in both directions. */
interface RecordActions<Row, Endpoints extends RecordEndpoints> {
  /** `page` has the other fields of the query too, for a list with filters. */
  list: (
    caller: Caller,
    knowledgeBaseId: string,
    page: PageRequest & Omit<PartOf<Endpoints['list'], 'query'>, keyof PageQuery>,
  ) => Promise<Row[]>
  create: (
    caller: Caller,
    knowledgeBaseId: string,
    given: PartOf<Endpoints['create'], 'body'>,
    signal: AbortSignal,
  ) => Promise<Row>
  get: (caller: Caller, id: string) => Promise<Row>
  change: (
    caller: Caller,
    id: string,
    changes: PartOf<Endpoints['change'], 'body'>,
    signal: AbortSignal,
  ) => Promise<Row>
  remove: (caller: Caller, id: string) => Promise<void>
}

/** Input of any of the handlers: the schemas of their endpoints have parsed it. */
interface Asked {
  caller: Caller
  params: { id: string }
  query: PageQuery
  body: undefined
  signal: AbortSignal
}

/**
 * The routes of a record: each endpoint with the action of the same name.
 *
 * @example
 * recordRoutes({ list: ENDPOINTS.listWidgets, remove: ENDPOINTS.deleteWidget }, widgets, presentWidget)
 */
export function recordRoutes<Row, Endpoints extends RecordEndpoints>(
  endpoints: Endpoints,
  records: Pick<RecordActions<Row, Endpoints>, keyof Endpoints & keyof RecordActions<Row, Endpoints>>,
  present: (row: Row) => Shown<Endpoints>,
): Route<'access-token', Caller>[] {
  const actions = records as RecordActions<Row, RecordEndpoints>
  const handlers: Record<keyof RecordEndpoints, (asked: Asked) => Promise<unknown>> = {
    list: async ({ caller, params, query: { limit, cursor, ...filters } }) => {
      const page = { ...filters, ...parsePageQuery({ limit, cursor }) }
      return pageOfRows(await actions.list(caller, params.id, page), limit, present)
    },
    create: async ({ caller, params, body, signal }) =>
      present(await actions.create(caller, params.id, body, signal)),
    get: async ({ caller, params }) => present(await actions.get(caller, params.id)),
    change: async ({ caller, params, body, signal }) =>
      present(await actions.change(caller, params.id, body, signal)),
    remove: async ({ caller, params }) => await actions.remove(caller, params.id),
  }
  return Object.entries(endpoints).map(([name, endpoint]: [string, TeamEndpoint]) => ({
    endpoint,
    handle: (asked: AnyHandlerInput<Caller>) => handlers[name as keyof typeof handlers](asked as Asked),
  }))
}
