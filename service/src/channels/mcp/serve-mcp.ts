import { createMcpHandler, ProtocolError, type McpServer } from '@modelcontextprotocol/server'
import { BODY_BYTES } from '@citewell/contract/limits'
import type { Context } from 'hono'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { requireLength } from '../../platform/http/read-body.ts'
import { isMcpOriginAllowed, requireMcpOrigin } from './check-origin.ts'
import { renderMcpRefusal } from './render-mcp-refusal.ts'

export interface ServeMcpDeps<Reader extends object> {
  /** Public URL of the service, without a trailing slash; known once it listens. */
  publicUrl: () => string
  /** Allowed origins of web clients, in addition to the service's own origin and loopback addresses. */
  allowedOrigins: readonly string[]
  /** Builds a server for one request of this reader. */
  buildServer: (reader: Reader) => McpServer
  report: (fault: unknown, doing: string) => void
}

const EXPOSED_HEADERS = 'WWW-Authenticate, X-Request-Id, Retry-After, Mcp-Session-Id'
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Accept, X-Client-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID'

/** Errors caused by the client. They are answered, but not reported: anyone with a key could fill the log with them. */
const isClientError = (error: Error) =>
  error instanceof ProtocolError || error.message.startsWith('Rejected inbound request')

/**
 * Handles one request of the protocol: checks the origin, authenticates the reader, and then runs the protocol.
 *
 * @returns serve(context, open): `open` authenticates the reader, and throws a Refusal if that fails
 */
export function createMcpServing<Reader extends object>(deps: ServeMcpDeps<Reader>) {
  const handler = createMcpHandler(
    // Set by `serve` for this request.
    (context) => deps.buildServer(context.authInfo?.extra?.['reader'] as Reader),
    {
      maxRequestBodySize: BODY_BYTES.json,
      onerror: (error) => {
        if (!isClientError(error)) deps.report(error, 'an MCP request')
      },
    },
  )

  return async function serve(
    context: Context<HttpEnv>,
    open: (request: Request) => Promise<Reader>,
  ): Promise<Response> {
    const request = context.req.raw
    const rule = { publicUrl: deps.publicUrl(), allowedOrigins: deps.allowedOrigins }
    const origin = request.headers.get('origin')
    const isAllowed = origin !== null && isMcpOriginAllowed(origin, rule)
    // Set on the response itself: a complete response returned by a handler does not inherit headers of the context.
    const readable = (answer: Response): Response => {
      if (!isAllowed) return answer
      answer.headers.set('access-control-allow-origin', origin)
      answer.headers.set('access-control-expose-headers', EXPOSED_HEADERS)
      answer.headers.append('vary', 'Origin')
      return answer
    }
    try {
      requireMcpOrigin(request, rule)
      requireLength(request, BODY_BYTES.json)
      if (request.method === 'OPTIONS') {
        context.header('access-control-allow-methods', 'POST, OPTIONS')
        context.header('access-control-allow-headers', ALLOWED_HEADERS)
        return readable(context.body(null, 204))
      }
      const reader = await open(request)
      // The handler passes this to `buildServer`; the credentials themselves are not passed on.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { reader } }
      return readable(await handler.fetch(request, { authInfo }))
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault
      return readable(renderMcpRefusal(fault, context.get('requestId'), deps.publicUrl()))
    }
  }
}
