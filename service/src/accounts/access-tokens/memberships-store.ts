import { sql, type RawBuilder } from 'kysely'
import type { Grant, Role } from '../permissions/permissions.ts'

/**
 * SQL: the workspaces and the grants of a user, as two columns, so that the statement that authenticates a caller also reads what they may
 * do.
 *
 * @param userId the column with the user's id
 * @param reaches a condition on `m.workspace_id`, for a credential that does not reach all workspaces of its user
 */
export const membershipsOf = (userId: string, reaches: RawBuilder<boolean> = sql<boolean>`true`) => [
  sql<{ id: string; role: Role }[]>`(
    select coalesce(json_agg(json_build_object('id', m.workspace_id, 'role', m.role) order by m.workspace_id), '[]')
    from workspace_members as m where m.user_id = ${sql.ref(userId)} and ${reaches})`.as('workspaces'),
  sql<Grant[]>`(
    select coalesce(json_agg(
      json_build_object('knowledgeBaseId', g.knowledge_base_id, 'permissions', g.permissions) order by g.knowledge_base_id), '[]')
    from knowledge_base_grants as g where g.user_id = ${sql.ref(userId)})`.as('grants'),
]
