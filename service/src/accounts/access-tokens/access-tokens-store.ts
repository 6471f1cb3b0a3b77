import type { Selectable } from 'kysely'
import type { AccessTokensTable } from './access-tokens-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { ActivityTables } from '../activity-log/activity-log.ts'
import type { Grant, Role } from '../permissions/permissions.ts'
import { membershipsOf } from './memberships-store.ts'
import { reachesWorkspace } from './token-reach-store.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type AccessTokensDb = Db<
  | 'access_tokens'
  | 'access_token_exclusions'
  | 'users'
  | 'workspace_members'
  | 'knowledge_base_grants'
  | 'browser_sessions'
  | ActivityTables
>

export type AccessTokenRow = Selectable<AccessTokensTable>

export async function insertAccessToken(db: Db<'access_tokens'>, token: AccessTokenRow): Promise<void> {
  await db.insertInto('access_tokens').values(token).execute()
}

export interface TokenHolder {
  token: AccessTokenRow
  workspaces: { id: string; role: Role }[]
  grants: Grant[]
}

/**
 * The token with this hash, with its user's memberships and grants, in one statement. It runs before every request, so that
 * permissions are never stale.
 */
export async function findTokenHolder(
  db: AccessTokensDb,
  tokenHash: string,
): Promise<TokenHolder | undefined> {
  const row = await db
    .selectFrom('access_tokens')
    .selectAll('access_tokens')
    .select(membershipsOf('access_tokens.user_id', reachesWorkspace('access_tokens.id', 'm.workspace_id')))
    .where('access_tokens.token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { workspaces, grants, ...token } = row
  return { token, workspaces, grants }
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
  of: PageRequest & { userId: string },
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

/** Deletes a token of this person. Undefined when there is no such token. */
export async function deleteAccessToken(
  db: AccessTokensDb,
  userId: string,
  tokenId: string,
): Promise<AccessTokenRow | undefined> {
  return await db
    .deleteFrom('access_tokens')
    .where('user_id', '=', userId)
    .where('id', '=', tokenId)
    .returningAll()
    .executeTakeFirst()
}

/** Gives the operator's tokens of a user to another one. They belong to the machine, and outlast the account that they were made with. */
export async function moveOperatorTokens(
  db: Db<'access_tokens'>,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<void> {
  await db
    .updateTable('access_tokens')
    .set({ user_id: to, updated_at: now })
    .where('user_id', '=', from)
    .where('is_operator', '=', true)
    .execute()
}

/** Deletes every token made from an account: all but the operator's and `exceptId`. Returns how many were deleted. */
export async function deleteOrdinaryTokensOf(
  db: Db<'access_tokens'>,
  userId: string,
  exceptId?: string,
): Promise<number> {
  const deleted = await db
    .deleteFrom('access_tokens')
    .where('user_id', '=', userId)
    .where('is_operator', '=', false)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''))
    .returning('id')
    .execute()
  return deleted.length
}

/** Counts the unexpired tokens of a user, without the operator's. */
export async function countOrdinaryTokensOf(
  db: Db<'access_tokens'>,
  userId: string,
  now: Date,
): Promise<number> {
  const row = await db
    .selectFrom('access_tokens')
    .select((token) => token.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('is_operator', '=', false)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Copies the workspace exclusions of the token that made this one: a new token reaches no workspace that its maker does not. */
export async function copyExclusions(
  db: AccessTokensDb,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<void> {
  await db
    .insertInto('access_token_exclusions')
    .columns(['token_id', 'workspace_id', 'created_at'])
    .expression(
      db
        .selectFrom('access_token_exclusions')
        .select((row) => [
          row.val(to).$castTo<string>().as('token_id'),
          'workspace_id',
          row.val(now).as('created_at'),
        ])
        .where('token_id', '=', from),
    )
    .execute()
}
