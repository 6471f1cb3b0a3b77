import type { ClientKey } from '@citewell/contract/client-keys'
import type { ClientKeyRow } from './client-keys-store.ts'

/** The record that the management API shows: a public key can be read again, a secret never. */
export function presentClientKey(row: ClientKeyRow): ClientKey {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    name: row.name,
    kind: row.kind,
    ...(row.public_key !== null && { key: row.public_key }),
    ...(row.client_id !== null && { client_id: row.client_id }),
    allow_mcp_access: row.allow_mcp_access,
    allowed_origins: row.allowed_origins,
    allowed_source_group_ids: row.allowed_source_group_ids,
    status: row.status,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
