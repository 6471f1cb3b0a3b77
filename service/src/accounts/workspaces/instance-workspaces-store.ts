import { sql } from 'kysely'
import type { PageRequest } from '../../kernel/paging.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { WorkspaceRow } from './workspaces-store.ts'
import type { WorkspacesTable } from './workspaces-tables.ts'

type InstanceDb = Db<'workspaces' | 'workspace_members' | 'knowledge_bases'>

/** A workspace with how many members and active bases it has, as text. */
export interface CountedWorkspace extends WorkspaceRow {
  member_count: string
  knowledge_base_count: string
}

const selectCounted = (db: InstanceDb) =>
  db
    .selectFrom('workspaces')
    .selectAll()
    .select([
      sql<string>`(select count(*) from workspace_members as m where m.workspace_id = workspaces.id)`.as(
        'member_count',
      ),
      sql<string>`(select count(*) from knowledge_bases as b where b.workspace_id = workspaces.id and b.status = 'active')`.as(
        'knowledge_base_count',
      ),
    ])

/** The workspaces of the whole instance, the oldest first. */
export async function listAllWorkspaces(db: InstanceDb, page: PageRequest): Promise<CountedWorkspace[]> {
  return await selectCounted(db)
    .$if(page.after !== undefined, (query) => query.where('id', '>', page.after ?? ''))
    .orderBy('id')
    .limit(page.limit)
    .execute()
}

export async function findCountedWorkspace(
  db: InstanceDb,
  workspaceId: string,
): Promise<CountedWorkspace | undefined> {
  return await selectCounted(db).where('id', '=', workspaceId).executeTakeFirst()
}

export async function insertWorkspace(
  db: InstanceDb,
  given: { id: string; name: string; plan: WorkspacesTable['plan']; now: Date },
): Promise<void> {
  const { now, ...fields } = given
  await db
    .insertInto('workspaces')
    .values({ ...fields, zero_data_retention: false, created_at: now, updated_at: now })
    .execute()
}
