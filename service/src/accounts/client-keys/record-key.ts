import { recordActivity, type ActivityTables } from '../activity-log/activity-log.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { ClientKeyRow } from './client-keys-store.ts'

/** Records a change of a client key in the activity log, in the transaction that makes the change. */
export async function recordKey(
  transaction: Db<ActivityTables>,
  activity: {
    caller: Caller
    base: { id: string; workspace_id: string }
    row: ClientKeyRow
    action: 'created' | 'updated' | 'revoked'
    details?: Record<string, unknown>
    at: Date
  },
): Promise<void> {
  const { caller, base, row, action, details, at } = activity
  await recordActivity(transaction, {
    workspaceId: base.workspace_id,
    knowledgeBaseId: base.id,
    actor: caller,
    action: `client_key.${action}`,
    target: { type: 'client_key', id: row.id, name: row.name },
    ...(details !== undefined && { details }),
    at,
  })
}
