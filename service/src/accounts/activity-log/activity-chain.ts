import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

/** An entry as it is hashed and stored. `at` has milliseconds, the precision of a JavaScript date. */
export interface ChainedEntry {
  workspace_id: string
  sequence: number
  id: string
  knowledge_base_id: string | null
  actor_user_id: string | null
  actor_token_id: string | null
  actor_system: string | null
  action: string
  target_type: string
  target_id: string
  target_name: string | null
  details: Record<string, unknown>
  at: Date
}

/** The previous hash of a workspace's first entry. */
export const CHAIN_START = '0'.repeat(64)

/** SHA-256 of the previous hash and the entry as canonical JSON, in hex. */
export function hashEntry(previousHash: string, entry: ChainedEntry): string {
  const { at, ...fields } = entry
  const text = canonicalJson({ ...fields, at: at.toISOString() })
  return createHash('sha256').update(previousHash).update(text).digest('hex')
}
