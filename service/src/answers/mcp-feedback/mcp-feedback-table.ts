export interface McpFeedbackTable {
  knowledge_base_id: string
  id: string
  message: string
  url: string | null
  server_name: string | null
  client_key_id: string | null
  user_ref: string | null
  created_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    mcp_feedback: McpFeedbackTable
  }
}
