import { randomBytes } from 'node:crypto'
import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server'
import { serverCredentials } from '../../src/channels/mcp/mcp-credentials.ts'
import { createMcpServing } from '../../src/channels/mcp/serve-mcp.ts'
import { Refusal } from '../../src/kernel/refusal.ts'
import { createHttpApp } from '../../src/platform/http/http-app.ts'
import { createOpenStreams } from '../../src/platform/http/open-streams.ts'
import { serveHttp } from '../../src/platform/http/serve-http.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { addAskingTools } from './asking-tools.ts'
import { addContentTools } from './content-tools.ts'
import { addResourcesAndPrompts } from './resources-and-prompts.ts'

const KEY = 'key-of-the-fixture'

/**
 * An MCP server with every tool, resource and prompt that the conformance suite calls, behind the service's HTTP code: its server, its
 * checks of origin and host, its parsing of keys, its refusals.
 *
 * @returns `url`, and the `key` that it requires as a Bearer token
 */
export async function startMcpFixture() {
  const state = createRequestStateCodec({ key: randomBytes(32) })
  const faults: unknown[] = []
  let address = ''

  function buildServer(): McpServer {
    const server = new McpServer(
      { name: 'fixture', version: '1.0.0' },
      {
        capabilities: {
          logging: {},
          completions: {},
          tools: { listChanged: false },
          prompts: { listChanged: false },
          resources: { subscribe: true, listChanged: false },
        },
        requestState: { verify: state.verify },
      },
    )
    addContentTools(server)
    addAskingTools(server, state)
    addResourcesAndPrompts(server)
    return server
  }

  const serve = createMcpServing({
    publicUrl: () => address,
    allowedOrigins: [],
    buildServer,
    report: (fault) => faults.push(fault),
  })
  const openStreams = createOpenStreams()
  const app = createHttpApp({
    log: createLog('silent'),
    publicUrl: 'http://127.0.0.1',
    routes: [],
    openStreams,
    isStopping: () => false,
    pages: [
      (pages) =>
        pages.all('/mcp', async (context) => {
          return await serve(context, (request) => {
            const credentials = serverCredentials(request)
            const isKnown = credentials !== undefined && 'key' in credentials && credentials.key === KEY
            return isKnown ? Promise.resolve({}) : Promise.reject(new Refusal('UNAUTHENTICATED'))
          })
        }),
    ],
  })
  const server = await serveHttp({ fetch: app.fetch, host: '127.0.0.1', port: 0, openStreams })
  address = server.address
  return {
    url: `${address}/mcp`,
    key: KEY,
    faults,
    [Symbol.asyncDispose]: async () => await server.stop(0),
  }
}
