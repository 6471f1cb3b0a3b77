import { McpServer } from '@modelcontextprotocol/server'
import type { McpReader } from './mcp-reader.ts'
import { faultOf } from './tool-result.ts'
import type { Tool } from './tools/tool.ts'
import { withinTime } from './within-time.ts'
import type { Refusal } from '../../kernel/refusal.ts'

export interface BuildServerDeps {
  tools: readonly Tool[]
  version: string
  /** Counts a call of a tool; the refusal where a limit is reached. */
  takeLimits: (reader: McpReader, countsAs: Tool['countsAs']) => Promise<Refusal | undefined>
  report: (fault: unknown, doing: string) => void
}

/** For how long a client may keep the list of tools: a switch of the base's settings shows then. */
const TOOLS_LAST_MS = 60_000

/**
 * A server for one request of one reader. Never shared: one that is used twice can send a reader another one's answer
 * (CVE-2026-25536).
 */
export function buildMcpServer(
  reader: McpReader,
  { tools, version, takeLimits, report }: BuildServerDeps,
): McpServer {
  const server = new McpServer(
    { name: `citewell: ${reader.base.name}`, version },
    {
      instructions: `Answers from the knowledge base "${reader.base.name}". Search it before you answer questions about it, and cite the addresses that it gives.`,
      cacheHints: { 'tools/list': { ttlMs: TOOLS_LAST_MS, cacheScope: 'private' } },
    },
  )
  for (const tool of tools.filter(({ isOffered }) => isOffered(reader))) {
    for (const name of tool.names(reader)) {
      server.registerTool(
        name,
        {
          title: tool.title,
          description: tool.description(reader),
          inputSchema: tool.input,
          outputSchema: tool.output,
          annotations: { title: tool.title, ...tool.annotations },
        },
        async (input, context) => {
          const { signal, _meta: meta, notify } = context.mcpReq
          const refusal = await takeLimits(reader, tool.countsAs)
          if (refusal !== undefined) return faultOf(refusal)
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
          try {
            return await withinTime(tool.timeoutSeconds, signal, (limited) =>
              tool.run(input, { reader, signal: limited, progress }),
            )
          } catch (fault) {
            if (!signal.aborted) report(fault, `the MCP tool ${name}`)
            throw new Error('Something went wrong here. Please try again.', { cause: fault })
          }
        },
      )
    }
  }
  return server
}
