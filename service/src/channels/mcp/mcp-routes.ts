import type { Context, Hono } from 'hono'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { aboutOneBase, buildMcpServer, type BuildServerDeps, type McpAsked } from './build-server.ts'
import { callerOf } from './mcp-rate-limits.ts'
import type { AnyReader } from './mcp-reader.ts'
import { createReaders, type OpenReaderDeps } from './open-reader.ts'
import { createMcpServing, type ServeMcpDeps } from './serve-mcp.ts'
import type { McpLimits } from './take-mcp-limits.ts'

export interface McpRoutesDeps
  extends OpenReaderDeps, Omit<BuildServerDeps, 'about'>, Omit<ServeMcpDeps<McpAsked>, 'buildServer'> {
  limits: McpLimits
  /** The address of whoever asks, as far as proxies tell it. */
  whereFrom: (from: { clientAddress: string; forwardedFor: string | undefined }) => string
}

/** The addresses that AI tools connect to: `/mcp` and `/mcp/<server_name>`, with or without a slash at the end. */
export function createMcpRoutes(deps: McpRoutesDeps) {
  const readers = createReaders(deps)
  const serving = { ...deps, about: aboutOneBase }
  const serve = createMcpServing<McpAsked>({
    ...deps,
    buildServer: (asked) => buildMcpServer(asked, serving),
  })

  return (app: Hono<HttpEnv>): void => {
    for (const path of ['/mcp', '/mcp/']) {
      app.all(path, async (context) => {
        return await serve(context, async (request) =>
          askedBy(await readers.atGenericAddress(request), context, deps),
        )
      })
    }
    for (const path of ['/mcp/:serverName', '/mcp/:serverName/']) {
      app.all(path, async (context) => {
        const serverName = context.req.param('serverName') ?? ''
        return await serve(context, async (request) =>
          askedBy(await readers.atServer(request, serverName), context, deps),
        )
      })
    }
  }
}

/**
 * A request of a reader who was let in.
 *
 * @throws Refusal RATE_LIMITED for the request after the last that they may make in a minute
 */
export async function askedBy<Reader extends AnyReader>(
  reader: Reader,
  { env, req }: Context<HttpEnv>,
  { limits, whereFrom }: Pick<McpRoutesDeps, 'limits' | 'whereFrom'>,
): Promise<McpAsked<Reader>> {
  await limits.boundRequests(callerOf(reader))
  const clientAddress = env?.incoming?.socket.remoteAddress ?? ''
  const address = whereFrom({ clientAddress, forwardedFor: req.header('x-forwarded-for') })
  return { reader, cameFrom: `${address} ${req.header('user-agent') ?? ''}` }
}
