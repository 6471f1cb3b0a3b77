import type { McpServer } from '@citewell/contract/mcp-servers'
import type { McpServerRow } from './mcp-servers-store.ts'

const NO_PROVIDER =
  'Readers cannot sign in: this service has no provider. Set CITEWELL_GOOGLE_CLIENT_ID and CITEWELL_GOOGLE_CLIENT_SECRET, those of GITHUB, or CITEWELL_OIDC_ISSUER, and start it again. Until then the server answers 503.'

/**
 * The record that the management API shows.
 *
 * @param given.publicUrl the service's address, without a slash at its end
 * @param given.offersMcpSignIn whether readers have a provider to sign in with
 */
export function presentMcpServer(
  row: McpServerRow,
  { publicUrl, offersMcpSignIn }: { publicUrl: string; offersMcpSignIn: boolean },
): McpServer {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    server_name: row.server_name,
    sign_in_type: row.sign_in_type,
    url: mcpServerUrl(row.server_name, publicUrl),
    notice: row.sign_in_type === 'public' && !offersMcpSignIn ? NO_PROVIDER : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** What an AI tool is given. */
export const mcpServerUrl = (serverName: string, publicUrl: string) => `${publicUrl}/mcp/${serverName}`
