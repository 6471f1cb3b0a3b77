import type { Selectable } from 'kysely'
import type { McpServersTable } from './mcp-servers-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type McpServersDb = Db<'mcp_servers' | 'mcp_server_calls' | 'knowledge_bases' | 'workspaces'>

export type McpServerRow = Selectable<McpServersTable>

/** A server with how much it was used lately. */
export interface UsedServer extends McpServerRow {
  calls: number
  /** Null if readers are not told apart, which zero retention forbids. */
  readers: number | null
}

/** False if the name is taken by any base, also by a concurrent claim. */
export async function claimServer(db: Db<'mcp_servers'>, server: McpServerRow): Promise<boolean> {
  const row = await db
    .insertInto('mcp_servers')
    .values(server)
    .onConflict((conflict) => conflict.column('server_name').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The oldest server of the base with public sign-in. */
export async function findPublicServer(
  db: McpServersDb,
  knowledgeBaseId: string,
): Promise<McpServerRow | undefined> {
  return await db
    .selectFrom('mcp_servers')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('sign_in_type', '=', 'public')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Deletes the servers of a base whose sign-in type is not in the list. */
export async function deleteServersBut(
  db: Db<'mcp_servers'>,
  knowledgeBaseId: string,
  signInTypes: readonly McpServerRow['sign_in_type'][],
): Promise<void> {
  await db
    .deleteFrom('mcp_servers')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('sign_in_type', 'not in', signInTypes)
    .execute()
}
