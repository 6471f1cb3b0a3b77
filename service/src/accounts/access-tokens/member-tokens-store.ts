import type { Selectable } from 'kysely'
import type { AccessTokensTable } from './access-tokens-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { reachesWorkspace } from './token-reach-store.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type MemberTokensDb = Db<'access_tokens' | 'access_token_exclusions' | 'workspace_members'>

/** A person in a workspace. */
interface Of {
  workspaceId: string
  userId: string
}

/** Tokens of a member that reach the workspace. */
const reaching = (db: MemberTokensDb, { workspaceId, userId }: Of) =>
  db
    .selectFrom('access_tokens as t')
    .innerJoin('workspace_members as m', 'm.user_id', 't.user_id')
    .selectAll('t')
    .where('m.workspace_id', '=', workspaceId)
    .where('t.user_id', '=', userId)
    .where(reachesWorkspace('t.id', 'm.workspace_id'))

export async function listTokensReaching(
  db: MemberTokensDb,
  of: Of & PageRequest,
): Promise<Selectable<AccessTokensTable>[]> {
  return await reaching(db, of)
    .$if(of.after !== undefined, (query) => query.where('t.id', '>', of.after ?? ''))
    .orderBy('t.id')
    .limit(of.limit)
    .execute()
}

export async function findTokenReaching(
  db: MemberTokensDb,
  of: Of & { tokenId: string },
): Promise<Selectable<AccessTokensTable> | undefined> {
  return await reaching(db, of).where('t.id', '=', of.tokenId).executeTakeFirst()
}

/** Excludes the token from the workspace, from the next request on. */
export async function excludeToken(
  db: MemberTokensDb,
  { tokenId, workspaceId, now }: { tokenId: string; workspaceId: string; now: Date },
): Promise<void> {
  await db
    .insertInto('access_token_exclusions')
    .values({ token_id: tokenId, workspace_id: workspaceId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether a token still reaches any workspace. */
export async function reachesAnything(db: MemberTokensDb, tokenId: string): Promise<boolean> {
  const row = await db
    .selectFrom('access_tokens as t')
    .innerJoin('workspace_members as m', 'm.user_id', 't.user_id')
    .select('m.workspace_id')
    .where('t.id', '=', tokenId)
    .where(reachesWorkspace('t.id', 'm.workspace_id'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
