import { recordActivity } from '../activity-log/activity-log.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { KnowledgeBaseChanges } from './knowledge-base-fields.ts'
import type { StoredBase, KnowledgeBasesDb } from './knowledge-bases-store.ts'

/** A change of a base, for the activity log. */
export interface BaseActivity {
  caller: Caller
  base: StoredBase
  action: 'created' | 'updated' | 'type_changed' | 'archived' | 'restored' | 'deleted'
  details?: Record<string, unknown>
  at: Date
}

/** Recorded with the base's name, which the entry keeps when the base is deleted. Last in the transaction. */
export async function recordBase(transaction: KnowledgeBasesDb, activity: BaseActivity): Promise<void> {
  const { caller, base, action, details, at } = activity
  await recordActivity(transaction, {
    workspaceId: base.workspace_id,
    knowledgeBaseId: base.id,
    actor: caller,
    action: `knowledge_base.${action}`,
    target: { type: 'knowledge_base', id: base.id, name: base.name },
    ...(details !== undefined && { details }),
    at,
  })
}

/** A change of settings: which fields, and the previous type or name. */
export async function recordBaseChange(
  transaction: KnowledgeBasesDb,
  changed: {
    caller: Caller
    before: StoredBase
    after: StoredBase
    changes: KnowledgeBaseChanges
    at: Date
  },
): Promise<void> {
  const { caller, before, after, changes, at } = changed
  const types = after.type === before.type ? {} : { from: before.type, to: after.type }
  const names = after.name === before.name ? {} : { name_before: before.name }
  await recordBase(transaction, {
    caller,
    base: after,
    action: after.type === before.type ? 'updated' : 'type_changed',
    details: { fields: Object.keys(changes).toSorted(), ...types, ...names },
    at,
  })
}
