import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { TokenScope } from '@citewell/contract/endpoint'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { AccessTokenRow, AccessTokens } from '../access-tokens/access-tokens.ts'
import type { Caller } from '../permissions/permissions.ts'
import { presentWorkspace } from './present-workspace.ts'
import type { Workspaces } from './workspaces.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const presentCallingToken = (token: AccessTokenRow) => ({
  id: token.id,
  name: token.name,
  scopes: token.scopes as TokenScope[],
  expires_at: token.expires_at?.toISOString() ?? null,
  is_operator: token.is_operator,
})

export const workspaceRoutes = (deps: { workspaces: Workspaces; accessTokens: AccessTokens }) => [
  endpoint(ENDPOINTS.getMe, async ({ caller }) => {
    const { user, workspaces } = await deps.workspaces.me(caller)
    const token = await deps.accessTokens.current(caller)
    return {
      user: { id: user.id, email: user.email, name: user.name },
      workspaces: workspaces.map(({ id, name, plan, role }) => ({ id, name, plan, role })),
      token: token === undefined ? null : presentCallingToken(token),
      session:
        caller.session === undefined
          ? null
          : { csrf: caller.session.csrf, expires_at: caller.session.expiresAt.toISOString() },
    }
  }),
  endpoint(ENDPOINTS.getWorkspace, async ({ caller, params }) =>
    presentWorkspace(await deps.workspaces.get(caller, params.id)),
  ),
  endpoint(ENDPOINTS.updateWorkspace, async ({ caller, params, body }) =>
    presentWorkspace(await deps.workspaces.change(caller, params.id, body)),
  ),
]
