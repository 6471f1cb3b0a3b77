/** The tools of MCP servers with client keys: all at the generic address, and the search at a server's own address. */
export const MCP_SURFACES = [
  'mcp-search',
  'mcp-ask',
  'mcp-sources',
  'mcp-documents',
  'mcp-server-search',
] as const

export type McpSurface = (typeof MCP_SURFACES)[number]

export interface McpRequest {
  address: string
  /** The name of the base's server. */
  serverName: string
  key: string
  query: string
  /** The address of a page to request as a whole. */
  pageUrl: string
}

const ofSurface = (surface: McpSurface, { query, pageUrl }: McpRequest) => {
  switch (surface) {
    case 'mcp-search':
    case 'mcp-server-search':
      return { name: 'search_docs', arguments: { query, limit: 20 } }
    case 'mcp-ask':
      return { name: 'ask_question', arguments: { question: query } }
    case 'mcp-sources':
      return { name: 'list_sources', arguments: {} }
    case 'mcp-documents':
      return { name: 'get_documents', arguments: { urls: [pageUrl] } }
  }
}

/** Calls one tool without a session, as a custom agent may. */
export const askMcp = async (surface: McpSurface, asked: McpRequest): Promise<Response> =>
  await fetch(new URL(surface === 'mcp-server-search' ? `/mcp/${asked.serverName}` : '/mcp', asked.address), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${asked.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: ofSurface(surface, asked) }),
  })
