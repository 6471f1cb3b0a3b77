import type { Context, Hono } from 'hono'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { requestSource, type RequestSource } from '../../platform/http/request-source.ts'
import { aboutOneBase, buildMcpServer, type BuildServerDeps, type McpRequest } from './build-server.ts'
import { callerOf } from './mcp-rate-limits.ts'
import type { AnyReader } from './mcp-reader.ts'
import { createReaders, type OpenReaderDeps } from './open-reader.ts'
import { createMcpServing, type ServeMcpDeps } from './serve-mcp.ts'
import type { McpCalls } from '../mcp-servers/mcp-servers.ts'
import type { McpLimits } from './take-mcp-limits.ts'

export interface McpRoutesDeps
  extends
    OpenReaderDeps,
    Omit<BuildServerDeps, 'about' | 'countCall'>,
    Omit<ServeMcpDeps<McpRequest>, 'buildServer'> {
  limits: McpLimits
  /** Counts a call of a tool of a server. */
  countMcpCall: McpCalls['count']
  /** The client address, considering trusted proxies. */
  clientAddressOf: (source: RequestSource) => string
}

/** The addresses that AI tools connect to: `/mcp` and `/mcp/<server_name>`, with or without a trailing slash. */
export function createMcpRoutes(deps: McpRoutesDeps) {
  const readers = createReaders(deps)
  /** The generic address is no server. */
  const countCall = ({ reader, address }: McpRequest): void => {
    const { base, serverId, userRef } = reader
    if (serverId === undefined) return
    const zeroRetention = base.zero_data_retention
    deps.countMcpCall({ knowledgeBaseId: base.id, serverId, caller: userRef ?? address, zeroRetention })
  }
  const serving = { ...deps, about: aboutOneBase, countCall }
  const serve = createMcpServing<McpRequest>({
    ...deps,
    buildServer: (asked) => buildMcpServer(asked, serving),
  })

  return (app: Hono<HttpEnv>): void => {
    for (const path of ['/mcp', '/mcp/']) {
      app.all(path, async (context) => {
        return await serve(context, async (request) =>
          openRequest(await readers.atGenericAddress(request), context, deps),
        )
      })
    }
    for (const path of ['/mcp/:serverName', '/mcp/:serverName/']) {
      app.all(path, async (context) => {
        const serverName = context.req.param('serverName') ?? ''
        return await serve(context, async (request) =>
          openRequest(await readers.atServer(request, serverName), context, deps),
        )
      })
    }
  }
}

/**
 * Counts the request of an authenticated reader, and adds what tells its client apart.
 *
 * @throws Refusal RATE_LIMITED beyond the limit of requests per minute
 */
export async function openRequest<Reader extends AnyReader>(
  reader: Reader,
  { env, req }: Context<HttpEnv>,
  { limits, clientAddressOf }: Pick<McpRoutesDeps, 'limits' | 'clientAddressOf'>,
): Promise<McpRequest<Reader>> {
  await limits.limitRequests(callerOf(reader))
  const address = clientAddressOf(requestSource(env?.incoming))
  return { reader, address, cameFrom: `${address} ${req.header('user-agent') ?? ''}` }
}
