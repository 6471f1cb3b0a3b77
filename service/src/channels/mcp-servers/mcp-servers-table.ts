export interface McpServersTable {
  knowledge_base_id: string
  id: string
  server_name: string
  sign_in_type: 'api_key' | 'public' | 'internal'
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    mcp_servers: McpServersTable
  }
}
