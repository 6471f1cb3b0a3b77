import { badAnswer, errorOfResponse, isErrorFrame, streamCut, unreachable } from './citewell-error.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { readEvents } from './event-stream.ts'
import { retry } from './retry.ts'

/** How every request is sent. */
export interface HttpOptions {
  /** Address of the service, such as `https://answers.example.com`. A path in front of `/api` is kept. */
  endpoint: string | URL
  /** Instead of the platform's `fetch`. */
  fetch?: typeof fetch | undefined
  /** How often a failed request is repeated if the error is retryable; default 2. A stream is repeated only before its first frame. */
  retries?: number | undefined
  /** Longest silence of the service in milliseconds, before an answer and within a stream; default 60,000, 0 for no limit. */
  timeoutMs?: number | undefined
  /** Sent with every request. In a page, the service's CORS allows only `X-Request-Id`. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** One request. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** From `/api/v1`, encoded, with its query. */
  path: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent in place of a body. */
  form?: FormData | undefined
  headers?: Readonly<Record<string, string>> | undefined
  signal?: AbortSignal | undefined
  /** Reads the text of the answer, if it may be something else than JSON. */
  read?: (text: string, response: Response) => unknown
}

/** A frame as it came. */
export type WireFrame = Readonly<Record<string, unknown>>

/** After the last frame, milliseconds until the connection is given up. */
const DRAIN_MS = 1_000

/**
 * A part of an address. The two that mean "here" and "up" are refused: `fetch` would resolve them even if they were escaped.
 *
 * @throws TypeError for an empty id, and for those two
 */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`Not an id: "${id}"`)
  return encodeURIComponent(id)
}

/** Whether this runs in a page, where everyone can read what the program knows. */
export const isPage = (): boolean => typeof window === 'object' && typeof document === 'object'

const isLast = (frame: WireFrame) => frame['done'] === true || isErrorFrame(frame)

/** @throws CitewellError if it is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw badAnswer(cause)
  }
}

function parseFrame(data: string): WireFrame {
  const frame = parseJson(data)
  if (typeof frame !== 'object' || frame === null) throw badAnswer()
  return frame as WireFrame
}

/**
 * Sends requests to one service.
 *
 * @param credentials - the headers that identify the caller
 */
export function createHttp(options: HttpOptions, credentials: Readonly<Record<string, string>>) {
  const base = new URL(options.endpoint)
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  const { retries = 2, timeoutMs = 60_000 } = options
  const send = options.fetch ?? ((...given: Parameters<typeof fetch>) => fetch(...given))

  async function attempt(call: Call, deadline: Deadline): Promise<Response> {
    const response = await send(new URL(`.${call.path}`, base).href, {
      method: call.method,
      headers: {
        ...options.headers,
        ...credentials,
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        ...call.headers,
      },
      body: call.form ?? (call.body === undefined ? null : JSON.stringify(call.body)),
      // A redirect is not followed: a key goes only to the endpoint that it was given for. (`error` is unknown to some runtimes.)
      redirect: 'manual',
      // Neither are cookies sent; runtimes without them do not know the option.
      ...(isPage() && { credentials: 'omit' }),
      signal: deadline.signal,
    })
    deadline.touch()
    if (!response.ok) throw await errorOfResponse(response)
    return response
  }

  /** Whatever was thrown, as the reason that ended the attempt, or as a failure of the connection. */
  const failure = (error: unknown, { signal }: Deadline, asError = unreachable) =>
    signal.aborted ? (signal.reason as Error) : asError(error)

  /** Sends a request and reads its JSON, or what `read` makes of it; undefined for 204. Repeats it by `retries`. */
  const json = (call: Call, headers?: () => Promise<Record<string, string>>): Promise<unknown> =>
    retry(
      async () => {
        const fresh = await headers?.()
        const deadline = createDeadline(call.signal, timeoutMs)
        try {
          const response = await attempt({ ...call, headers: { ...call.headers, ...fresh } }, deadline)
          if (response.status === 204) return undefined
          return (call.read ?? parseJson)(await response.text(), response)
        } catch (error) {
          throw failure(error, deadline)
        } finally {
          deadline.clear()
        }
      },
      { retries, signal: call.signal },
    )

  /** Sends a request and reads the frames of its stream, once. Ending the generator ends the request. */
  async function* frames(call: Call): AsyncGenerator<WireFrame, void, void> {
    const deadline = createDeadline(call.signal, timeoutMs)
    let events: AsyncGenerator<string, void, void> | undefined
    let isOver = false
    try {
      const { body } = await attempt(
        { ...call, headers: { accept: 'text/event-stream', ...call.headers } },
        deadline,
      )
      if (body === null) throw badAnswer()
      events = readEvents(body, () => deadline.touch())
      for (let step = await events.next(); step.done !== true; step = await events.next()) {
        const frame = parseFrame(step.value)
        isOver = isLast(frame)
        // The time of a slow reader is not the service's.
        deadline.touch(0)
        yield frame
        if (isOver) break
        deadline.touch()
      }
    } catch (error) {
      throw failure(error, deadline, events && streamCut)
    } finally {
      // The end of the body comes right after the last frame: read, it leaves a connection that can be used again.
      if (isOver && events !== undefined) deadline.touch(DRAIN_MS)
      else deadline.abort()
      void drain(events, isOver, deadline)
    }
  }

  return { json, frames, retries }
}

async function drain(
  events: AsyncGenerator<string, void, void> | undefined,
  isOver: boolean,
  deadline: Deadline,
): Promise<void> {
  try {
    if (isOver) await events?.next()
    await events?.return()
  } catch {
    // It is over, however it ended.
  } finally {
    deadline.clear()
  }
}
