import type { Hono } from 'hono'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { buildMcpServer, type AboutServer, type BuildServerDeps, type McpRequest } from './build-server.ts'
import { openRequest, type McpRoutesDeps } from './mcp-routes.ts'
import type { PortalReader } from './mcp-reader.ts'
import { createReaders } from './open-reader.ts'
import { createMcpServing } from './serve-mcp.ts'
import type { PortalTool } from './tools/tool.ts'

export interface PortalRoutesDeps extends Omit<McpRoutesDeps, 'tools' | 'countMcpCall'> {
  tools: readonly PortalTool[]
}

/** Number of base names in the instructions, which a model reads before it has listed anything. */
const NAMES_SHOWN = 20

function aboutPortal({ bases }: PortalReader): AboutServer {
  const names = bases.slice(0, NAMES_SHOWN).map(({ name }) => `"${name}"`)
  const more = bases.length > NAMES_SHOWN ? ` and ${bases.length - NAMES_SHOWN} more` : ''
  return {
    name: 'citewell: portal',
    instructions: `Answers from the knowledge bases ${names.join(', ')}${more}. Search them before you answer questions about what they cover, and cite the addresses that they give.`,
  }
}

/** `/mcp/portal`: the knowledge bases of one person at one address. Mounted before the servers, whose route would match it too. */
export function createPortalRoutes(deps: PortalRoutesDeps) {
  const readers = createReaders(deps)
  const serving: BuildServerDeps<PortalReader> = { ...deps, about: aboutPortal }
  const serve = createMcpServing<McpRequest<PortalReader>>({
    ...deps,
    buildServer: (asked) => buildMcpServer(asked, serving),
  })

  return (app: Hono<HttpEnv>): void => {
    for (const path of ['/mcp/portal', '/mcp/portal/']) {
      app.all(path, async (context) => {
        return await serve(context, async (request) =>
          openRequest(await readers.atPortal(request), context, deps),
        )
      })
    }
  }
}
