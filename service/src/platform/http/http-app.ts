import { isForPages, type Endpoint } from '@citewell/contract/endpoint'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { Refusal } from '../../kernel/refusal.ts'
import type { Log } from '../log/log.ts'
import { preflightHeaders, refusalCorsHeaders } from './cors.ts'
import { isPageRequest, notFoundPage } from './not-found-page.ts'
import type { OpenStreams } from './open-streams.ts'
import { PLAIN_PAGE_HEADERS } from './plain-page.ts'
import { refusalFrom, refusalResponse } from './render-refusal.ts'
import { requestIdOf } from './request-id.ts'
import type { MountedRoute } from './routes.ts'
import { securityHeaders } from './security-headers.ts'
import { SSE_LIMITS, type SseLimits } from './sse.ts'
import { requestSource } from './request-source.ts'
import { writeResponse } from './write-response.ts'

export type HttpEnv = {
  Bindings: Partial<HttpBindings>
  Variables: { requestId: string; isUnmatched?: true }
}

/** The outcome of one request, for metrics. */
export interface AnsweredRequest {
  method: string
  /** The pattern, `/api/v1/sources/{id}`, or `unmatched`. */
  route: string
  /** 499: the client disconnected before there was a response. */
  status: number
  /** Until the response headers, not its end. */
  seconds: number
}

export interface HttpAppDeps {
  log: Log
  /** Without a trailing slash. */
  publicUrl: string
  routes: readonly MountedRoute[]
  openStreams: OpenStreams
  /** True once the service has begun to stop: responses then ask for the connection to be closed. */
  isStopping: () => boolean
  onAnswered?: (answered: AnsweredRequest) => void
  sseLimits?: SseLimits
  /** Pages that are not part of the API: they register their own addresses. */
  pages?: readonly ((app: Hono<HttpEnv>) => void)[]
}

const CLIENT_CLOSED_REQUEST = 499

/** Converts `/sources/{id}` to the router's `/sources/:id`. */
const routerPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** The whole HTTP surface as one `fetch`: the server uses it, and commands call it without a socket. */
export function createHttpApp(deps: HttpAppDeps): Hono<HttpEnv> {
  const { log, routes, openStreams } = deps
  const fixedHeaders = securityHeaders(deps.publicUrl)
  const app = new Hono<HttpEnv>()

  function beginResponse(context: Context<HttpEnv>) {
    const requestId = requestIdOf(context.req.header('x-request-id'))
    const headers: Record<string, string> = {
      ...fixedHeaders,
      'x-request-id': requestId,
      ...(deps.isStopping() && { connection: 'close' }),
    }
    return { requestId, headers, startedAt: performance.now() }
  }

  function recordRequest(
    method: string,
    route: string,
    status: number,
    startedAt: number,
    requestId: string,
  ): void {
    const seconds = (performance.now() - startedAt) / 1_000
    deps.onAnswered?.({ method, route, status, seconds })
    const ms = Math.round(seconds * 1_000)
    log.debug({ request_id: requestId, method, route, status, ms }, 'answered')
  }

  async function serve(
    context: Context<HttpEnv>,
    { endpoint, answer, refusalBody }: MountedRoute,
  ): Promise<Response> {
    const request = context.req.raw
    const { requestId, headers, startedAt } = beginResponse(context)
    const abortController = new AbortController()
    const onDisconnect = () => abortController.abort(new Error('The client disconnected.'))
    if (request.signal.aborted) onDisconnect()
    else request.signal.addEventListener('abort', onDisconnect, { once: true })
    const fail = (error: unknown) => {
      log.error({ err: error, request_id: requestId, route: endpoint.path }, 'a request failed')
    }
    let response: Response
    try {
      const facts = {
        request,
        requestId,
        ...requestSource(context.env?.incoming),
        signal: abortController.signal,
        setHeader: (name: string, value: string) => {
          headers[name.toLowerCase()] = value
        },
      }
      response = writeResponse(await answer(facts, context.req.param()), request.method, headers, {
        abortController,
        cut: () => context.env?.outgoing?.destroy(),
        openStreams,
        limits: deps.sseLimits ?? SSE_LIMITS,
        onFailed: (error) => {
          if (!(error instanceof Refusal)) fail(error)
        },
      })
    } catch (error) {
      if (request.signal.aborted) {
        response = new Response(null, { status: CLIENT_CLOSED_REQUEST })
      } else {
        const refusal = refusalFrom(error)
        if (refusal !== error) fail(error)
        response = refusalResponse(
          refusal,
          requestId,
          {
            ...challenge(endpoint, refusal),
            ...refusalCorsHeaders(isForPages(endpoint), request.headers.get('origin'), refusal.code),
            ...headers,
          },
          refusalBody,
        )
      }
    }
    recordRequest(request.method, endpoint.path, response.status, startedAt, requestId)
    return response
  }

  /** Answers a method that an existing address does not support. OPTIONS lists the supported ones. */
  function otherMethod(
    context: Context<HttpEnv>,
    methods: readonly string[],
    { isPublic, takesAnyHeader, isHook }: { isPublic: boolean; takesAnyHeader: boolean; isHook: boolean },
  ): Response {
    const { requestId, headers, startedAt } = beginResponse(context)
    headers['allow'] = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    const origin = context.req.header('origin')
    let response: Response
    if (context.req.method === 'OPTIONS') {
      const preflight =
        isPublic && origin !== undefined ? preflightHeaders(origin, methods, { takesAnyHeader }) : {}
      response = new Response(null, { status: 204, headers: { ...headers, ...preflight } })
    } else if (isHook && context.req.method === 'HEAD') {
      // Platforms look whether an address is there before they save it (Intercom): every one is.
      response = new Response(null, { status: 200, headers })
    } else {
      const refusal = new Refusal('METHOD_NOT_ALLOWED')
      const readable = refusalCorsHeaders(isPublic, origin, refusal.code)
      response = refusalResponse(refusal, requestId, { ...readable, ...headers })
    }
    recordRequest(context.req.method, 'other-method', response.status, startedAt, requestId)
    return response
  }

  for (const route of routes) {
    app.on(route.endpoint.method, routerPath(route.endpoint.path), (context) => serve(context, route))
  }
  for (const [path, endpoints] of Map.groupBy(routes, ({ endpoint }) => routerPath(endpoint.path))) {
    const methods = endpoints.map(({ endpoint }) => endpoint.method)
    const isPublic = endpoints.some(({ endpoint }) => isForPages(endpoint))
    const takesAnyHeader = endpoints.some(({ endpoint }) => endpoint.wireFormat === 'openai')
    const isHook = endpoints.some(({ endpoint }) => endpoint.caller === 'platform')
    const facts = { isPublic, takesAnyHeader, isHook }
    app.all(path, (context) => otherMethod(context, methods, facts))
  }
  // Pages, and requests that matched no route.
  app.use(async (context, next) => {
    const { requestId, headers, startedAt } = beginResponse(context)
    context.set('requestId', requestId)
    await next()
    for (const [name, value] of Object.entries(headers)) {
      if (!context.res.headers.has(name)) context.res.headers.set(name, value)
    }
    const route = context.get('isUnmatched') === true ? 'unmatched' : 'page'
    recordRequest(context.req.method, route, context.res.status, startedAt, requestId)
  })
  for (const addPages of deps.pages ?? []) addPages(app)

  app.notFound(async (context) => {
    context.set('isUnmatched', true)
    const { method, path } = context.req
    if (isPageRequest(method, path, context.req.header('accept')))
      return await context.html(notFoundPage(), 404, PLAIN_PAGE_HEADERS)
    // A page that names its base by nothing asks at an address that there is not.
    const headers = refusalCorsHeaders(
      isForPages({ caller: 'nobody', path: path as `/${string}` }),
      context.req.header('origin'),
      'NOT_FOUND',
    )
    return refusalResponse(new Refusal('NOT_FOUND'), context.get('requestId'), headers)
  })
  app.onError((error, context) => {
    const requestId = context.get('requestId')
    // A client that disconnects in the middle of a form is not our error.
    if (context.req.raw.signal.aborted || context.env?.incoming?.destroyed === true)
      return new Response(null, { status: CLIENT_CLOSED_REQUEST })
    const refusal = refusalFrom(error)
    if (refusal !== error)
      log.error({ err: error, request_id: requestId, route: context.req.path }, 'a page failed')
    return refusalResponse(refusal, requestId, {})
  })
  return app
}

/** The authentication scheme that a 401 must name (WWW-Authenticate). */
function challenge(endpoint: Endpoint, refusal: Refusal): Record<string, string> {
  if (refusal.code !== 'UNAUTHENTICATED') return {}
  const isBearer = endpoint.caller === 'access-token' || endpoint.wireFormat === 'openai'
  const ofOthers = endpoint.caller === 'platform' ? 'Signature' : 'ClientKey'
  const scheme = isBearer ? 'Bearer' : ofOthers
  return { 'www-authenticate': `${scheme} realm="citewell"` }
}
