import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { WorkspaceMember } from '@citewell/contract/members'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import { presentAccessToken } from '../access-tokens/access-tokens.ts'
import type { MemberRow, Members, MemberTokens } from './members.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const presentMember = (row: MemberRow): WorkspaceMember => ({
  id: row.user_id,
  workspace_id: row.workspace_id,
  user_id: row.user_id,
  email: row.email,
  name: row.name,
  role: row.role,
  status: row.status,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export interface MemberRoutesDeps {
  members: Members
  memberTokens: MemberTokens
  /** Public URL of the service, without a trailing slash. */
  publicUrl: () => string
}

export const memberRoutes = ({ members, memberTokens, publicUrl }: MemberRoutesDeps) => [
  endpoint(ENDPOINTS.listMembers, async ({ caller, params, query }) =>
    pageOfRows(await members.list(caller, params.id, parsePageQuery(query)), query.limit, presentMember),
  ),
  endpoint(ENDPOINTS.inviteMember, async ({ caller, params, body }) => {
    const { member, code, expiresAt } = await members.invite(caller, params.id, body)
    const url = `${publicUrl()}/invitation?code=${code}`
    return { ...presentMember(member), invitation: { url, expires_at: expiresAt.toISOString() } }
  }),
  endpoint(ENDPOINTS.updateMember, async ({ caller, params, body }) =>
    presentMember(await members.changeRole(caller, params.id, params.userId, body.role)),
  ),
  endpoint(ENDPOINTS.removeMember, ({ caller, params }) => members.remove(caller, params.id, params.userId)),
  endpoint(ENDPOINTS.listMemberAccessTokens, async ({ caller, params, query }) =>
    pageOfRows(
      await memberTokens.list(
        caller,
        { workspaceId: params.id, userId: params.userId },
        parsePageQuery(query),
      ),
      query.limit,
      presentAccessToken,
    ),
  ),
  endpoint(ENDPOINTS.revokeMemberAccessToken, ({ caller, params }) =>
    memberTokens.revoke(caller, { workspaceId: params.id, userId: params.userId, tokenId: params.accessId }),
  ),
]
