import { McpServer, type CallToolResult, type ServerContext } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { withKeptJsonSchema } from './kept-schema.ts'
import { callerOf } from './mcp-rate-limits.ts'
import type { AnyReader, McpReader } from './mcp-reader.ts'
import type { CallOf, OpenCalls } from './open-calls.ts'
import type { McpLimits } from './take-mcp-limits.ts'
import { limitFault, limitsMeta } from './tell-limits.ts'
import type { Tool } from './tools/tool.ts'
import { withinTime } from './within-time.ts'

/** What a server says of itself. */
export interface AboutServer {
  name: string
  /** For a model: what it is good for. */
  instructions: string
}

export interface BuildServerDeps<Reader extends AnyReader = McpReader> {
  tools: readonly Tool<z.ZodType, Reader>[]
  about: (reader: Reader) => AboutServer
  version: string
  limits: Pick<McpLimits, 'takeCall'>
  openCalls: OpenCalls
  report: (fault: unknown, doing: string) => void
}

/** One request: who reads, and from where. */
export interface McpAsked<Reader extends AnyReader = McpReader> {
  reader: Reader
  /** Tells the clients of one reader apart: the address, and the program's name for itself. */
  cameFrom: string
}

/** Of a server that reads one base. */
export const aboutOneBase = ({ base }: McpReader): AboutServer => ({
  name: `citewell: ${base.name}`,
  instructions: `Answers from the knowledge base "${base.name}". Search it before you answer questions about it, and cite the addresses that it gives.`,
})

/** For how long a client may keep the list of tools: a switch of the base's settings shows then. */
const TOOLS_LAST_MS = 60_000

/**
 * A server for one request of one reader. Never shared: one that is used twice can send a reader another one's answer
 * (CVE-2026-25536).
 */
export function buildMcpServer<Reader extends AnyReader>(
  asked: McpAsked<Reader>,
  deps: BuildServerDeps<Reader>,
): McpServer {
  const { reader, cameFrom } = asked
  const { name: serverName, instructions } = deps.about(reader)
  const server = new McpServer(
    { name: serverName, version: deps.version },
    {
      instructions,
      // Nobody is told of a change: each request stands alone, and clients ask again when the list is old.
      capabilities: { tools: { listChanged: false } },
      cacheHints: { 'tools/list': { ttlMs: TOOLS_LAST_MS, cacheScope: 'private' } },
    },
  )
  const callOf = (requestId: CallOf['requestId']): CallOf => ({
    caller: reader.userRef ?? reader.clientKeyId ?? '',
    cameFrom,
    serverName: reader.serverName,
    requestId,
  })
  server.server.setNotificationHandler('notifications/cancelled', ({ params }) => {
    if (params.requestId !== undefined) deps.openCalls.cancel(callOf(params.requestId))
  })
  for (const tool of deps.tools.filter(({ isOffered }) => isOffered(reader))) {
    for (const name of tool.names(reader)) {
      server.registerTool(
        name,
        {
          title: tool.title,
          description: tool.description(reader),
          inputSchema: withKeptJsonSchema(tool.input),
          outputSchema: withKeptJsonSchema(tool.output),
          annotations: { title: tool.title, ...tool.annotations },
        },
        async (input, context) => {
          // Closing the server also ends the connection that waits: a cancelled call is not answered.
          const over = deps.openCalls.begin(callOf(context.mcpReq.id), () => void server.close())
          try {
            return await callTool(tool, input, { reader, context }, deps)
          } catch (fault) {
            if (!context.mcpReq.signal.aborted) deps.report(fault, `the MCP tool ${name}`)
            throw new Error('Something went wrong here. Please try again.', { cause: fault })
          } finally {
            over()
          }
        },
      )
    }
  }
  return server
}

async function callTool<Reader extends AnyReader>(
  tool: Tool<z.ZodType, Reader>,
  input: unknown,
  { reader, context }: { reader: Reader; context: ServerContext },
  { limits }: BuildServerDeps<Reader>,
): Promise<CallToolResult> {
  const { signal, _meta: meta, notify } = context.mcpReq
  const caller = callerOf(reader)
  const { isAllowed, states } = await limits.takeCall(caller, tool.countsAs)
  if (!isAllowed) return limitFault(states, 'clientKeyId' in caller ? 'key' : 'person')
  const token = meta?.progressToken
  let told = 0
  const progress = (message: string) => {
    if (token === undefined) return
    told += 1
    void notify({
      method: 'notifications/progress',
      params: { progressToken: token, progress: told, message },
    }).catch(() => {})
  }
  const result = await withinTime(tool.timeoutSeconds, signal, (limited) =>
    tool.run(input, { reader, signal: limited, progress }),
  )
  return { ...result, ...limitsMeta(states) }
}
