export interface McpServersTable {
  knowledge_base_id: string
  id: string
  server_name: string
  sign_in_type: 'api_key' | 'public' | 'internal'
  last_used_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface McpServerCallsTable {
  knowledge_base_id: string
  mcp_server_id: string
  /** `2026-11-23`, UTC. */
  day: string
  /** A pseudonym; empty for those who are not told apart. */
  reader: string
  calls: number
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    mcp_servers: McpServersTable
    mcp_server_calls: McpServerCallsTable
  }
}
