import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { withCachedJsonSchema } from './cached-json-schema.ts'
import { CheckedMcpServer } from './checked-server.ts'
import { callerOf } from './mcp-rate-limits.ts'
import type { AnyReader, McpReader } from './mcp-reader.ts'
import type { CallIdentity, InFlightCalls } from './in-flight-calls.ts'
import type { McpLimits } from './take-mcp-limits.ts'
import { rateLimitError, rateLimitMeta } from './rate-limit-meta.ts'
import type { Tool } from './tools/tool.ts'
import { withToolTimeout } from './tool-timeout.ts'

/** Name and instructions of a server. */
export interface AboutServer {
  name: string
  /** For a model: what the server is good for. */
  instructions: string
}

export interface BuildServerDeps<Reader extends AnyReader = McpReader> {
  tools: readonly Tool<z.ZodType, Reader>[]
  about: (reader: Reader) => AboutServer
  version: string
  limits: Pick<McpLimits, 'takeCall'>
  inFlightCalls: InFlightCalls
  /** Counts a call that no limit refused. */
  countCall?: (asked: McpRequest<Reader>) => void
  report: (fault: unknown, doing: string) => void
}

/** A request: its reader, and the client it came from. */
export interface McpRequest<Reader extends AnyReader = McpReader> {
  reader: Reader
  /** Tells the clients of one reader apart: the address, and the User-Agent. */
  cameFrom: string
  /** The client address; empty if unknown. */
  address: string
}

/** The description of a server that reads one base. */
export const aboutOneBase = ({ base }: McpReader): AboutServer => ({
  name: `citewell: ${base.name}`,
  instructions: `Answers from the knowledge base "${base.name}". Search it before you answer questions about it, and cite the addresses that it gives.`,
})

/** How long a client may cache the list of tools: a changed setting of the base shows after this time. */
const TOOL_LIST_TTL_MS = 60_000

/**
 * A server for one request of one reader. Never shared: a server that is used twice can send a reader the answer of another one
 * (CVE-2026-25536).
 */
export function buildMcpServer<Reader extends AnyReader>(
  asked: McpRequest<Reader>,
  deps: BuildServerDeps<Reader>,
): McpServer {
  const { reader, cameFrom } = asked
  const { name: serverName, instructions } = deps.about(reader)
  const server = new CheckedMcpServer(
    { name: serverName, version: deps.version },
    {
      instructions,
      // No change notifications: requests are stateless, and clients list the tools again when their cache expires.
      capabilities: { tools: { listChanged: false } },
      cacheHints: { 'tools/list': { ttlMs: TOOL_LIST_TTL_MS, cacheScope: 'private' } },
    },
  )
  const callIdentity = (requestId: CallIdentity['requestId']): CallIdentity => ({
    caller: reader.userRef ?? reader.clientKeyId ?? '',
    cameFrom,
    serverName: reader.serverName,
    requestId,
  })
  server.server.setNotificationHandler('notifications/cancelled', ({ params }) => {
    if (params.requestId !== undefined) deps.inFlightCalls.cancel(callIdentity(params.requestId))
  })
  for (const tool of deps.tools.filter(({ isOffered }) => isOffered(reader))) {
    for (const name of tool.names(reader)) {
      server.registerTool(
        name,
        {
          title: tool.title,
          description: tool.description(reader),
          inputSchema: withCachedJsonSchema(tool.input),
          outputSchema: withCachedJsonSchema(tool.output),
          annotations: { title: tool.title, ...tool.annotations },
        },
        async (input, context) => {
          // Closing the server also ends the waiting connection: a cancelled call gets no response.
          const over = deps.inFlightCalls.begin(callIdentity(context.mcpReq.id), () => void server.close())
          try {
            return await callTool(tool, input, { asked, context }, deps)
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
  { asked, context }: { asked: McpRequest<Reader>; context: ServerContext },
  { limits, countCall }: BuildServerDeps<Reader>,
): Promise<CallToolResult> {
  const { reader } = asked
  const { signal, _meta: meta, notify } = context.mcpReq
  const caller = callerOf(reader)
  const { isAllowed, states } = await limits.takeCall(caller, tool.countsAs)
  if (!isAllowed) return rateLimitError(states, 'clientKeyId' in caller ? 'key' : 'person')
  countCall?.(asked)
  const token = meta?.progressToken
  let progressCount = 0
  const progress = (message: string) => {
    if (token === undefined) return
    progressCount += 1
    void notify({
      method: 'notifications/progress',
      params: { progressToken: token, progress: progressCount, message },
    }).catch(() => {})
  }
  const result = await withToolTimeout(tool.timeoutSeconds, signal, (limited) =>
    tool.run(input, { reader, signal: limited, progress }),
  )
  return { ...result, ...rateLimitMeta(states) }
}
