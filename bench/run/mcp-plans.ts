import type { Store } from '../store/store-folder.ts'
import { writeQuestion } from '../store/write-page.ts'
import type { RequestPlan } from './measure-requests.ts'

const REVISION = '2026-07-28'

/** The client information that each request of this revision contains. */
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** One kind of request to the generic MCP address, with the store's key. */
interface McpRequest {
  method: 'tools/list' | 'tools/call'
  /** For a call. */
  tool?: string
  inputOf?: (number: number) => Record<string, unknown>
  /** Text in every valid response. */
  holds: string
  /** A client of the previous revision of the protocol. */
  isLegacy?: boolean
}

function mcpPlan(address: string, store: Store, perSecond: number, asked: McpRequest): RequestPlan {
  const { method, tool, inputOf, isLegacy = false } = asked
  const ofRevision = {
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(tool !== undefined && { 'mcp-name': tool }),
  }
  return {
    target: {
      address,
      path: '/mcp',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${store.key}`,
        ...(!isLegacy && ofRevision),
      },
      holds: asked.holds,
    },
    bodyOf: (number) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: number,
        method,
        params: {
          ...(tool !== undefined && { name: tool, arguments: inputOf?.(number) ?? {} }),
          ...(!isLegacy && { _meta: ENVELOPE }),
        },
      }),
    perSecond,
  }
}

export const listPlan = (address: string, store: Store, isLegacy: boolean): RequestPlan =>
  mcpPlan(address, store, 10, { method: 'tools/list', holds: '"search_docs"', isLegacy })

export const listSourcesPlan = (address: string, store: Store, perSecond: number): RequestPlan =>
  mcpPlan(address, store, perSecond, {
    method: 'tools/call',
    tool: 'list_sources',
    holds: '"structuredContent"',
  })

/** Far from the seeds of the searches over HTTP: no question is asked twice. */
let nextSeed = 500_000_000

export function searchToolPlan(address: string, store: Store, perSecond: number): RequestPlan {
  const firstSeed = nextSeed
  nextSeed += 1_000_000
  return mcpPlan(address, store, perSecond, {
    method: 'tools/call',
    tool: 'search_docs',
    inputOf: (number) => ({ query: writeQuestion(store.pages, firstSeed + number), limit: 10 }),
    holds: '"structuredContent"',
  })
}
