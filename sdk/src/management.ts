import type { ManagementApi } from './management-api.ts'
import type { CallOptions } from './management-call.ts'
import { CitewellError, errorOfFrame, isErrorFrame, streamCut } from './citewell-error.ts'
import {
  createHttp,
  isPage,
  segment,
  type Call,
  type HttpOptions,
  type WireFrame,
  parseJson,
} from './http.ts'
import { retry } from './retry.ts'
import { ROUTES } from './routes.ts'

export { CitewellError }
export type * from './management-api.ts'
export type { CallOptions, PagePromise } from './management-call.ts'

/** What {@link createManagement} takes. */
export interface ManagementOptions extends HttpOptions {
  /** `cw_pat_…`, or the bootstrap token. */
  accessToken?: string | undefined
  /** Instead of a token, in pages of the service itself: the CSRF token of the signed-in member's session, from `GET /api/v1/me`. */
  csrf?: string | undefined
  /** Allows an access token in a page, where everyone can read it. */
  dangerouslyAllowBrowser?: boolean | undefined
}

/** The management API: one method per operation. */
export type Management = ManagementApi

interface Route {
  method: Call['method']
  path: string
  takesQuery: boolean
  takesBody: boolean
  isCreation: boolean
  isStream: boolean
}

function parseRoute(route: string): Route {
  const [head = '', path = ''] = route.split(' ')
  const marks = head.replace(/^[A-Z]+/, '')
  return {
    method: head.slice(0, head.length - marks.length) as Call['method'],
    path,
    takesQuery: marks.includes('?'),
    takesBody: marks.includes('='),
    isCreation: marks.includes('+'),
    isStream: marks.includes('~'),
  }
}

type Input = Readonly<Record<string, unknown>>

/** What the arguments of a method mean: the ids of its path, then a body or a query, then the options. */
function callOf(route: Route, given: readonly unknown[]): { call: Call; query: Input; options: CallOptions } {
  const rest = [...given]
  const path = route.path.replaceAll(/\{\w+\}/g, () => {
    const id = rest.shift()
    return segment(typeof id === 'string' ? id : '')
  })
  const body = route.takesBody ? rest.shift() : undefined
  const query = route.takesQuery ? ((rest.shift() ?? {}) as Input) : {}
  const options = (rest.shift() ?? {}) as CallOptions
  return {
    call: { method: route.method, path: `/api/v1${path}`, body, signal: options.signal },
    query,
    options,
  }
}

/** A body with files, as a form: each file is a part of its own. */
function formOf(body: unknown): FormData | undefined {
  const { file: given } = (body ?? {}) as { file?: unknown }
  if (!Array.isArray(given) && !(given instanceof Blob)) return undefined
  const form = new FormData()
  for (const file of [given].flat() as File[]) form.append('file', file)
  return form
}

function withQuery(call: Call, query: Input): Call {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  if (given.length === 0) return call
  return { ...call, path: `${call.path}?${new URLSearchParams(given as string[][])}` }
}

/** The frame of a step. Throws that of an error, and the end of a stream that lacks its last frame. */
function throwError(step: IteratorResult<WireFrame, void>): WireFrame {
  if (step.done === true) throw streamCut()
  if (isErrorFrame(step.value)) throw errorOfFrame(step.value)
  return step.value
}

interface Page {
  data: unknown[]
  next_cursor: string | null
}

/** Files, such as an export, come as text. */
const readAnswer = (text: string, response: Response): unknown =>
  /csv|ndjson/.test(response.headers.get('content-type') ?? '') ? text : parseJson(text)

/** Sends the cookie of the session, which nothing else of this SDK needs. */
const withCookie =
  ({ fetch: given = fetch }: HttpOptions): typeof fetch =>
  async (input, init) =>
    await given(input, { ...init, credentials: 'same-origin' })

/**
 * A client of the management API, for servers and scripts.
 *
 * @throws TypeError in a page, unless `dangerouslyAllowBrowser` is set
 * @example
 * const citewell = createManagement({ endpoint: 'https://answers.example.com', accessToken: process.env.CITEWELL_TOKEN })
 * for await (const base of citewell.listKnowledgeBases()) console.log(base.name)
 */
export function createManagement(options: ManagementOptions): Management {
  const { accessToken, csrf } = options
  if (accessToken === undefined && csrf === undefined) throw new TypeError('Give an access token.')
  if (accessToken !== undefined && isPage() && options.dangerouslyAllowBrowser !== true)
    throw new TypeError('In a page, an access token is no secret. Use it on your server.')
  const credentials: Record<string, string> =
    accessToken === undefined ? { 'x-citewell-csrf': csrf ?? '' } : { authorization: `Bearer ${accessToken}` }
  const sending: HttpOptions =
    accessToken === undefined ? { ...options, fetch: withCookie(options) } : options
  const http = createHttp(sending, credentials)
  // What is neither a reading nor repeatable by its nature is sent once: a repetition could do it twice.
  const once = createHttp({ ...sending, retries: 0 }, credentials)

  const fetchPage = async (call: Call, query: Input): Promise<Page> =>
    (await http.json(withQuery(call, query))) as Page

  async function* everyRecord(first: Promise<Page>, call: Call, query: Input) {
    for (let page = await first; ;) {
      yield* page.data
      if (page.next_cursor === null) return
      page = await fetchPage(call, { ...query, cursor: page.next_cursor })
    }
  }

  function list(call: Call, query: Input) {
    const first = fetchPage(call, query)
    // A loop throws it; the promise itself may stay unread.
    first.catch(() => undefined)
    const all = () => everyRecord(first, call, query)
    return Object.assign(first, { all, [Symbol.asyncIterator]: all })
  }

  /** The frames of a stream, whose first one may take several attempts. */
  async function* stream(call: Call) {
    const { wire, first } = await retry(
      async () => {
        const wire = http.frames(call)
        try {
          return { wire, first: throwError(await wire.next()) }
        } catch (error) {
          // An error frame is a frame: without this its connection would stay open.
          await wire.return()
          throw error
        }
      },
      { retries: http.retries, signal: call.signal },
    )
    try {
      for (let step = first; ; step = throwError(await wire.next())) {
        yield step
        // The last frame of an answer is done; that of a sync lists its errors.
        if (step['done'] === true || step['errors'] !== undefined) return
      }
    } finally {
      await wire.return()
    }
  }

  function methodOf(operation: string, route: Route) {
    const isRepeatable = route.method !== 'POST' || route.isCreation
    return (...given: unknown[]) => {
      const { call, query, options } = callOf(route, given)
      if (route.isStream) return stream(call)
      if (operation.startsWith('list')) return list(call, query)
      const form = formOf(call.body)
      const headers: Record<string, string> = route.isCreation
        ? { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }
        : {}
      return (isRepeatable ? http : once).json({
        ...withQuery(call, query),
        ...(form !== undefined && { body: undefined, form }),
        headers,
        read: readAnswer,
      })
    }
  }

  return Object.fromEntries(
    Object.entries(ROUTES).map(([operation, route]) => [operation, methodOf(operation, parseRoute(route))]),
  ) as unknown as Management
}
