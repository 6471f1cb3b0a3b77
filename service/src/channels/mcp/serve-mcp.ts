import { createMcpHandler, ProtocolError, type McpServer } from '@modelcontextprotocol/server'
import { BODY_BYTES } from '@citewell/contract/limits'
import type { Context } from 'hono'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { isMcpOriginAllowed, requireMcpOrigin } from './check-origin.ts'
import { renderMcpRefusal } from './render-mcp-refusal.ts'

export interface ServeMcpDeps<Reader extends object> {
  /** The service's address, without a slash at its end; known once it listens. */
  publicUrl: () => string
  /** Origins of web clients, beside the service's own and those on the reader's own machine. */
  allowedOrigins: readonly string[]
  /** A server for one request, with what its reader may do there. */
  buildServer: (reader: Reader) => McpServer
  report: (fault: unknown, doing: string) => void
}

const READ_BY_PAGES = 'WWW-Authenticate, X-Request-Id, Retry-After, Mcp-Session-Id'
const SENT_BY_PAGES =
  'Authorization, Content-Type, Accept, X-Client-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID'

/** What a client sent wrong. It is told so, and it is no fault of ours: anybody with a key could fill the log with it. */
const isOfClient = (error: Error) =>
  error instanceof ProtocolError || error.message.startsWith('Rejected inbound request')

/**
 * Answers one request of the protocol, whatever is offered there: who may ask from where, who reads, and then the protocol itself.
 *
 * @returns serve(context, open): `open` finds out who reads, and throws a Refusal where nobody may
 */
export function createMcpServing<Reader extends object>(deps: ServeMcpDeps<Reader>) {
  const handler = createMcpHandler(
    // What `serve` put there for this request.
    (context) => deps.buildServer(context.authInfo?.extra?.['reader'] as Reader),
    {
      maxRequestBodySize: BODY_BYTES.json,
      onerror: (error) => {
        if (!isOfClient(error)) deps.report(error, 'an MCP request')
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
    // Set on the answer itself: what a handler returns as a whole response does not take over the context's headers.
    const readable = (answer: Response): Response => {
      if (!isAllowed) return answer
      answer.headers.set('access-control-allow-origin', origin)
      answer.headers.set('access-control-expose-headers', READ_BY_PAGES)
      answer.headers.append('vary', 'Origin')
      return answer
    }
    try {
      requireMcpOrigin(request, rule)
      if (request.method === 'OPTIONS') {
        context.header('access-control-allow-methods', 'POST, OPTIONS')
        context.header('access-control-allow-headers', SENT_BY_PAGES)
        return readable(context.body(null, 204))
      }
      const reader = await open(request)
      // The handler hands this to whoever makes the server; what was sent as a credential stays here.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { reader } }
      return readable(await handler.fetch(request, { authInfo }))
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault
      return readable(renderMcpRefusal(fault, context.get('requestId'), deps.publicUrl()))
    }
  }
}
