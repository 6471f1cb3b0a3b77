import type { McpServer } from '@citewell/contract/mcp-servers'
import type { UsedServer } from './mcp-servers-store.ts'

const NO_PROVIDER =
  'Readers cannot sign in: this service has no identity provider. Set CITEWELL_GOOGLE_CLIENT_ID and CITEWELL_GOOGLE_CLIENT_SECRET, those of GITHUB, or CITEWELL_OIDC_ISSUER, and restart the service. Until then the server answers 503.'

/**
 * The record in the management API.
 *
 * @param given.publicUrl the public URL of the service, without a trailing slash
 * @param given.offersMcpSignIn whether readers can sign in, which needs an identity provider
 */
export function presentMcpServer(
  row: UsedServer,
  { publicUrl, offersMcpSignIn }: { publicUrl: string; offersMcpSignIn: boolean },
): McpServer {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    server_name: row.server_name,
    sign_in_type: row.sign_in_type,
    url: mcpServerUrl(row.server_name, publicUrl),
    notice: row.sign_in_type === 'public' && !offersMcpSignIn ? NO_PROVIDER : null,
    calls: row.calls,
    readers: row.readers,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** The address that is given to an AI tool. */
export const mcpServerUrl = (serverName: string, publicUrl: string) => `${publicUrl}/mcp/${serverName}`
