import { declareEndpoints } from '@citewell/contract/endpoint'
import { StreamError } from '@citewell/contract/errors'
import { idOf, text } from '@citewell/contract/fields'
import { PageQuery } from '@citewell/contract/paging'
import { ANSWER_FAILURES } from '@citewell/contract/refusals'
import { z } from 'zod'
import { Refusal } from '../src/kernel/refusal.ts'
import { readMultipart } from '../src/platform/files/read-multipart.ts'
import type { Log } from '../src/platform/log/log.ts'
import { corsHeaders, isOriginAllowed } from '../src/platform/http/cors.ts'
import { endpointsFor, type HandlerInput, type Gate } from '../src/platform/http/endpoint.ts'
import { createHttpApp, type AnsweredRequest, type HttpAppDeps } from '../src/platform/http/http-app.ts'
import { createOpenStreams } from '../src/platform/http/open-streams.ts'
import { createRoutes } from '../src/platform/http/routes.ts'
import { serveHttp, type HttpServerGiven } from '../src/platform/http/serve-http.ts'
import { SSE_LIMITS, type SseLimits } from '../src/platform/http/sse.ts'

/** Three sample endpoints for the kinds that the service has: a strict body, a lenient one that streams, and files. */
const Note = z.object({ id: idOf('note'), words: z.string(), tags: z.record(z.string(), z.unknown()) })
const team = { caller: 'access-token', room: 'sample', group: 'Notes', permission: 'config' } as const

const SAMPLE_ENDPOINTS = declareEndpoints({
  createNote: {
    ...team,
    method: 'POST',
    path: '/notes/{id}',
    summary: 'Make a note',
    scope: 'config',
    params: z.object({ id: idOf('note') }),
    query: PageQuery,
    body: z.strictObject({ words: text(1, 20), tags: z.record(z.string(), z.unknown()).default({}) }),
    answer: { status: 201, body: Note },
  },
  deleteNote: {
    ...team,
    method: 'DELETE',
    path: '/notes/{id}/{external_id}',
    summary: 'Delete a note',
    scope: 'config',
    params: z.object({ id: idOf('note'), external_id: z.string() }),
    body: z.strictObject({ confirm: z.string().optional() }),
    isBodyOptional: true,
    answer: { status: 204 },
  },
  uploadNotes: {
    ...team,
    method: 'POST',
    path: '/files',
    summary: 'Upload notes',
    scope: 'config',
    body: z.strictObject({ file: z.array(z.file()).min(1) }),
    bodyIs: 'files',
    maxBodyBytes: 10_000,
    answer: { status: 200, body: z.object({ names: z.array(z.string()), texts: z.array(z.string()) }) },
  },
  tell: {
    caller: 'public-key',
    room: 'sample',
    group: 'Notes',
    method: 'POST',
    path: '/public/tell',
    summary: 'Tell',
    body: z.object({ words: z.string().optional() }),
    answer: { status: 200, events: z.union([z.object({ delta: z.string() }), StreamError]) },
  },
})

export const SAMPLE_ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'

interface Person {
  name: string
}

type Handler<Declared extends keyof typeof SAMPLE_ENDPOINTS> = (
  asked: HandlerInput<(typeof SAMPLE_ENDPOINTS)[Declared], Person>,
) => unknown

export interface SampleGiven {
  /** What `POST /public/tell` streams. */
  tell?: (
    asked: HandlerInput<(typeof SAMPLE_ENDPOINTS)['tell'], Person>,
  ) => AsyncIterable<Record<string, unknown>>
  /** Called instead of the note's own handler. */
  createNote?: Handler<'createNote'>
  sseLimits?: Partial<SseLimits>
  allowedOrigins?: string[]
  pages?: HttpAppDeps['pages']
  /** Limits of connections. */
  serving?: Partial<Pick<HttpServerGiven, 'limits' | 'times' | 'takesLong'>>
}

const key = 'cw_pk_sample'
const token = 'cw_pat_sample'

const teamGate: Gate<Person> = async ({ request }) => {
  if (request.headers.get('authorization') !== `Bearer ${token}`) throw new Refusal('UNAUTHENTICATED')
  return { name: 'Ada' }
}

const publicGateFor =
  (allowed: readonly string[]): Gate<Person> =>
  async ({ request, setHeader }) => {
    if (request.headers.get('x-client-key') !== key) throw new Refusal('UNAUTHENTICATED')
    const origin = request.headers.get('origin')
    if (origin !== null) {
      if (!isOriginAllowed(origin, allowed)) throw new Refusal('ORIGIN_NOT_ALLOWED')
      for (const [name, value] of Object.entries(corsHeaders(origin))) setHeader(name, value)
    }
    return { name: 'a page' }
  }

const timeoutFrame = (error: unknown) => ({
  error: error instanceof Refusal ? error.message : ANSWER_FAILURES.internal.reader,
  error_code: error instanceof Refusal ? 'unavailable' : 'internal',
  code: error instanceof Refusal ? 'UNAVAILABLE' : 'INTERNAL',
  retryable: true,
  request_id: 'r1',
})

/** A real server of the sample endpoints, on a free port. Close it with `await using`. */
export async function startSample(given: SampleGiven = {}) {
  const logged: unknown[] = []
  const answered: AnsweredRequest[] = []
  const write = (fields: unknown) => void logged.push(fields)
  const log = { debug: () => {}, info: write, warn: write, error: write } as unknown as Log
  const openStreams = createOpenStreams()
  const teamEndpoint = endpointsFor<'access-token', Person>()
  const publicEndpoint = endpointsFor<'public-key', Person>()
  let isStopping = () => false
  const routes = createRoutes<Person, Person>({
    authenticate: { 'access-token': teamGate, 'public-key': publicGateFor(given.allowedOrigins ?? []) },
    validatesResponses: true,
    routes: [
      teamEndpoint(SAMPLE_ENDPOINTS.createNote, async (asked) => {
        if (given.createNote !== undefined) return (await given.createNote(asked)) as z.input<typeof Note>
        return { id: asked.params.id, words: asked.body.words, tags: asked.body.tags }
      }),
      teamEndpoint(SAMPLE_ENDPOINTS.deleteNote, ({ params, body, setHeader }) => {
        setHeader('x-deleted', encodeURIComponent(params.external_id))
        setHeader('x-confirm', body.confirm ?? 'none')
      }),
      teamEndpoint(SAMPLE_ENDPOINTS.uploadNotes, async ({ request }) => {
        const names: string[] = []
        const texts: string[] = []
        await readMultipart(request, { maxBytes: 10_000, maxFiles: 10 }, async ({ name, bytes }) => {
          names.push(name)
          texts.push(await new Response(ReadableStream.from(bytes)).text())
        })
        return { names, texts }
      }),
      publicEndpoint(SAMPLE_ENDPOINTS.tell, (asked) => ({
        frames: given.tell?.(asked) ?? tellTwice(),
        onError: timeoutFrame,
      })),
    ],
  })
  const app = createHttpApp({
    log,
    publicUrl: 'http://127.0.0.1',
    routes,
    openStreams,
    isStopping: () => isStopping(),
    onAnswered: (one) => answered.push(one),
    sseLimits: { ...SSE_LIMITS, ...given.sseLimits },
    pages: given.pages ?? [],
  })
  const server = await serveHttp({
    fetch: app.fetch,
    host: '127.0.0.1',
    port: 0,
    openStreams,
    ...given.serving,
  })
  isStopping = server.isStopping
  return {
    address: server.address,
    // The test's own client is outside the service, so it does not use platform/outbound.
    send: (path: string, init?: RequestInit) => globalThis.fetch(`${server.address}${path}`, init),
    /** Without a socket, as commands call it. */
    fetch: async (request: Request) => await app.fetch(request),
    port: Number(new URL(server.address).port),
    server,
    openStreams,
    logged,
    answered,
    routes,
    team: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    page: { 'x-client-key': key, 'content-type': 'application/json' },
    [Symbol.asyncDispose]: () => server.stop(0),
  }
}

async function* tellTwice() {
  yield { delta: 'one' }
  yield { delta: 'two' }
}
