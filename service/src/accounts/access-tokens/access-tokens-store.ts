import type { Selectable } from 'kysely'
import type { AccessTokensTable, WorkspaceMembersTable } from '../../platform/storage/accounts-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type AccessTokensDb = Db<'access_tokens' | 'workspace_members'>

export type AccessTokenRow = Selectable<AccessTokensTable>

export async function insertAccessToken(db: Db<'access_tokens'>, token: AccessTokenRow): Promise<void> {
  await db.insertInto('access_tokens').values(token).execute()
}

export interface TokenHolder {
  token: AccessTokenRow
  workspaces: { id: string; role: WorkspaceMembersTable['role'] }[]
}

/** The token with this hash, and where its person is a member, in one statement: it runs before every request. */
export async function findTokenHolder(
  db: AccessTokensDb,
  tokenHash: string,
): Promise<TokenHolder | undefined> {
  const rows = await db
    .selectFrom('access_tokens')
    .leftJoin('workspace_members', 'workspace_members.user_id', 'access_tokens.user_id')
    .selectAll('access_tokens')
    .select(['workspace_members.workspace_id', 'workspace_members.role'])
    .where('access_tokens.token_hash', '=', tokenHash)
    .execute()
  const [first] = rows
  if (first === undefined) return undefined
  const { workspace_id: _workspaceId, role: _role, ...token } = first
  const workspaces = rows.flatMap(({ workspace_id, role }) =>
    workspace_id === null || role === null ? [] : [{ id: workspace_id, role }],
  )
  return { token, workspaces }
}

/** Writes down that a token was used, unless that was done after `unlessSince`. */
export async function touchAccessToken(
  db: AccessTokensDb,
  touched: { id: string; now: Date; unlessSince: Date },
): Promise<void> {
  await db
    .updateTable('access_tokens')
    .set({ last_used_at: touched.now })
    .where('id', '=', touched.id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', touched.unlessSince)]),
    )
    .execute()
}

export async function findAccessToken(
  db: AccessTokensDb,
  userId: string,
  tokenId: string,
): Promise<AccessTokenRow | undefined> {
  return await db
    .selectFrom('access_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', tokenId)
    .executeTakeFirst()
}

export async function listAccessTokens(
  db: AccessTokensDb,
  of: { userId: string; after: string | undefined; limit: number },
): Promise<AccessTokenRow[]> {
  return await db
    .selectFrom('access_tokens')
    .selectAll()
    .where('user_id', '=', of.userId)
    .$if(of.after !== undefined, (query) => query.where('id', '>', of.after ?? ''))
    .orderBy('id')
    .limit(of.limit)
    .execute()
}

/** Deletes a token of this person. False when there is none such. */
export async function deleteAccessToken(
  db: AccessTokensDb,
  userId: string,
  tokenId: string,
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('access_tokens')
    .where('user_id', '=', userId)
    .where('id', '=', tokenId)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}
