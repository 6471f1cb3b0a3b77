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

/** The tokens with which somebody reaches a workspace that they are in. Only for rooms that know that the caller may see them. */
export const listMemberTokens = async (
  db: MemberTokensDb,
  of: { workspaceId: string; userId: string } & PageRequest,
): Promise<AccessTokenRow[]> => await listTokensReaching(db, of)

/**
 * Shuts a member's token out of one workspace, from the next request on. Where its person is in others it goes on working there: what
 * is elsewhere is not for this workspace's owner to end. One that reaches nothing any more is deleted.
 *
 * @throws Refusal NOT_FOUND; FORBIDDEN for a token of whoever operates the instance
 */
export async function shutOutMemberToken(
  transaction: MemberTokensDb & AccessTokensDb,
  of: { workspaceId: string; userId: string; tokenId: string; now: Date },
): Promise<AccessTokenRow> {
  const row = await findTokenReaching(transaction, of)
  if (row === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such access token.' })
  if (row.is_operator) {
    throw new Refusal('FORBIDDEN', {
      because: 'This token is of whoever operates the instance. It is ended on that machine.',
    })
  }
  await excludeToken(transaction, of)
  if (!(await reachesAnything(transaction, of.tokenId)))
    await deleteAccessToken(transaction, of.userId, of.tokenId)
  return row
}
