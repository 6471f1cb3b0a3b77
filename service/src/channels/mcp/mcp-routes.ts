import { createMcpHandler } from '@modelcontextprotocol/server'
import { BODY_BYTES } from '@citewell/contract/limits'
import type { Context, Hono } from 'hono'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { buildMcpServer, type BuildServerDeps } from './build-server.ts'
import { isMcpOriginAllowed, requireMcpOrigin } from './check-origin.ts'
import type { McpReader } from './mcp-reader.ts'
import { createReaders, type OpenReaderDeps } from './open-reader.ts'
import { renderMcpRefusal } from './render-mcp-refusal.ts'

export interface McpRoutesDeps extends OpenReaderDeps, BuildServerDeps {
  /** The service's address, without a slash at its end; known once it listens. */
  publicUrl: () => string
  /** Origins of web clients, beside the service's own and those on the reader's own machine. */
  allowedOrigins: readonly string[]
}

const READ_BY_PAGES = 'WWW-Authenticate, X-Request-Id, Retry-After, Mcp-Session-Id'
const SENT_BY_PAGES =
  'Authorization, Content-Type, Accept, X-Client-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID'

/** The addresses that AI tools connect to: `/mcp` and `/mcp/<server_name>`, with or without a slash at the end. */
export function createMcpRoutes(deps: McpRoutesDeps) {
  const readers = createReaders(deps)
  const handler = createMcpHandler((context) => buildMcpServer(readerOf(context.authInfo?.extra), deps), {
    maxRequestBodySize: BODY_BYTES.json,
    onerror: (error) => deps.report(error, 'an MCP request'),
  })

  async function serve(
    context: Context<HttpEnv>,
    open: (request: Request) => Promise<McpReader>,
  ): Promise<Response> {
    const request = context.req.raw
    const rule = { publicUrl: deps.publicUrl(), allowedOrigins: deps.allowedOrigins }
    const origin = request.headers.get('origin')
    if (origin !== null && isMcpOriginAllowed(origin, rule)) {
      context.header('access-control-allow-origin', origin)
      context.header('access-control-expose-headers', READ_BY_PAGES)
      context.header('vary', 'Origin')
    }
    try {
      requireMcpOrigin(request, rule)
      if (request.method === 'OPTIONS') {
        context.header('access-control-allow-methods', 'POST, OPTIONS')
        context.header('access-control-allow-headers', SENT_BY_PAGES)
        return context.body(null, 204)
      }
      const reader = await open(request)
      // The handler hands this to whoever makes the server; what was sent as a credential stays here.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { reader } }
      return await handler.fetch(request, { authInfo })
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault
      return renderMcpRefusal(fault, context.get('requestId'), deps.publicUrl())
    }
  }

  return (app: Hono<HttpEnv>): void => {
    for (const path of ['/mcp', '/mcp/']) {
      app.all(path, async (context) => await serve(context, (request) => readers.atGenericAddress(request)))
    }
    for (const path of ['/mcp/:serverName', '/mcp/:serverName/']) {
      app.all(path, async (context) => {
        const serverName = context.req.param('serverName') ?? ''
        return await serve(context, (request) => readers.atServer(request, serverName))
      })
    }
  }
}

/** What `serve` put there for this request. */
const readerOf = (extra: Record<string, unknown> | undefined) => extra?.['reader'] as McpReader
