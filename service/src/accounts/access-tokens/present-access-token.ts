import type { AccessToken } from '@citewell/contract/access-tokens'
import type { TokenScope } from '@citewell/contract/endpoint'
import type { AccessTokenRow } from './access-tokens-store.ts'

/** The record that the management API shows: never the token itself. */
export function presentAccessToken(row: AccessTokenRow): AccessToken {
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    token_start: row.token_start,
    scopes: row.scopes as TokenScope[],
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
