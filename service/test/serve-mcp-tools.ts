import { RATE_LIMITS } from '@citewell/contract/limits'
import { Hono } from 'hono'
import { buildMcpServer, type McpRequest } from '../src/channels/mcp/build-server.ts'
import { createMcpServing } from '../src/channels/mcp/serve-mcp.ts'
import { openRequest } from '../src/channels/mcp/mcp-routes.ts'
import { callerOf } from '../src/channels/mcp/mcp-rate-limits.ts'
import type { AnyReader } from '../src/channels/mcp/mcp-reader.ts'
import { createInFlightCalls } from '../src/channels/mcp/in-flight-calls.ts'
import { createMcpLimits } from '../src/channels/mcp/take-mcp-limits.ts'
import type { Tool } from '../src/channels/mcp/tools/tool.ts'
import type { HttpEnv } from '../src/platform/http/http-app.ts'
import { createRateLimits, type RateLimits } from '../src/platform/rate-limits/rate-limits.ts'

export interface ToolCallAnswer {
  status: number
  headers: Headers
  isError: boolean
  text: string
  /** The remaining calls, as the result reports them to programs. */
  left: { name: string; limit: number; remaining: number; reset_seconds: number }[]
}

interface Message {
  result?: { isError?: boolean; content?: { text?: string }[]; _meta?: Record<string, unknown> }
}

async function readAnswer(response: Response): Promise<ToolCallAnswer> {
  const body = await response.text()
  const line = body.split('\n').find((each) => each.startsWith('data: '))
  const { result } = JSON.parse(line?.slice(6) ?? body) as Message
  const { _meta: meta } = result ?? {}
  return {
    status: response.status,
    headers: response.headers,
    isError: result?.isError ?? false,
    text: result?.content?.[0]?.text ?? body,
    left: (meta?.['citewell/limits'] ?? []) as ToolCallAnswer['left'],
  }
}

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

/** Tools behind the protocol and its limits; each call names its reader, without signing in. */
export async function serveMcpTools<Reader extends AnyReader>(
  tools: readonly Tool<Tool['input'], Reader>[],
  given: { rateLimits?: RateLimits; countCall?: () => void } = {},
) {
  const rateLimits = given.rateLimits ?? (await createRateLimits({ isOn: true, executeShared: undefined }))
  const ownRateLimits = await createRateLimits({ isOn: true, executeShared: undefined })
  const limits = createMcpLimits({ rateLimits, ownRateLimits, publicLimits: RATE_LIMITS })
  const faults: unknown[] = []
  const report = (fault: unknown) => void faults.push(fault)
  const deps = { tools, limits, inFlightCalls: createInFlightCalls(), version: '1', report, ...given }
  let readerOf: () => Reader
  const serve = createMcpServing<McpRequest<Reader>>({
    publicUrl: () => 'http://localhost',
    allowedOrigins: [],
    report,
    buildServer: (asked) =>
      buildMcpServer(asked, { ...deps, about: () => ({ name: 'test', instructions: '' }) }),
  })
  const app = new Hono<HttpEnv>()
  app.all('/mcp', async (context) => {
    const reader = readerOf()
    return await serve(context, () => openRequest(reader, context, { limits, clientAddressOf: () => '' }))
  })

  async function send(reader: Reader, method: string, params: object): Promise<ToolCallAnswer> {
    readerOf = () => reader
    const response = await app.request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        host: 'localhost',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return await readAnswer(response)
  }

  return {
    faults,
    call: (reader: Reader, name: string, input: Record<string, unknown> = {}) =>
      send(reader, 'tools/call', { name, arguments: input }),
    list: (reader: Reader) => send(reader, 'tools/list', {}),
    initialize: (reader: Reader) => send(reader, 'initialize', INITIALIZE),
    /** Counts a call as one that was made, without the protocol around it. */
    countCall: (reader: Reader, countsAs: Tool['countsAs']) => limits.takeCall(callerOf(reader), countsAs),
    /** Counts a request of any kind. */
    countRequest: (reader: Reader) => limits.limitRequests(callerOf(reader)),
  }
}
