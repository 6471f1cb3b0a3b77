import type { McpServer } from '@citewell/contract/mcp-servers'
import type { McpServerRow } from './mcp-servers-store.ts'

/** The record that the management API shows. `publicUrl` is the service's address, without a slash at its end. */
export function presentMcpServer(row: McpServerRow, publicUrl: string): McpServer {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    server_name: row.server_name,
    sign_in_type: row.sign_in_type,
    url: mcpServerUrl(row.server_name, publicUrl),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** What an AI tool is given. */
export const mcpServerUrl = (serverName: string, publicUrl: string) => `${publicUrl}/mcp/${serverName}`
