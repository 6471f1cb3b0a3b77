import type { Joined } from '../../platform/storage/tables.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { deleteAccessToken, type AccessTokenRow, type AccessTokensDb } from './access-tokens-store.ts'
import {
  excludeToken,
  findTokenReaching,
  listTokensReaching,
  reachesAnything,
  type MemberTokensDb,
} from './member-tokens-store.ts'

/** The tokens with which a member reaches a workspace. It does not check permissions: only for rooms that have already done so. */
export const listMemberTokens = async (
  db: MemberTokensDb,
  of: { workspaceId: string; userId: string } & PageRequest,
): Promise<AccessTokenRow[]> => await listTokensReaching(db, of)

/**
 * Excludes a member's token from one workspace, from the next request on. The token goes on working in the member's other
 * workspaces, which an owner of this one has no right to change. A token that no longer reaches any workspace is deleted.
 *
 * @throws Refusal NOT_FOUND; FORBIDDEN for a token of the operator
 */
export async function excludeMemberToken(
  transaction: Joined<MemberTokensDb | AccessTokensDb>,
  of: { workspaceId: string; userId: string; tokenId: string; now: Date },
): Promise<AccessTokenRow> {
  const row = await findTokenReaching(transaction, of)
  if (row === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such access token.' })
  if (row.is_operator)
    throw new Refusal('FORBIDDEN', {
      because:
        'This token belongs to the operator of the instance. Only the operator can revoke it, on that machine.',
    })
  await excludeToken(transaction, of)
  if (!(await reachesAnything(transaction, of.tokenId)))
    await deleteAccessToken(transaction, of.userId, of.tokenId)
  return row
}
