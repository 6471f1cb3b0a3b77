import type { GrantedPermission } from '@citewell/contract/endpoint'
import { sql, type Selectable } from 'kysely'
import type { KnowledgeBaseGrantsTable } from './knowledge-base-grants-table.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { ActivityTables } from '../activity-log/activity-log.ts'
import type { Role } from '../permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type GrantsDb = Db<'knowledge_base_grants' | 'workspace_members' | 'knowledge_bases' | ActivityTables>

export type GrantRow = Selectable<KnowledgeBaseGrantsTable>

/** The role of a user in a workspace, locked until the transaction ends. */
export async function lockRole(
  transaction: GrantsDb,
  of: { workspaceId: string; userId: string },
): Promise<Role | undefined> {
  const member = await transaction
    .selectFrom('workspace_members')
    .select('role')
    .where('workspace_id', '=', of.workspaceId)
    .where('user_id', '=', of.userId)
    .forShare()
    .executeTakeFirst()
  return member?.role
}

/** Writes a grant and replaces the previous one. */
export async function putGrant(
  db: Db<'knowledge_base_grants'>,
  grant: {
    workspaceId: string
    knowledgeBaseId: string
    userId: string
    permissions: GrantedPermission[]
    now: Date
  },
): Promise<GrantRow> {
  return await db
    .insertInto('knowledge_base_grants')
    .values({
      workspace_id: grant.workspaceId,
      knowledge_base_id: grant.knowledgeBaseId,
      user_id: grant.userId,
      permissions: grant.permissions,
      created_at: grant.now,
      updated_at: grant.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['knowledge_base_id', 'user_id'])
        .doUpdateSet({ permissions: grant.permissions, updated_at: grant.now }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** False if there is no such grant. */
export async function deleteGrant(
  db: GrantsDb,
  of: { knowledgeBaseId: string; userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('knowledge_base_grants')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('user_id', '=', of.userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function listGrants(
  db: GrantsDb,
  of: PageRequest & { knowledgeBaseId: string },
): Promise<GrantRow[]> {
  return await db
    .selectFrom('knowledge_base_grants')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(of.after !== undefined, (query) => query.where('user_id', '>', of.after ?? ''))
    .orderBy('user_id')
    .limit(of.limit)
    .execute()
}

/** The last grant of a page over all bases. */
export interface GrantPosition {
  knowledgeBaseId: string
  userId: string
}

/** The grants on all bases of a workspace, by base, then by person. */
export async function listGrantsOfWorkspace(
  db: GrantsDb,
  of: { workspaceId: string; after: GrantPosition | undefined; limit: number },
): Promise<GrantRow[]> {
  const { after } = of
  return await db
    .selectFrom('knowledge_base_grants')
    .selectAll()
    .where('workspace_id', '=', of.workspaceId)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(knowledge_base_id, user_id) > (${after?.knowledgeBaseId}::uuid, ${after?.userId}::uuid)`,
      ),
    )
    .orderBy('knowledge_base_id')
    .orderBy('user_id')
    .limit(of.limit)
    .execute()
}
