import type { Selectable } from 'kysely'
import type { McpServersTable } from '../../platform/storage/channels-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type McpServersDb = Db<'mcp_servers' | 'knowledge_bases'>

export type McpServerRow = Selectable<McpServersTable>

/** The type of a base, which stays as it is until the transaction ends, and waits for others that make a server for it. */
export async function lockBaseForServers(
  transaction: McpServersDb,
  knowledgeBaseId: string,
): Promise<'external' | 'internal' | undefined> {
  const base = await transaction
    .selectFrom('knowledge_bases')
    .select('type')
    .where('id', '=', knowledgeBaseId)
    .forUpdate()
    .executeTakeFirst()
  return base?.type
}

/** False where the name is taken: by whichever base, and also by one that is claiming it at this moment. */
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

/** Deletes the servers of a base whose sign-in is none of these. */
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
