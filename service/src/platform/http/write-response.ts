import type { RouteResponse } from './routes.ts'
import { sseResponse, type SseWiring } from './sse.ts'

/** Writes a response. A HEAD request gets only the headers, and no stream is started for it. */
export function writeResponse(
  answer: RouteResponse,
  method: string,
  headers: Record<string, string>,
  wiring: Omit<SseWiring, 'headers'>,
): Response {
  if (answer.kind === 'events') {
    if (method !== 'HEAD') return sseResponse(answer.stream, { ...wiring, headers })
    return new Response(null, { headers: { ...headers, 'content-type': 'text/event-stream' } })
  }
  if (answer.kind === 'empty') return new Response(null, { status: 204, headers })
  const isJson = answer.kind === 'json'
  return new Response(isJson ? JSON.stringify(answer.value) : answer.text, {
    status: isJson ? answer.status : 200,
    headers: {
      'cache-control': 'no-store',
      ...headers,
      // A handler may say which of several formats it wrote.
      'content-type': isJson ? 'application/json' : (headers['content-type'] ?? answer.contentType),
    },
  })
}
