import { sql, type Selectable } from 'kysely'
import type { ConnectedToolsTable } from './oauth-tables.ts'
import type { ActivityTables } from '../../accounts/activity-log/activity-log.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { OAuthDb } from './oauth-store.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { PORTAL } from './protected-resources.ts'

export type ConnectedToolsDb = Db<
  | 'oauth_records'
  | 'connected_tools'
  | 'workspace_members'
  | 'users'
  | 'browser_sessions'
  | 'mcp_servers'
  | 'knowledge_bases'
  | ActivityTables
>

export type ConnectedToolRow = Selectable<ConnectedToolsTable>

/** The bases that a member chose for a tool at the portal. */
export interface ChosenBases {
  /** Every base that the member may chat in, including future ones. */
  readsAll: boolean
  knowledgeBaseIds: readonly string[]
}

export interface NewConnectedTool {
  id: string
  accountId: string
  grantHash: string
  serverId: string
  clientName: string
  redirectHost: string
  resource: string
  chosen: ChosenBases
}

/** Times come from the database clock, which all processes share. */
const now = sql<Date>`now()`

export async function saveConnectedTool(db: OAuthDb, tool: NewConnectedTool): Promise<void> {
  await db
    .insertInto('connected_tools')
    .values({
      id: tool.id,
      account_id: tool.accountId,
      grant_hash: tool.grantHash,
      server_id: tool.serverId,
      client_name: tool.clientName,
      redirect_host: tool.redirectHost,
      resource: tool.resource,
      reads_all: tool.chosen.readsAll,
      knowledge_base_ids: [...tool.chosen.knowledgeBaseIds],
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.columns(['grant_hash', 'server_id']).doNothing())
    .execute()
}

/** The connection of a grant with this server; undefined if it was revoked. */
export async function findConnection(db: OAuthDb, grantHash: string, serverId: string) {
  return await db
    .selectFrom('connected_tools')
    .select(['id', 'account_id', 'redirect_host', 'reads_all', 'knowledge_base_ids', 'last_used_at'])
    .where('grant_hash', '=', grantHash)
    .where('server_id', '=', serverId)
    .executeTakeFirst()
}

/** Records that a connection was used, unless a use was recorded after `unlessSince`. */
export async function touchConnection(
  db: OAuthDb,
  touched: { id: string; now: Date; unlessSince: Date },
): Promise<void> {
  await db
    .updateTable('connected_tools')
    .set({ last_used_at: touched.now })
    .where('id', '=', touched.id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', touched.unlessSince)]),
    )
    .execute()
}

/** Excludes connections with an expired grant, or whose server was deleted: their tools have to ask again. */
const isGranted = sql<boolean>`(exists (select from oauth_records
  where kind = 'Grant' and id_hash = connected_tools.grant_hash and (expires_at is null or expires_at > now()))
  and (connected_tools.server_id = ${PORTAL.id} or exists (
    select from mcp_servers where mcp_servers.id = connected_tools.server_id)))`

export async function listConnections(
  db: OAuthDb,
  of: PageRequest & { accountId: string },
): Promise<ConnectedToolRow[]> {
  return await db
    .selectFrom('connected_tools')
    .selectAll()
    .where('account_id', '=', of.accountId)
    .where(isGranted)
    .$if(of.after !== undefined, (query) => query.where('id', '>', of.after ?? ''))
    .orderBy('id')
    .limit(of.limit)
    .execute()
}

export async function findOwnConnection(
  db: OAuthDb,
  accountId: string,
  id: string,
): Promise<ConnectedToolRow | undefined> {
  return await db
    .selectFrom('connected_tools')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where(isGranted)
    .executeTakeFirst()
}

/** The base of a server, and its workspace; undefined if the server was deleted. */
export async function findBaseOfServer(
  db: Db<'mcp_servers' | 'knowledge_bases'>,
  serverId: string,
): Promise<{ workspaceId: string; knowledgeBaseId: string } | undefined> {
  return await db
    .selectFrom('mcp_servers')
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'mcp_servers.knowledge_base_id')
    .select(['knowledge_bases.workspace_id as workspaceId', 'knowledge_bases.id as knowledgeBaseId'])
    .where('mcp_servers.id', '=', serverId)
    .executeTakeFirst()
}

export async function updateChoice(
  db: OAuthDb,
  of: { accountId: string; id: string },
  chosen: ChosenBases,
): Promise<void> {
  await db
    .updateTable('connected_tools')
    .set({ reads_all: chosen.readsAll, knowledge_base_ids: [...chosen.knowledgeBaseIds], updated_at: now })
    .where('account_id', '=', of.accountId)
    .where('id', '=', of.id)
    .execute()
}

/** Deletes a connection with all of its codes and tokens. Undefined if there is no such connection. */
export async function deleteConnection(
  db: OAuthDb,
  accountId: string,
  id: string,
): Promise<ConnectedToolRow | undefined> {
  const row = await db
    .deleteFrom('connected_tools')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  await sql`delete from oauth_records where (grant_hash = ${row.grant_hash} or (kind = 'Grant' and id_hash = ${row.grant_hash}))
    and not exists (select from connected_tools where grant_hash = ${row.grant_hash})`.execute(db)
  return row
}

/** Deletes all connections of an account with their codes and tokens. Returns how many there were. */
export async function deleteConnectionsOf(db: OAuthDb, accountId: string): Promise<number> {
  const rows = await db
    .deleteFrom('connected_tools')
    .where('account_id', '=', accountId)
    .returning('grant_hash')
    .execute()
  const grants = rows.map(({ grant_hash: hash }) => hash)
  if (grants.length === 0) return 0
  await db
    .deleteFrom('oauth_records')
    .where((where) =>
      where.or([
        where('grant_hash', 'in', grants),
        where.and([where('kind', '=', 'Grant'), where('id_hash', 'in', grants)]),
      ]),
    )
    .execute()
  return grants.length
}

/** Deletes at most `most` connections whose grant is gone. Returns how many were deleted. */
export async function deleteUngranted(db: OAuthDb, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from connected_tools where (grant_hash, server_id) in (
    select grant_hash, server_id from connected_tools where not ${isGranted} limit ${most})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
