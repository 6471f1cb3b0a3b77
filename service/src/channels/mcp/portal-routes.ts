import type { Hono } from 'hono'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { buildMcpServer, type AboutServer, type BuildServerDeps, type McpAsked } from './build-server.ts'
import { askedBy, type McpRoutesDeps } from './mcp-routes.ts'
import type { PortalReader } from './mcp-reader.ts'
import { createReaders } from './open-reader.ts'
import { createMcpServing } from './serve-mcp.ts'
import type { PortalTool } from './tools/tool.ts'

export interface PortalRoutesDeps extends Omit<McpRoutesDeps, 'tools'> {
  tools: readonly PortalTool[]
}

/** Names that a model is told before it has listed anything. */
const NAMES_TOLD = 20

function aboutPortal({ bases }: PortalReader): AboutServer {
  const names = bases.slice(0, NAMES_TOLD).map(({ name }) => `"${name}"`)
  const more = bases.length > NAMES_TOLD ? ` and ${bases.length - NAMES_TOLD} more` : ''
  return {
    name: 'citewell: portal',
    instructions: `Answers from the knowledge bases ${names.join(', ')}${more}. Search them before you answer questions about what they cover, and cite the addresses that they give.`,
  }
}

/** `/mcp/portal`: one person's knowledge bases at one address. Mounted before the servers, whose names it would be one of. */
export function createPortalRoutes(deps: PortalRoutesDeps) {
  const readers = createReaders(deps)
  const serving: BuildServerDeps<PortalReader> = { ...deps, about: aboutPortal }
  const serve = createMcpServing<McpAsked<PortalReader>>({
    ...deps,
    buildServer: (asked) => buildMcpServer(asked, serving),
  })

  return (app: Hono<HttpEnv>): void => {
    for (const path of ['/mcp/portal', '/mcp/portal/']) {
      app.all(path, async (context) => {
        return await serve(context, async (request) =>
          askedBy(await readers.atPortal(request), context, deps),
        )
      })
    }
  }
}
